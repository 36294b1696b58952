/**
 * Checks whether the words of a phrase are adjacent in a document.
 *
 * It starts with the rarest word of the phrase: each of its positions gives a possible start of the phrase.
 * Then each of the other words, from the rarest to the most frequent, confirms or rejects these starts.
 * Therefore few starts are left when a frequent word such as `the` is checked. If a word has several lists of
 * postings, their positions are merged.
 *
 *   slot    a word of a phrase: first list u32, number of lists u32, at u32, offset u32; the rarest word first
 *   forms   at the address `at`: for each list a u64, the bit set of accepted forms; `at` is 0 if all are accepted
 *
 * The offset is the index of the word in the phrase.
 */
import { ALL_FORMS, confirmPositions, placeCount, writePositions } from './cursors';
import { cursorOf } from './query';

export const SLOT_BYTES: usize = 16;

let positions: usize = 0;
let positionsEnd: usize = 0;
let isTooLong: bool = false;

/** Sets the memory for positions. Called at the start of a query. */
export function setUpPhrases(at: usize, bytes: usize): void {
  positions = at;
  positionsEnd = at + bytes;
  isTooLong = false;
}

/**
 * Returns true if some document had too many occurrences of the words to check a phrase. The result of the
 * query must then not be used.
 */
export function gaveUp(): bool {
  return isTooLong;
}

/**
 * Returns true if positions must be checked to find the phrase. They need not be checked for a phrase of one
 * word in any form, because a document that contains the word has this phrase.
 */
export function needsPlaces(words: usize, length: u32): bool {
  return length > 1 || load<u32>(words, 8) !== 0;
}

/** The document that is being checked, as its index in the current range of 64 documents. */
let bit: u32 = 0;

/**
 * Returns true if the document has the phrase. `words` is the address of the slots of the phrase's words;
 * `found` is a bit set of the postings lists that contain the document. Word forms are checked only after the
 * words are found to be adjacent, because unpacking forms takes more time.
 */
export function hasPhrase(doc: u32, found: u64, words: usize, length: u32): bool {
  bit = doc & 63;
  if (length > 1 && !standTogether(found, words, length, false)) return false;
  for (let slot: u32 = 0; slot < length; slot++) {
    if (load<u32>(words + <usize>slot * SLOT_BYTES, 8) !== 0)
      return standTogether(found, words, length, true);
  }
  return true;
}

function standTogether(found: u64, words: usize, length: u32, asksForms: bool): bool {
  let count = writePlaces(found, words, positions, asksForms);
  for (let slot: u32 = 1; slot < length && count > 0; slot++) {
    const word = words + <usize>slot * SLOT_BYTES;
    const number = load<u32>(word);
    if (load<u32>(word, 4) === 1 && !asksForms && has(found, number)) {
      count = confirmPositions(cursorOf(number), bit, load<u32>(word, 12), positions, count);
    } else {
      const others = positions + (count << 2);
      count = intersect(positions, count, others, writePlaces(found, word, others, asksForms));
    }
  }
  return count > 0;
}

function has(found: u64, number: u32): bool {
  return ((found >> number) & 1) !== 0;
}

/**
 * Writes the positions at which the phrase could start according to one of its words: the positions of the word
 * minus its offset in the phrase, ascending. Returns their number.
 */
function writePlaces(found: u64, word: usize, to: usize, asksForms: bool): u32 {
  const offset = load<u32>(word, 12);
  const first = load<u32>(word);
  let count: u32 = 0;
  for (let number = first; number < first + load<u32>(word, 4); number++) {
    if (!has(found, number)) continue;
    const own = placeCount(cursorOf(number), bit);
    if (!fits(to, count + (count === 0 ? own : 2 * own))) return 0;
    const at = to + ((count === 0 ? 0 : count + own) << 2);
    const forms = asksForms ? formsOf(word, number - first) : ALL_FORMS;
    const written = writePositions(cursorOf(number), bit, at, offset, forms);
    if (count > 0) mergeFromBehind(to, count, at, written);
    count += written;
  }
  return count;
}

/** Returns the bit set of the word forms that the phrase accepts in one postings list of a word. */
function formsOf(word: usize, list: u32): u64 {
  const at: usize = load<u32>(word, 8);
  return at === 0 ? ALL_FORMS : load<u64>(at + ((<usize>list) << 3));
}

function fits(at: usize, count: u32): bool {
  if (<u64>at + ((<u64>count) << 2) <= <u64>positionsEnd) return true;
  isTooLong = true;
  return false;
}

/**
 * Merges the ascending numbers at `b` into the ascending numbers at `a`, after which there must be room for
 * them. The merge begins with the greatest numbers, so that no other memory is needed.
 */
function mergeFromBehind(a: usize, countA: u32, b: usize, countB: u32): void {
  let lastA = a + (countA << 2);
  let lastB = b + (countB << 2);
  for (let out = a + ((countA + countB) << 2); lastB > b; ) {
    out -= 4;
    if (lastA > a && load<i32>(lastA - 4) > load<i32>(lastB - 4)) {
      lastA -= 4;
      store<i32>(out, load<i32>(lastA));
    } else {
      lastB -= 4;
      store<i32>(out, load<i32>(lastB));
    }
  }
}

/**
 * Removes the numbers at `a` that are not also at `b`; both are ascending. Returns how many numbers remain. The
 * numbers are signed, because the computed start of a phrase may be below 0.
 */
function intersect(a: usize, countA: u32, b: usize, countB: u32): u32 {
  const endA = a + (countA << 2);
  const endB = b + (countB << 2);
  let out = a;
  let atB = b;
  for (let atA = a; atA < endA; atA += 4) {
    const wanted = load<i32>(atA);
    while (atB < endB && load<i32>(atB) < wanted) atB += 4;
    if (atB === endB) break;
    if (load<i32>(atB) !== wanted) continue;
    store<i32>(out, wanted);
    out += 4;
  }
  return <u32>(out - a) >> 2;
}
