/**
 * The current query: its cursors, the weights of its words, and the current segment.
 *
 * A word is a group of lists: its own, and perhaps others that stand for it (other forms, anchor texts, synonyms), each
 * with a scale and a mass. A document has a word if it is in any of them. Each list that has the document adds its
 * score. Of the masses of the word's lists only the greatest counts, so that no word counts twice. Lists are numbered
 * consecutively, those of one word next to each other. A list may count for some documents only, such as those of a
 * language; its mask has these documents.
 */
import { offer, raiseThreshold } from './best';
import { CURSOR_BYTES, LIST, MASK, MASS, open, SCALE, WORD } from './cursors';
import { BEST, DELETES, FINGERPRINTS, NORMS, rankOf, STATICS, termScore } from './lists';

/**
 * Bounds are added in another order than scores, so their rounding differs. A bound is multiplied by this factor to
 * make sure that it is not below the score.
 */
export const SAFE: f64 = 1.000000001;

export let segment: usize = 0;
export let segmentNumber: u32 = 0;
export let listCount: u32 = 0;
/** True if some word has several lists. */
export let isGrouped: bool = false;
/** The sum of the words' inverse document frequencies over the whole index. */
export let weight: f64 = 1;
export let perWeight: f64 = 1;
export let norms: usize = 0;
export let statics: usize = 0;

let cursors: usize = 0;
let fingerprints: usize = 0;
/** The frequency of each list in the document that is being scored. */
let frequencies: usize = 0;

/** `at` has room for 64 cursors, `foundAt` for 64 numbers. */
export function startQuery(at: usize, foundAt: usize, totalWeight: f64): void {
  cursors = at;
  frequencies = foundAt;
  weight = totalWeight;
  perWeight = 1 / totalWeight;
}

/** Enters a segment with `lists` lists. The host sets each by `setList`. */
export function enterSegment(at: usize, number: u32, lists: u32): void {
  segment = at;
  segmentNumber = number;
  listCount = lists;
  isGrouped = false;
  norms = load<u32>(at, NORMS);
  statics = load<u32>(at, STATICS);
  fingerprints = load<u32>(at, FINGERPRINTS);
}

/**
 * Sets a list of this segment. Words and their lists keep their order; those that the segment lacks are left
 * out. `mask` is the address of the bitmap of documents that the list counts for, or 0.
 */
export function setList(number: u32, list: usize, word: u32, scale: f64, mass: f64, mask: usize): void {
  const cursor = cursorOf(number);
  if (number > 0 && load<u32>(cursorOf(number - 1), WORD) === word) isGrouped = true;
  store<u32>(cursor, <u32>list, LIST);
  store<u32>(cursor, word, WORD);
  store<f64>(cursor, scale, SCALE);
  store<f64>(cursor, mass, MASS);
  store<u32>(cursor, <u32>mask, MASK);
  open(cursor);
}

export function cursorOf(number: u32): usize {
  return cursors + <usize>number * CURSOR_BYTES;
}

/**
 * Raises the threshold to a score that at least `keep` documents reach by one of this segment's lists alone.
 * Masked lists are not used, because it is unknown how many of their best documents they count for.
 */
export function raiseToPrimed(keep: u32): void {
  let index: u32 = 0;
  while (index < 4 && rankOf(index) < keep) index++;
  if (index === 4) return;
  let best: f64 = 0;
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    if (load<u32>(cursor, MASK) !== 0) continue;
    const reached = load<f64>(<usize>load<u32>(cursor, LIST) + (index << 3), BEST);
    best = max(best, load<f64>(cursor, SCALE) * reached * (load<f64>(cursor, MASS) / weight));
  }
  raiseThreshold(best / SAFE);
}

export function staticOf(doc: u32): f64 {
  return statics === 0 ? 0 : load<f64>(statics + ((<usize>doc) << 3));
}

export function setFrequency(number: u32, frequency: u32): void {
  store<u32>(frequencies + (number << 2), frequency);
}

/**
 * Returns the mass of a document that is in the lists of `found`: the greatest mass per word, summed in the
 * order of words.
 */
export function massOf(found: u64): f64 {
  let sum: f64 = 0;
  let word: u32 = -1;
  let most: f64 = 0;
  for (let rest = found; rest !== 0; rest &= rest - 1) {
    const cursor = cursorOf(<u32>ctz(rest));
    if (load<u32>(cursor, WORD) !== word) {
      sum += most;
      word = load<u32>(cursor, WORD);
      most = 0;
    }
    most = max(most, load<f64>(cursor, MASS));
  }
  return sum + most;
}

/** Returns the exact score of a document that is in the lists of `found`, summed in list order. */
export function scoreOf(doc: u32, found: u64): f64 {
  const norm = load<f64>(norms + ((<usize>doc) << 3));
  let sum: f64 = 0;
  for (let rest = found; rest !== 0; rest &= rest - 1) {
    const number = <u32>ctz(rest);
    sum += termScore(load<f64>(cursorOf(number), SCALE), load<u32>(frequencies + (number << 2)), norm);
  }
  return sum * (massOf(found) / weight) + staticOf(doc);
}

export function keep(doc: u32, score: f64): void {
  offer(score, load<i64>(fingerprints + ((<usize>doc) << 3)), segmentNumber, doc);
}

/** Returns the deleted documents of a range, as bits. */
export function goneIn(range: u32): u64 {
  const deletes: usize = load<u32>(segment, DELETES);
  return deletes === 0 ? 0 : load<u64>(deletes + ((<usize>range) << 3));
}
