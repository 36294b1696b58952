/**
 * The sketch of a text: what is enough to tell how much of it another text has.
 *
 * A text is the set of its shingles, every three words in a row. One pass hashes them, from character
 * codes, without a string or an object for a word, and gives
 *
 *   simhash   64 bits, each the majority vote of that bit over all shingles (Charikar): texts that have
 *             much in common differ in few bits
 *   bins      min-hash by one permutation (Li, Owen, Zhang): a hash belongs to one of 512 bins by its
 *             first bits, and each bin keeps the least of its hashes, of which 8 bits are stored. The
 *             share of bins that agree, of those that either text fills, estimates the Jaccard
 *             coefficient of the two sets with a standard error below 0.014 at 0.9
 *   bands     six keys, each of five least hashes over wider bins. Texts with coefficient J share a
 *             given key with probability J⁵, so at 0.9 all six differ once in two hundred times, and
 *             unlike texts never meet: this is what an index can look up
 *
 * Simhash alone would be too coarse a key: at 0.9 it differs in six or seven bits of 64 (decision 70).
 *
 * The values are on disk; they never change without a new version of the file.
 */
import type { Range } from '../../page/mod.ts';
import { BitVotes, popCount } from './bit-votes.ts';
import { classify, FIRST_SPECIAL, FOLDED, Special } from './word-characters.ts';

export const BIN_COUNT = 512;
export const BAND_COUNT = 6;

const BIN_SHIFT = 23;
const VALUE_MASK = (1 << BIN_SHIFT) - 1;
const EMPTY = 0xffffffff;
const BAND_ROWS = 5;
/** Bins in one of the wider bins that bands are made of; two of the 32 are left over. */
const WIDE = 16;
const WIDE_COUNT = BIN_COUNT / WIDE;
/** The beginning of a longer text says enough. */
const MAX_LENGTH = 1 << 20;

const PRIME = 0x01000193;
/** 1..255 stand for a least hash, so two different ones agree by accident this often. */
const ACCIDENT = 1 / 255;

export interface Sketch {
  /** The two halves of the simhash, unsigned. */
  simLow: number;
  simHigh: number;
  /** Shingles of the text, repeated ones counted. */
  shingleCount: number;
  /** For each bin 8 bits of its least hash as 1..255, or 0 if no shingle fell into it. */
  bins: Uint8Array;
  bands: Uint32Array;
}

/**
 * Scratch space for the text under way. At the level of the module, where the compiler knows the arrays for
 * constants: held in an object, every access would check them anew, which the inner loop feels. Memory that
 * no text has reached is never touched.
 */
const UNITS = new Uint16Array(MAX_LENGTH);
const UNIT_BYTES = Buffer.from(UNITS.buffer);
const WORDS = new Int32Array(MAX_LENGTH + 1);
const LEAST = new Uint32Array(BIN_COUNT);
const WIDE_LEAST = new Uint32Array(WIDE_COUNT);
const votesLow = new BitVotes();
const votesHigh = new BitVotes();

/** The sketch of the text, or of these ranges of it, read as if nothing stood between them. */
export function sketchOf(text: string, ranges: readonly Readonly<Range>[] = [[0, text.length]]): Sketch {
  const length = UNIT_BYTES.write(text, 'utf16le') >> 1;
  let wordCount = 0;
  for (const [start, end] of ranges) wordCount = readWords(start, Math.min(end, length), wordCount);
  const shingleCount = Math.max(0, wordCount - 2);
  countShingles(shingleCount);
  return {
    simLow: votesLow.majority(shingleCount),
    simHigh: votesHigh.majority(shingleCount),
    shingleCount,
    bins: storedBins(),
    bands: shingleCount === 0 ? new Uint32Array(BAND_COUNT) : bandKeys(),
  };
}

/**
 * The Jaccard coefficient of the two sets of shingles, estimated. Two texts without any shingle are not
 * alike: nothing is known of them.
 */
export function similarity(one: Uint8Array, other: Uint8Array): number {
  let equal = 0;
  let empty = 0;
  for (let at = 0; at < BIN_COUNT; at++) {
    if (one[at] !== other[at]) continue;
    if (one[at] === 0) empty++;
    else equal++;
  }
  if (empty === BIN_COUNT) return 0;
  const share = equal / (BIN_COUNT - empty);
  return Math.max(0, (share - ACCIDENT) / (1 - ACCIDENT));
}

/**
 * The standard error of `similarity` for texts whose coefficient is `value`. The bins that are filled are a
 * sample of the shingles without repetition: a text that has fewer shingles than bins is nearly known in whole.
 */
export function similarityError(value: number, shingleCount: number): number {
  const filled = BIN_COUNT * (1 - Math.exp(-shingleCount / BIN_COUNT));
  const unknown = 1 - filled / shingleCount;
  return Math.sqrt((value * (1 - value) * unknown) / filled);
}

/** In how many of 64 bits two simhashes differ. */
export function simhashDistance(
  one: Pick<Sketch, 'simLow' | 'simHigh'>,
  other: Pick<Sketch, 'simLow' | 'simHigh'>,
): number {
  return popCount(one.simLow ^ other.simLow) + popCount(one.simHigh ^ other.simHigh);
}

/**
 * A hot kernel: hashes the words of a range into `WORDS` from `count` on and returns the new count. The
 * word under way is a running hash, 0 between words; a word ends with its range.
 *
 * Where words end is what a processor cannot foresee, so the inner loop does not branch on it: the hash is
 * stored at every unit, and kept by counting on; at a separator the mask makes it 0. What is rare in most
 * texts is done outside of it: a call in the loop, even one never made, slows it down.
 */
function readWords(start: number, end: number, count: number): number {
  let next = count;
  let word = 0;
  for (let at = start; at < end; at++) {
    let folded: number = Special.separator;
    for (; at < end; at++) {
      folded = FOLDED[UNITS[at]!]!;
      if (folded >= FIRST_SPECIAL) break;
      const inWord = (0 - folded) >> 31;
      WORDS[next] = word;
      next += ((word | (0 - word)) >>> 31) & ~inWord;
      word = Math.imul(word ^ folded, PRIME) & inWord;
    }
    if (folded === Special.unknown) {
      classify(UNITS[at--]!);
    } else if (folded === Special.unspaced) {
      if (word !== 0) WORDS[next++] = word;
      WORDS[next++] = Math.imul(UNITS[at]!, PRIME);
      word = 0;
    }
  }
  if (word !== 0) WORDS[next++] = word;
  return next;
}

/** Turns `WORDS` into the hashes of shingles, in place, and those into least hashes and votes. */
function countShingles(count: number): void {
  LEAST.fill(EMPTY);
  for (let at = 0; at < count; at++) {
    const pair = (Math.imul(WORDS[at]!, 0x9e3779b1) + Math.imul(WORDS[at + 1]!, 0x85ebca77)) | 0;
    const hash = scatter((pair + Math.imul(WORDS[at + 2]!, 0xc2b2ae3d)) | 0);
    const bin = hash >>> BIN_SHIFT;
    const value = hash & VALUE_MASK;
    if (value < LEAST[bin]!) LEAST[bin] = value;
    WORDS[at] = hash;
  }
  votesLow.recount(WORDS, count);
  for (let at = 0; at < count; at++) WORDS[at] = scatter(WORDS[at]! ^ 0x27d4eb2f);
  votesHigh.recount(WORDS, count);
}

function storedBins(): Uint8Array {
  const bins = new Uint8Array(BIN_COUNT);
  for (let at = 0; at < BIN_COUNT; at++) {
    const least = LEAST[at]!;
    bins[at] = least === EMPTY ? 0 : 1 + (least % 255);
  }
  return bins;
}

function bandKeys(): Uint32Array {
  fillWide();
  const bands = new Uint32Array(BAND_COUNT);
  for (let band = 0; band < BAND_COUNT; band++) {
    let key = scatter(band + 1);
    for (let row = 0; row < BAND_ROWS; row++) key = scatter(key ^ WIDE_LEAST[band * BAND_ROWS + row]!);
    bands[band] = key;
  }
  return bands;
}

/** An empty bin borrows from the next that is not, marked by the distance (Shrivastava and Li). */
function fillWide(): void {
  for (let at = 0; at < WIDE_COUNT; at++) {
    let distance = 0;
    let value = leastOfWide(at);
    while (value === EMPTY) value = leastOfWide((at + ++distance) % WIDE_COUNT);
    WIDE_LEAST[at] = distance === 0 ? value : scatter(value + distance);
  }
}

function leastOfWide(bin: number): number {
  let value = EMPTY;
  for (let at = bin * WIDE; at < (bin + 1) * WIDE; at++) if (LEAST[at]! < value) value = LEAST[at]!;
  return value;
}

/** Every bit of the result depends on every bit of `word`. */
function scatter(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
