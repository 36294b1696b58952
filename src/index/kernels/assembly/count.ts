/** Returns the number of live documents that have at least one of the query's words. */
import { docsIn } from './cursors';
import { RANGES } from './lists';
import { cursorOf, goneIn, listCount, segment } from './query';

export function countAny(): u32 {
  const ranges = load<u32>(segment, RANGES);
  let count: u32 = 0;
  for (let range: u32 = 0; range < ranges; range++) {
    let docs: u64 = 0;
    for (let number: u32 = 0; number < listCount; number++) docs |= docsIn(cursorOf(number), range);
    count += <u32>popcnt(docs & ~goneIn(range));
  }
  return count;
}
