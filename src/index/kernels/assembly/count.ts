/** How many documents have any of the words: a bit for each, and a count of the bits. */
import { BLOCK, COUNT, docAt, LIST, load128 } from './cursors';
import { BLOCKS, DELETES } from './lists';
import { cursorOf, listCount, segment } from './query';

/** `bits` has room for a bit per document, up to a multiple of 64, and is cleared. The cursors are used up. */
export function countAny(bits: usize, docCount: u32): u32 {
  for (let number: u32 = 0; number < listCount; number++) setBits(cursorOf(number), bits);
  const deletes: usize = load<u32>(segment, DELETES);
  const bytes: usize = ((docCount + 63) >> 6) << 3;
  let count: u32 = 0;
  for (let at: usize = 0; at < bytes; at += 8) {
    const gone: u64 = deletes === 0 ? 0 : load<u64>(deletes + at);
    count += <u32>popcnt(load<u64>(bits + at) & ~gone);
  }
  return count;
}

function setBits(cursor: usize, bits: usize): void {
  const blocks = load<u32>(<usize>load<u32>(cursor, LIST), BLOCKS);
  for (let block: u32 = 0; block < blocks; block++) {
    store<u32>(cursor, block, BLOCK);
    load128(cursor);
    const count = load<u32>(cursor, COUNT);
    for (let index: u32 = 0; index < count; index++) {
      const doc = docAt(cursor, index);
      const at = bits + ((doc >> 6) << 3);
      store<u64>(at, load<u64>(at) | ((<u64>1) << (doc & 63)));
    }
  }
}
