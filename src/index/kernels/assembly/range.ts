/**
 * Searches one range of 64 documents with the MaxScore algorithm (Turtle and Flood, 1995), on sets of 64
 * bits.
 *
 * The lists of postings are ordered by their maximum score in this range. The lists with the lowest maxima
 * are optional, as long as their maxima together stay below the threshold: a document that is only in
 * optional lists cannot be among the best. A word is needed if all other words together cannot reach the
 * threshold. The candidates are the documents that have every needed word and are in at least one list that
 * is not optional. If the query has required words, the candidates are the documents that have all required
 * words.
 *
 * A candidate is scored list by list, the largest maximum first, and dropped when it can no longer reach the
 * threshold. Its phrases are checked last.
 */
import { threshold } from './best';
import { docsIn, frequencyAt, holds, MASS, RANGE_MAXIMUM, REQUIRED, SCALE, TABLE, WORD } from './cursors';
import { STATIC_MAXIMA, step, termScore } from './lists';
import { hasPhrase, needsPlaces, SLOT_BYTES } from './phrase';
import {
  cursorOf,
  goneIn,
  isGrouped,
  keep,
  listCount,
  norms,
  perWeight,
  SAFE,
  scoreOf,
  segment,
  setFrequency,
  staticOf,
} from './query';

/**
 * The largest possible rounding error, as a share of the sum, when the maximum scores of the terms are added up
 * and then subtracted again one by one.
 */
const SLACK: f64 = 1e-12;

/**
 * The numbers of the postings lists, in ascending order of their maximum score in the current range. The next
 * two tables have, for each n, the sums of the maximum scores and of the masses of the first n lists in this
 * order.
 */
const order: usize = memory.data(4 * 64);
const maxima: usize = memory.data(8 * 65);
const masses: usize = memory.data(8 * 65);

/**
 * The address of a table of the required words, which JavaScript writes. An entry has the number of the word's
 * first postings list and the number of its lists. The word with the fewest documents comes first.
 */
let required: usize = 0;
let requiredCount: u32 = 0;
/**
 * The address of a table of the phrases. An entry has the number of words in the phrase and a slot for each
 * word (see phrase.ts). An entry with 0 words ends the table.
 */
let phrases: usize = 0;
let hasPlaces: bool = false;

let range: u32 = 0;

/**
 * Sets the required words and phrases. Without required words, a document matches if it has any word of the
 * query. The postings lists of the segment must be set before this call.
 */
export function setRequired(at: usize, count: u32, phrasesAt: usize): void {
  required = at;
  requiredCount = count;
  phrases = phrasesAt;
  for (let word: u32 = 0; word < count; word++) {
    const first = load<u32>(at + (word << 3));
    const lists = load<u32>(at + (word << 3), 4);
    for (let number = first; number < first + lists; number++) store<u32>(cursorOf(number), 1, REQUIRED);
  }
  hasPlaces = false;
  let phrase = phrasesAt;
  for (let length = load<u32>(phrase); length > 0; length = load<u32>(phrase)) {
    if (needsPlaces(phrase + 4, length)) hasPlaces = true;
    phrase += 4 + <usize>length * SLOT_BYTES;
  }
}

export function hasRequired(): bool {
  return requiredCount > 0;
}

/**
 * Searches the 64 documents of the range with the number `first` + `offset`. `first` is the range of the first
 * entry in the tables of maximum scores. Returns the number of matching documents if `isCounting`, otherwise 0.
 */
export function lookAt(first: u32, offset: u32, isCounting: bool): u32 {
  range = first + offset;
  const statics: usize = load<u32>(segment, STATIC_MAXIMA);
  const extra: f64 = statics === 0 ? 0 : <f64>load<f32>(statics + (range << 2));
  orderLists(offset);
  const candidates = (requiredCount > 0 ? withRequired() : withAny(extra)) & ~goneIn(range);
  if (candidates === 0) return 0;
  for (let number: u32 = 0; number < listCount; number++) docsIn(cursorOf(number), range);
  if (hasPlaces && (isCounting || threshold === 0)) return countPhrases(candidates);
  if (canReach(0, 0, listCount, extra)) {
    for (let rest = candidates; rest !== 0; rest &= rest - 1) consider((range << 6) + <u32>ctz(rest));
  }
  return isCounting ? <u32>popcnt(candidates) : 0;
}

function orderLists(offset: u32): void {
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    const steps = load<u8>(<usize>load<u32>(cursor, TABLE) + offset);
    const maximum = <f64>steps * step * load<f64>(cursor, SCALE) * SAFE;
    store<f64>(cursor, maximum, RANGE_MAXIMUM);
    let at = number;
    for (; at > 0; at--) {
      const other = load<u32>(order + ((at - 1) << 2));
      if (load<f64>(cursorOf(other), RANGE_MAXIMUM) <= maximum) break;
      store<u32>(order + (at << 2), other);
    }
    store<u32>(order + (at << 2), number);
  }
  for (let at: u32 = 0; at < listCount; at++) {
    const slot: usize = at << 3;
    store<f64>(maxima + slot, load<f64>(maxima + slot) + load<f64>(listAt(at), RANGE_MAXIMUM), 8);
    store<f64>(masses + slot, load<f64>(masses + slot) + massOnTop(at), 8);
  }
}

function listAt(place: u32): usize {
  return cursorOf(load<u32>(order + (place << 2)));
}

/**
 * Returns the mass that a postings list adds to the mass of the lists before it in the order. Only the greatest
 * mass of a word counts, so this is the excess over the greatest mass of earlier lists of the same word, or 0.
 */
function massOnTop(place: u32): f64 {
  const cursor = listAt(place);
  const mass = load<f64>(cursor, MASS);
  if (!isGrouped) return mass;
  let least = mass;
  for (let at: u32 = 0; at < place; at++) {
    const other = listAt(at);
    if (load<u32>(other, WORD) === load<u32>(cursor, WORD)) least = min(least, mass - load<f64>(other, MASS));
  }
  return max(0, least);
}

/**
 * Returns true if a document can still reach the threshold. `sum` and `mass` are the document's score and
 * mass in the postings lists that were already read. The first `rest` lists of the order are not read yet;
 * the document may be in all of them. `extra` is the greatest static score in the range.
 */
function canReach(sum: f64, mass: f64, rest: u32, extra: f64): bool {
  return isEnough(sum + load<f64>(maxima + (rest << 3)), mass + load<f64>(masses + (rest << 3)), extra);
}

function isEnough(sum: f64, mass: f64, extra: f64): bool {
  return sum * min(1, mass * perWeight * SAFE) * SAFE + extra >= threshold;
}

/**
 * For a query without required words: returns a bit set of the documents of the range that can be among the
 * best.
 */
function withAny(extra: f64): u64 {
  let optional: u32 = 0;
  while (optional < listCount && !canReach(0, 0, optional + 1, extra)) optional++;
  let docs: u64 = 0;
  for (let at = optional; at < listCount; at++) docs |= docsIn(listAt(at), range);
  let next: u32 = 0;
  for (let first: u32 = 0; first < listCount && docs !== 0; first = next) {
    next = nextWord(first);
    if (isNeeded(first, next, extra)) docs &= docsOf(first, next);
  }
  return docs;
}

/**
 * Returns the number of the first postings list of the next word. `first` is the first list of the current
 * word.
 */
function nextWord(first: u32): u32 {
  if (!isGrouped) return first + 1;
  const word = load<u32>(cursorOf(first), WORD);
  let next = first + 1;
  while (next < listCount && load<u32>(cursorOf(next), WORD) === word) next++;
  return next;
}

/**
 * Returns true if no document can reach the threshold without a certain word. The postings lists of this word
 * have the numbers from `first` to `next` - 1.
 */
function isNeeded(first: u32, next: u32, extra: f64): bool {
  const sum = load<f64>(maxima + (listCount << 3));
  const mass = load<f64>(masses + (listCount << 3));
  let sumOfOthers = sum + sum * SLACK;
  let ofWord: f64 = 0;
  for (let number = first; number < next; number++) {
    sumOfOthers -= load<f64>(cursorOf(number), RANGE_MAXIMUM);
    ofWord = max(ofWord, load<f64>(cursorOf(number), MASS));
  }
  return !isEnough(sumOfOthers, mass + mass * SLACK - ofWord, extra);
}

/**
 * Returns a bit set of the documents of the range that are in at least one of the postings lists `first` to
 * `next` - 1.
 */
function docsOf(first: u32, next: u32): u64 {
  let docs: u64 = 0;
  for (let number = first; number < next; number++) docs |= docsIn(cursorOf(number), range);
  return docs;
}

/** Returns a bit set of the documents of the range that have all required words. */
function withRequired(): u64 {
  let docs: u64 = -1;
  for (let word: u32 = 0; word < requiredCount && docs !== 0; word++) {
    const first = load<u32>(required + (word << 3));
    const lists = load<u32>(required + (word << 3), 4);
    docs &= docsOf(first, first + lists);
  }
  return docs;
}

/**
 * Scores a candidate document, one postings list after the other, and stops when it can no longer reach the
 * threshold. For this test `mass` is an upper bound: a document in two lists of a word counts both. Such documents
 * are rare, and the exact mass of each would take a loop over its lists.
 */
function consider(doc: u32): void {
  const bit = doc & 63;
  const norm = load<f64>(norms + ((<usize>doc) << 3));
  const extra = staticOf(doc);
  let sum: f64 = 0;
  let mass: f64 = 0;
  let found: u64 = 0;
  for (let at = listCount; at-- > 0; ) {
    if (!canReach(sum, mass, at + 1, extra)) return;
    const number = load<u32>(order + (at << 2));
    const cursor = cursorOf(number);
    if (!holds(cursor, bit)) continue;
    const frequency = frequencyAt(cursor, bit);
    setFrequency(number, frequency);
    sum += termScore(load<f64>(cursor, SCALE), frequency, norm);
    found |= (<u64>1) << number;
    mass += load<f64>(cursor, MASS);
  }
  if (!canReach(sum, mass, 0, extra)) return;
  const score = scoreOf(doc, found);
  if (score >= threshold && hasPhrases(doc, found)) keep(doc, score);
}

/**
 * Scores the candidate documents that have all phrases, and returns their number. Used when the matches are
 * counted, or when no candidate can be skipped because there is no threshold yet.
 */
function countPhrases(candidates: u64): u32 {
  let count: u32 = 0;
  for (let rest = candidates; rest !== 0; rest &= rest - 1) {
    const bit = <u32>ctz(rest);
    const doc = (range << 6) + bit;
    const found = findAll(bit);
    if (!hasPhrases(doc, found)) continue;
    keep(doc, scoreOf(doc, found));
    count++;
  }
  return count;
}

/**
 * Returns a bit set of the postings lists that contain a document, and stores the frequency of the document in
 * each of them.
 */
function findAll(bit: u32): u64 {
  let found: u64 = 0;
  for (let number: u32 = 0; number < listCount; number++) {
    const cursor = cursorOf(number);
    if (!holds(cursor, bit)) continue;
    setFrequency(number, frequencyAt(cursor, bit));
    found |= (<u64>1) << number;
  }
  return found;
}

function hasPhrases(doc: u32, found: u64): bool {
  if (!hasPlaces) return true;
  let at = phrases;
  for (let length = load<u32>(at); length > 0; length = load<u32>(at)) {
    if (needsPlaces(at + 4, length) && !hasPhrase(doc, found, at + 4, length)) return false;
    at += 4 + <usize>length * SLOT_BYTES;
  }
  return true;
}
