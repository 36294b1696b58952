/**
 * The current query: its cursors, the weights of its words, and the current segment.
 *
 * A word of the query has one or more lists of postings: its own list, and perhaps lists of other forms, anchor
 * texts or synonyms. A document has the word if it is in any of these lists. Each list that has the document
 * adds its score, multiplied by the scale of the list. The mass of a list says how much of the word it covers.
 * If a document is in several lists of a word, only the greatest mass counts, so that no word counts twice.
 * Lists are numbered consecutively, word by word. A list may count for some documents only, such as those of
 * one language; its mask is the bitmap of these documents.
 */
import { offer, raiseThreshold } from './best';
import { CURSOR_BYTES, LIST, MASK, MASS, open, SCALE, WORD } from './cursors';
import { BEST, DELETES, FINGERPRINTS, NORMS, rankOf, STATICS, termScore } from './lists';

/**
 * Upper bounds of scores are multiplied by this factor. A bound and a score add the same numbers in different
 * orders, and without the factor a rounding error could make the bound lower than the score.
 */
export const SAFE: f64 = 1.000000001;

export let segment: usize = 0;
export let segmentNumber: u32 = 0;
export let listCount: u32 = 0;
/** True if some word of the query has several postings lists. */
export let isGrouped: bool = false;
/** The sum of the inverse document frequencies of the query's words, over the whole index. */
export let weight: f64 = 1;
export let perWeight: f64 = 1;
export let norms: usize = 0;
export let statics: usize = 0;

let cursors: usize = 0;
let fingerprints: usize = 0;
/**
 * The address of an array: for each postings list, the frequency of its term in the document that is being
 * scored.
 */
let frequencies: usize = 0;

/**
 * Starts a query. `at` has room for 64 cursors, and `foundAt` for the frequencies of 64 postings lists.
 * `totalWeight` is the sum of the inverse document frequencies of the query's words.
 */
export function startQuery(at: usize, foundAt: usize, totalWeight: f64): void {
  cursors = at;
  frequencies = foundAt;
  weight = totalWeight;
  perWeight = 1 / totalWeight;
}

/**
 * Starts the search of a segment. `lists` is the number of postings lists that the query reads in this segment.
 * JavaScript then calls `setList` for each of them.
 */
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
 * Sets a postings list of the current segment. The order of words and of their lists is the same in all
 * segments; lists that the segment does not have are left out. `mask` is the address of the bitmap of the
 * documents for which the list is used, or 0 for all documents.
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
 * Raises the threshold to a score that at least `keep` documents of the segment are known to reach. The score
 * is calculated from the table `BEST` of one postings list, which has scores that the best documents of the
 * list reach. Lists with a mask are not used, because some of their best documents may be outside the mask.
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
 * Returns the mass of a document, which is the weight of the query's words that the document has. For each
 * word, the greatest mass among its postings lists counts. `found` is a bit set of the lists that contain the
 * document.
 */
function massOf(found: u64): f64 {
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

/**
 * Returns the exact score of a document. `found` is a bit set of the postings lists that contain the document.
 * The scores are added in the order of the lists.
 */
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

/** Returns a bit set of the 64 documents of a range, in which the bits of deleted documents are set. */
export function goneIn(range: u32): u64 {
  const deletes: usize = load<u32>(segment, DELETES);
  return deletes === 0 ? 0 : load<u64>(deletes + ((<usize>range) << 3));
}
