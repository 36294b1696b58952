/**
 * Searches all ranges of 64 documents of a segment for the best documents.
 *
 * A range whose bound (bounds.ts) is below the threshold is skipped. The ranges with the greatest bounds are
 * searched first: they raise the threshold, so that most other ranges are skipped.
 */
import { threshold } from './best';
import { bounds, findBounds, HOPELESS } from './bounds';
import { raiseToPrimed } from './query';
import { hasRequired, lookAt } from './range';

/** How many of the ranges with the greatest bounds are searched before all other ranges. */
const EARLY: u32 = 8;
/**
 * The threshold is multiplied by this factor when it is rounded to single precision. Otherwise rounding could
 * raise the threshold, and a range could be skipped by mistake.
 */
const LESS: f64 = 0.999999;

/** The numbers of the ranges to search first: those with the greatest bounds, in descending order of bounds. */
const early: usize = memory.data(4 * EARLY);

/**
 * Searches the documents from `from` up to `to`. Both are multiples of 64, except at the end of the segment.
 * Returns the number of matching documents if `isCounting` and the query has required words.
 */
export function search(from: u32, to: u32, keepCount: u32, isCounting: bool): u32 {
  const first = from >> 6;
  const count = (to - from + 63) >> 6;
  if (from === 0 && !hasRequired()) raiseToPrimed(keepCount);
  findBounds(first, count, hasRequired());
  for (let range = count; range < count + 4; range++) setBound(range, HOPELESS);
  const isEach = isCounting && hasRequired();
  return lookAtBest(first, count, isEach) + lookAtRest(first, count, isEach);
}

function boundOf(range: u32): f32 {
  return load<f32>(bounds + (range << 2));
}

function setBound(range: u32, bound: f32): void {
  store<f32>(bounds + (range << 2), bound);
}

/** Returns the lowest bound that is searched: ranges with a lower bound are skipped. */
function least(isCounting: bool): f32 {
  return isCounting ? 0 : <f32>(threshold * LESS);
}

function lookAtBest(first: u32, count: u32, isCounting: bool): u32 {
  const chosen = chooseBest(count, least(isCounting));
  let matches: u32 = 0;
  for (let at: u32 = 0; at < chosen; at++) {
    const range = load<u32>(early + (at << 2));
    if (boundOf(range) >= least(isCounting)) matches += lookAt(first, range, isCounting);
    setBound(range, HOPELESS);
  }
  return matches;
}

/** Chooses the ranges to search first, and returns their number. */
function chooseBest(count: u32, from: f32): u32 {
  let chosen: u32 = 0;
  let worst = from;
  for (let range: u32 = 0; range < count; range++) {
    const bound = boundOf(range);
    if (bound < worst) continue;
    if (chosen < EARLY) chosen++;
    let at = chosen - 1;
    for (; at > 0; at--) {
      const other = load<u32>(early + ((at - 1) << 2));
      if (boundOf(other) >= bound) break;
      store<u32>(early + (at << 2), other);
    }
    store<u32>(early + (at << 2), range);
    if (chosen === EARLY) worst = boundOf(load<u32>(early + ((EARLY - 1) << 2)));
  }
  return chosen;
}

function lookAtRest(first: u32, count: u32, isCounting: bool): u32 {
  let matches: u32 = 0;
  for (let four: u32 = 0; four < count; four += 4) {
    const group = v128.load(bounds + (four << 2));
    let rest = i32x4.bitmask(f32x4.ge(group, f32x4.splat(least(isCounting))));
    for (; rest !== 0; rest &= rest - 1) {
      const range = four + ctz(rest);
      if (boundOf(range) >= least(isCounting)) matches += lookAt(first, range, isCounting);
    }
  }
  return matches;
}
