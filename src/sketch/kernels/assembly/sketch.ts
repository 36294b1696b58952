/**
 * The loops over a text for its sketch: they hash words, make shingles of them, keep the least hashes and
 * count bits. `../../sketch.ts` describes the algorithm. `../../sketch-kernel.ts` lays out the memory and
 * calls them.
 */
export { countVotes, majority } from './bit-votes';

const PRIME: u32 = 0x01000193;
const BIN_SHIFT: u32 = 23;
const VALUE_MASK: u32 = (1 << BIN_SHIFT) - 1;
const FIRST_SPECIAL: u32 = 0xfffd;
const UNSPACED: u32 = 0xfffd;
const UNKNOWN: u32 = 0xffff;

/** The address of the table with the class of each UTF-16 unit: see `../../word-characters.ts`. */
let folded: usize = 0;
let units: usize = 0;
let words: usize = 0;
let least: usize = 0;
let stopped: u32 = 0;

export function setUp(foldedAt: usize, unitsAt: usize, wordsAt: usize, leastAt: usize): void {
  folded = foldedAt;
  units = unitsAt;
  words = wordsAt;
  least = leastAt;
}

/**
 * Returns the position in the text at which `readWords` stopped. This is the end of its range, or a UTF-16 unit
 * whose class is not in the table yet.
 */
export function stoppedAt(): u32 {
  return stopped;
}

/** The hash of a word that continues in the next call of `readWords`; 0 if there is none. */
let under: u32 = 0;

/**
 * Hashes the words of a range of the text, stores the hashes from index `count` on, and returns the new count.
 * A word ends at the end of the range at the latest. This is a hot kernel.
 *
 * The hash of the current word is updated at each UTF-16 unit, and is 0 between words. The processor cannot
 * predict where words end, so the inner loop does not branch on it. It stores the hash at every unit, but
 * advances to the next output index only at the end of a word. At a separator a mask resets the hash to 0.
 */
export function readWords(start: u32, end: u32, count: u32): u32 {
  const table = folded;
  let to = words + (count << 2);
  let word = under;
  let at = units + (start << 1);
  const stop = units + (end << 1);
  under = 0;
  while (at < stop) {
    let code: u32 = 0;
    while (at < stop) {
      code = load<u16>(table + (u32(load<u16>(at)) << 1));
      if (code >= FIRST_SPECIAL) break;
      const inWord: u32 = i32(0 - code) >> 31;
      store<u32>(to, word);
      to += (((word | (0 - word)) >> 31) & ~inWord) << 2;
      word = ((word ^ code) * PRIME) & inWord;
      at += 2;
    }
    if (at === stop) break;
    if (code === UNKNOWN) {
      under = word;
      stopped = u32(at - units) >> 1;
      return u32(to - words) >> 2;
    }
    if (code === UNSPACED) {
      if (word !== 0) {
        store<u32>(to, word);
        to += 4;
      }
      store<u32>(to, u32(load<u16>(at)) * PRIME);
      to += 4;
      word = 0;
    }
    at += 2;
  }
  if (word !== 0) {
    store<u32>(to, word);
    to += 4;
  }
  stopped = end;
  return u32(to - words) >> 2;
}

/**
 * Replaces the hashes of words by hashes of shingles (three words in a row), in place. Also stores the least
 * hash of each bin.
 */
export function makeShingles(count: u32): void {
  const bins = least;
  let at = words;
  const stop = words + (count << 2);
  for (; at < stop; at += 4) {
    const pair = load<u32>(at) * 0x9e3779b1 + load<u32>(at, 4) * 0x85ebca77;
    const hash = scatter(pair + load<u32>(at, 8) * 0xc2b2ae3d);
    const bin = bins + ((hash >> BIN_SHIFT) << 2);
    const value = hash & VALUE_MASK;
    if (value < load<u32>(bin)) store<u32>(bin, value);
    store<u32>(at, hash);
  }
}

/**
 * Replaces the hashes of shingles by other hashes of the same shingles, from which the second half of the
 * simhash is computed.
 */
export function rehash(count: u32): void {
  const stop = words + (count << 2);
  for (let at = words; at < stop; at += 4) store<u32>(at, scatter(load<u32>(at) ^ 0x27d4eb2f));
}

function scatter(word: u32): u32 {
  let h = word;
  h = (h ^ (h >> 16)) * 0x85ebca6b;
  h = (h ^ (h >> 13)) * 0xc2b2ae35;
  return h ^ (h >> 16);
}
