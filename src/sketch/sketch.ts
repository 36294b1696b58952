/**
 * The sketch of a text, from which its similarity to another text can be estimated.
 *
 * A text is the set of its shingles, every three words in a row. A kernel hashes them from character codes, without a
 * string or an object per word, and gives
 *
 *   simhash   64 bits, each the majority vote of that bit over all shingles (Charikar): texts that have
 *             much in common differ in few bits
 *   bins      min-hash by one permutation (Li, Owen, Zhang): the first bits of a hash select one of 512
 *             bins, and each bin keeps the least of its hashes, of which 8 bits are stored. The
 *             share of bins that agree, among the bins that at least one text fills, estimates the Jaccard
 *             coefficient of the two sets with a standard error below 0.014 at 0.9
 *   bands     six keys, each of five least hashes over wider bins and of the identity of the page. Texts
 *             with coefficient J share a given key with probability J⁵. If J is 0.9, they share none of the six keys
 *             in one of two hundred cases; dissimilar texts share none. Therefore near duplicates are found by
 *             looking up keys. Pages of different identity (language, title or first heading) share no key
 *
 * Simhash alone would be too coarse a key: at 0.9 it differs in six or seven bits of 64 (decision 20).
 *
 * Files on disk contain these values, so the algorithm must not change without a new version of the files.
 */
import { popCount } from '../base/mod.ts';
import type { Range } from '../page/mod.ts';
import { contentRanges, type IdentifiedPage, identityKey } from './content-ranges.ts';
import { BIN_COUNT, kernel, LEAST, PLANES_AT, UNIT_BYTES, UNITS, WORDS_AT } from './sketch-kernel.ts';
import { classify } from './word-characters.ts';

export { BIN_COUNT };
export const BAND_COUNT = 6;
export const MIN_HASH_BITS = 256;

const EMPTY = 0xffffffff;
const BAND_ROWS = 5;
/**
 * The number of bins that are combined to one wide bin. Bands are made of 30 of the 32 wide bins; the other two
 * are unused.
 */
const WIDE = 16;
/**
 * The probability that two different hashes are stored as the same 8-bit number. There are 255 stored numbers,
 * from 1 to 255.
 */
const ACCIDENT = 1 / 255;

export interface Sketch {
  /** `simLow` and `simHigh` are the two halves of the simhash, as unsigned numbers. */
  simLow: number;
  simHigh: number;
  /** The number of shingles of the text. Repeated shingles count each time. */
  shingleCount: number;
  /** For each bin, 8 bits of its least hash as a number from 1 to 255; 0 if the bin has no shingle. */
  bins: Uint8Array;
  bands: Uint32Array;
}

/** Returns the sketch of the content of a page, with keys that depend on the identity of the page. */
export function sketchOfPage(page: IdentifiedPage): Sketch {
  return sketchOf(page.text, contentRanges(page), identityKey(page));
}

/**
 * Returns the sketch of a text. If `ranges` are given, only the text in them is used, as if the ranges were
 * adjacent.
 */
export function sketchOf(
  text: string,
  ranges: readonly Readonly<Range>[] = [[0, text.length]],
  identity = 0,
): Sketch {
  const shingleCount = readShingles(text, ranges);
  const simLow = vote(shingleCount);
  kernel.rehash(shingleCount);
  return {
    simLow,
    simHigh: vote(shingleCount),
    shingleCount,
    bins: storedBins(),
    bands: shingleCount === 0 ? new Uint32Array(BAND_COUNT) : bandKeys(identity),
  };
}

/**
 * Returns a smaller sketch of the text: for each of MIN_HASH_BITS bins one bit of its least hash (b-bit
 * min-hash of Li and König, with one bit). Two texts with the Jaccard coefficient J differ in a share of (1 -
 * J) / 2 of the bits.
 */
export function minHashBits(
  text: string,
  ranges: readonly Readonly<Range>[],
): { bits: Uint32Array; shingleCount: number } {
  const shingleCount = readShingles(text, ranges);
  const bits = new Uint32Array(MIN_HASH_BITS / 32);
  if (shingleCount > 0) {
    for (const [at, least] of densify(BIN_COUNT / MIN_HASH_BITS).entries())
      bits[at >> 5]! |= (scatter(least) & 1) << (at & 31);
  }
  return { bits, shingleCount };
}

/**
 * Estimates the Jaccard coefficient of the shingles of two texts from the bins of their sketches. Returns 0
 * for two texts without shingles.
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
 * Returns the standard error of `similarity` for texts whose Jaccard coefficient is `value`. The bins are a
 * sample of the shingles without replacement. For a text with few shingles, the sample has nearly all of them,
 * so the error is small.
 */
export function similarityError(value: number, shingleCount: number): number {
  const filled = BIN_COUNT * (1 - Math.exp(-shingleCount / BIN_COUNT));
  const unknown = 1 - filled / shingleCount;
  return Math.sqrt((value * (1 - value) * unknown) / filled);
}

/** Returns the number of bits, out of 64, in which two simhashes differ. */
export function simhashDistance(
  one: Pick<Sketch, 'simLow' | 'simHigh'>,
  other: Pick<Sketch, 'simLow' | 'simHigh'>,
): number {
  return popCount(one.simLow ^ other.simLow) + popCount(one.simHigh ^ other.simHigh);
}

/**
 * Hashes the shingles of a text. Fills the array LEAST with the least hash of each bin, and returns the number
 * of shingles.
 */
function readShingles(text: string, ranges: readonly Readonly<Range>[]): number {
  const length = UNIT_BYTES.write(text, 'utf16le') >> 1;
  let wordCount = 0;
  for (const [start, end] of ranges) wordCount = readWords(start, Math.min(end, length), wordCount);
  const shingleCount = Math.max(0, wordCount - 2);
  LEAST.fill(EMPTY);
  kernel.makeShingles(shingleCount);
  return shingleCount;
}

/**
 * Hashes the words of a range of the text, stores the hashes from index `count` on, and returns the new count.
 */
function readWords(start: number, end: number, count: number): number {
  let next = count;
  for (let at = start; at < end; ) {
    next = kernel.readWords(at, end, next);
    at = kernel.stoppedAt();
    if (at < end) classify(UNITS[at]!);
  }
  return next;
}

/** Returns a 32-bit number: each bit is the majority vote of this bit over all shingle hashes. */
function vote(shingleCount: number): number {
  kernel.countVotes(WORDS_AT, shingleCount, PLANES_AT);
  return kernel.majority(shingleCount, PLANES_AT) >>> 0;
}

function storedBins(): Uint8Array {
  const bins = new Uint8Array(BIN_COUNT);
  for (let at = 0; at < BIN_COUNT; at++) {
    const least = LEAST[at]!;
    bins[at] = least === EMPTY ? 0 : 1 + (least % 255);
  }
  return bins;
}

function bandKeys(identity: number): Uint32Array {
  const wide = densify(WIDE);
  const bands = new Uint32Array(BAND_COUNT);
  for (let band = 0; band < BAND_COUNT; band++) {
    let key = scatter((band + 1) ^ identity);
    for (let row = 0; row < BAND_ROWS; row++) key = scatter(key ^ wide[band * BAND_ROWS + row]!);
    bands[band] = key;
  }
  return bands;
}

/**
 * Returns the least hashes of wider bins, each of `width` bins. An empty wider bin gets the value of the next wider bin
 * that is not empty, mixed with the distance between the two bins (Shrivastava and Li). At least one bin is not empty.
 */
function densify(width: number): Uint32Array {
  const count = BIN_COUNT / width;
  const leasts = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    let distance = 0;
    let value = leastOf(at, width);
    while (value === EMPTY) value = leastOf((at + ++distance) % count, width);
    leasts[at] = distance === 0 ? value : scatter(value + distance);
  }
  return leasts;
}

function leastOf(bin: number, width: number): number {
  let value = EMPTY;
  for (let at = bin * width; at < (bin + 1) * width; at++) if (LEAST[at]! < value) value = LEAST[at]!;
  return value;
}

/** Mixes the bits of a word, so that every bit of the result depends on every bit of `word`. */
function scatter(word: number): number {
  let h = word | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
