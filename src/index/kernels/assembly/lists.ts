/**
 * Lists of postings in memory. A list has the documents of one term in one segment, with tables to read any 64
 * documents of it.
 *
 * Documents are read in *ranges* of 64, so that the documents of a list in a range are the bits of one number.
 * A list that has many of the segment's documents is stored as a bitmap:
 *
 *   BITS          u64 per range   the documents
 *   RANKS         u32 per range   number of postings before the range
 *   FREQUENCIES   u16 per posting
 *
 * Other lists stay in packed blocks. Tables have, for each block, its last document, the address of its body,
 * and whether it is mixed (postings-format.ts). `MAXIMA` has a byte for each range: the maximum score of the
 * range's live documents, without the factor of the inverse document frequency. It is in units of 1/255 of the
 * highest possible score, rounded up; 0 means that the range has no documents. A list with very few documents
 * has no such table; bounds.ts computes it for each query.
 *
 * `../../postings/postings-load.ts` lays out the structures; its offsets must agree with those here.
 */
import { addOne, end, sumGaps, unpack, varint } from './unpack';

/** Byte offsets of the values in the structure of a postings list. */
export const DOCS: usize = 0;
export const FULL: usize = 4;
export const BLOCKS: usize = 8;
export const LASTS: usize = 12;
export const BODIES: usize = 16;
export const MIXED: usize = 20;
export const MAXIMA: usize = 24;
/** The address of the bitmap of documents; 0 for a postings list that stays in packed blocks. */
export const BITS: usize = 28;
export const RANKS: usize = 32;
export const FREQUENCIES: usize = 36;
export const LIVE: usize = 40;
/**
 * The address of a table with the address of each block of places (occurrences of the term). `POSITIONS_FULL`
 * is the number of blocks with 128 places; the last block has fewer.
 */
export const POSITIONS: usize = 44;
export const POSITIONS_FULL: usize = 48;
/**
 * The address of a table that has, for each posting, the number of places (occurrences of the term) in earlier
 * postings. A last entry has the total. Only lists whose places are in memory have this table.
 */
export const STARTS: usize = 52;
/** The number of places (occurrences of the term) in all documents of the postings list. */
export const PLACES: usize = 56;
/**
 * Four lower bounds for the scores of the list's 10th, 100th, 200th and 1000th best live document, without the
 * factor of the inverse document frequency.
 */
export const BEST: usize = 64;

/** The least weight of an occurrence in any field, as in fields.ts. */
const LEAST_WEIGHT: u32 = 1;

/** Byte offsets in the structure of a segment: each value is the address of a column. */
export const NORMS: usize = 0;
export const STATICS: usize = 4;
export const FINGERPRINTS: usize = 8;
export const DELETES: usize = 12;
export const STATIC_MAXIMA: usize = 16;
export const RANGES: usize = 20;

const BINS: u32 = 1024;
/**
 * A postings list with a frequency of this or more is not stored as a bitmap, because a bitmap list has 16 bits
 * for each frequency.
 */
const TOO_FREQUENT: u32 = 0x10000;

let histogram: usize = 0;
let k1PlusOne: f64 = 0;
/** The score that the value 1 in the bytes of `MAXIMA` represents. */
export let step: f64 = 0;

/** Sets up the scratch memory, which has 4096 bytes, and the BM25 parameter `k1`. */
export function setUp(scratch: usize, k1: f64): void {
  histogram = scratch;
  k1PlusOne = k1 + 1;
  step = k1PlusOne / 255;
}

/**
 * Returns the BM25 score of a term in a document. For tables of maxima, `idf` is 1. The operations and their
 * order are the same as in scoring/, so the results are equal to the last bit.
 */
export function termScore(idf: f64, frequency: u32, norm: f64): f64 {
  const weight = <f64>frequency / 4;
  return (idf * weight * k1PlusOne) / (weight + norm);
}

export function isDeleted(segment: usize, doc: u32): bool {
  const deletes: usize = load<u32>(segment, DELETES);
  return deletes !== 0 && (load<u8>(deletes + (doc >> 3)) & (1 << (doc & 7))) !== 0;
}

/**
 * Fills the tables of a postings list whose counts and addresses are already set. `bytes` is the address of its
 * encoded postings; `docs` and `frequencies` are buffers of 128 numbers. Returns false if the list cannot be
 * stored as a bitmap because a frequency is too high.
 */
export function prepare(list: usize, bytes: usize, segment: usize, docs: usize, frequencies: usize): bool {
  memory.fill(histogram, 0, BINS * 4);
  const lasts: usize = load<u32>(list, LASTS);
  const blocks = load<u32>(list, BLOCKS);
  findBlocks(list, bytes);
  let before: u32 = -1;
  let live: u32 = 0;
  for (let block: u32 = 0; block < blocks; block++) {
    const count = decode(list, block, before, docs, frequencies, 0);
    before = load<u32>(docs + ((count - 1) << 2));
    store<u32>(lasts + (block << 2), before);
    live += weigh(list, segment, docs, frequencies, count);
    if (load<u32>(list, BITS) !== 0 && !spread(list, block << 7, docs, frequencies, count)) return false;
  }
  if (load<u32>(list, BITS) !== 0) rank(list, load<u32>(segment, RANGES));
  store<u32>(list, live, LIVE);
  storeBest(list);
  return true;
}

/**
 * Finds the addresses of the blocks of a postings list, and the last document of each block. For the last
 * block, this document is set later, when the block is decoded.
 */
function findBlocks(list: usize, bytes: usize): void {
  const blocks = load<u32>(list, BLOCKS);
  const full = load<u32>(list, FULL);
  let at = bytes;
  let before: u32 = -1;
  for (let block: u32 = 0; block < blocks; block++) {
    const slot: usize = block << 2;
    let body: u32 = 0;
    if (block < full) {
      before += varint(at);
      body = varint(end);
      varint(end);
    }
    if (full > 0) {
      varint(block < full ? end : at);
      at = end;
    }
    store<u32>(<usize>load<u32>(list, LASTS) + slot, before);
    store<u8>(<usize>load<u32>(list, MIXED) + block, <u8>(body & 1));
    store<u32>(<usize>load<u32>(list, BODIES) + slot, <u32>at);
    at += body >> 1;
  }
}

/**
 * Fills the table `STARTS`: for each posting, the number of places (occurrences of the term) in earlier
 * postings. For a bitmap list, `bytes` is the address of its encoded postings, and the list points to temporary
 * tables of its blocks. Other lists have tables of their blocks, and `bytes` is 0. `docs`, `frequencies` and
 * `counts` are buffers of 128 numbers.
 */
export function countPlaces(list: usize, bytes: usize, docs: usize, frequencies: usize, counts: usize): void {
  if (bytes !== 0) findBlocks(list, bytes);
  const blocks = load<u32>(list, BLOCKS);
  let starts: usize = load<u32>(list, STARTS);
  let places: u32 = 0;
  for (let block: u32 = 0; block < blocks; block++) {
    const count = decode(list, block, 0, docs, frequencies, counts);
    for (let slot: usize = 0; slot < <usize>(count << 2); slot += 4) {
      store<u32>(starts, places);
      places += load<u32>(counts + slot);
      starts += 4;
    }
  }
  store<u32>(starts, places);
  store<u32>(list, places, PLACES);
}

/**
 * Adds the documents and frequencies of a decoded block to a bitmap list. `first` is the index in the list of
 * the block's first posting. Returns false if a frequency is too high for a bitmap list.
 */
function spread(list: usize, first: u32, docs: usize, frequencies: usize, count: u32): bool {
  const bits: usize = load<u32>(list, BITS);
  let to = <usize>load<u32>(list, FREQUENCIES) + (first << 1);
  for (let slot: usize = 0; slot < <usize>(count << 2); slot += 4) {
    const doc = load<u32>(docs + slot);
    const at = bits + ((doc >> 6) << 3);
    const frequency = load<u32>(frequencies + slot);
    if (frequency >= TOO_FREQUENT) return false;
    store<u64>(at, load<u64>(at) | ((<u64>1) << (doc & 63)));
    store<u16>(to, <u16>frequency);
    to += 2;
  }
  return true;
}

function rank(list: usize, ranges: u32): void {
  const bits: usize = load<u32>(list, BITS);
  const ranks: usize = load<u32>(list, RANKS);
  let before: u32 = 0;
  for (let range: u32 = 0; range < ranges; range++) {
    store<u32>(ranks + (range << 2), before);
    before += <u32>popcnt(load<u64>(bits + (range << 3)));
  }
}

/**
 * Decodes the documents and frequencies of a block. If `counts` is not 0, also writes the number of occurrences
 * in each document to this address. Returns the number of documents. `before` is the last document of the
 * previous block.
 */
export function decode(
  list: usize,
  block: u32,
  before: u32,
  docs: usize,
  frequencies: usize,
  counts: usize,
): u32 {
  const body = <usize>load<u32>(<usize>load<u32>(list, BODIES) + (block << 2));
  if (block >= load<u32>(list, FULL)) return decodeLast(list, body, before, docs, frequencies, counts);
  unpack(body, docs);
  sumGaps(docs, before);
  decodeFrequencies(list, block, end, frequencies, counts);
  return 128;
}

/**
 * Decodes the frequencies of a block of 128 postings. `at` is the address after the block's encoded document
 * numbers.
 */
export function decodeFrequencies(
  list: usize,
  block: u32,
  at: usize,
  frequencies: usize,
  counts: usize,
): void {
  const isMixed = load<u8>(<usize>load<u32>(list, MIXED) + block) !== 0;
  unpack(at, frequencies);
  addOne(frequencies, isMixed ? 0 : 2);
  if (counts === 0) return;
  unpack(isMixed ? end : at, counts);
  addOne(counts, 0);
}

function decodeLast(
  list: usize,
  body: usize,
  before: u32,
  docs: usize,
  frequencies: usize,
  counts: usize,
): u32 {
  const count = load<u32>(list, DOCS) - (load<u32>(list, FULL) << 7);
  let doc = before;
  let at = body;
  for (let slot: usize = 0; slot < <usize>(count << 2); slot += 4) {
    const code = varint(at);
    at = end;
    doc += (code >> 1) + 1;
    let places: u32 = 1;
    let frequency: u32 = 4;
    if (code & 1) {
      places = varint(at) + 1;
      frequency = LEAST_WEIGHT * places + varint(end);
      at = end;
    }
    store<u32>(docs + slot, doc);
    store<u32>(frequencies + slot, frequency);
    if (counts !== 0) store<u32>(counts + slot, places);
  }
  return count;
}

/**
 * Adds the scores of the live documents of a block to the histogram of scores and to the list's table of
 * maximum scores. Returns the number of live documents.
 */
function weigh(list: usize, segment: usize, docs: usize, frequencies: usize, count: u32): u32 {
  const norms: usize = load<u32>(segment, NORMS);
  const maxima: usize = load<u32>(list, MAXIMA);
  let live: u32 = 0;
  for (let slot: usize = 0; slot < <usize>(count << 2); slot += 4) {
    const doc = load<u32>(docs + slot);
    if (isDeleted(segment, doc)) continue;
    live++;
    const weight = termScore(1, load<u32>(frequencies + slot), load<f64>(norms + ((<usize>doc) << 3)));
    const bin = histogram + ((<usize>min(BINS - 1, <u32>((weight / k1PlusOne) * BINS))) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
    if (maxima !== 0) raise(maxima + (doc >> 6), weight);
  }
  return live;
}

/**
 * Raises the byte at `at`, an entry of a table of maximum scores, so that it represents at least the score
 * `weight`.
 */
export function raise(at: usize, weight: f64): void {
  const steps = <u8>min(255, ceil(weight / step));
  if (steps > load<u8>(at)) store<u8>(at, steps);
}

function storeBest(list: usize): void {
  let seen: u32 = 0;
  let next: u32 = 0;
  for (let bin: u32 = BINS; bin-- > 0; ) {
    seen += load<u32>(histogram + (bin << 2));
    for (; next < 4 && seen >= rankOf(next); next++) {
      store<f64>(list + (next << 3), (<f64>bin / BINS) * k1PlusOne, BEST);
    }
  }
  for (; next < 4; next++) store<f64>(list + (next << 3), 0, BEST);
}

/** Returns the rank of entry `index` of `BEST`: 10, 100, 200 or 1000. */
export function rankOf(index: u32): u32 {
  return index === 0 ? 10 : index === 1 ? 100 : index === 2 ? 200 : 1000;
}
