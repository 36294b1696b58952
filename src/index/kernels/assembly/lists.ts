/**
 * A list of postings that lies in memory, with what it takes to leap over its blocks.
 *
 * Per block, the last shorter one included: its last document, where its body begins, how many places come
 * before it, whether it is mixed, and its maximum: the best that any of its documents can have, without the
 * factor of the term's rarity. `../../resident-lists.ts` lays the structures out; offsets here and there agree.
 */
import { addOne, end, skip, sumGaps, unpack, varint } from './unpack';

/** Offsets of a list. */
export const DOCS: usize = 0;
export const FULL: usize = 4;
export const BLOCKS: usize = 8;
export const LASTS: usize = 12;
export const BODIES: usize = 16;
export const MAXIMA: usize = 20;
export const PLACES_BEFORE: usize = 24;
export const MIXED: usize = 28;
export const LIVE: usize = 32;
export const MAXIMUM: usize = 40;
/** The weight that the 10th, 100th, 200th and 1000th best live document has at least. */
export const BEST: usize = 48;
export const POSITIONS: usize = 80;
export const POSITIONS_FULL: usize = 84;
/** How many places the list has. */
export const PLACES: usize = 88;

/** Offsets of a segment. */
export const NORMS: usize = 0;
export const STATICS: usize = 4;
export const FINGERPRINTS: usize = 8;
export const DELETES: usize = 12;
export const STATIC_MAXIMA: usize = 16;

const BINS: u32 = 1024;

let histogram: usize = 0;
let k1PlusOne: f64 = 0;

/** `scratch` has room for 4096 bytes. */
export function setUp(scratch: usize, k1: f64): void {
  histogram = scratch;
  k1PlusOne = k1 + 1;
}

/** What a term adds to a score; `idf` is 1 for a maximum. The operations and their order are those of rank/. */
export function termScore(idf: f64, frequency: u32, norm: f64): f64 {
  const weight = <f64>frequency / 4;
  return (idf * weight * k1PlusOne) / (weight + norm);
}

export function isDeleted(segment: usize, doc: u32): bool {
  const deletes: usize = load<u32>(segment, DELETES);
  return deletes !== 0 && (load<u8>(deletes + (doc >> 3)) & (1 << (doc & 7))) !== 0;
}

/**
 * Fills the tables of a list whose counts and pointers are set. `bytes` is where its postings begin; `docs` and
 * `frequencies` are buffers of 128 numbers.
 */
export function prepare(list: usize, bytes: usize, segment: usize, docs: usize, frequencies: usize): void {
  memory.fill(histogram, 0, BINS * 4);
  const blocks = load<u32>(list, BLOCKS);
  const full = load<u32>(list, FULL);
  let at = bytes;
  let before: u32 = -1;
  let places: u32 = 0;
  let live: u32 = 0;
  let maximum: f64 = 0;
  for (let block: u32 = 0; block < blocks; block++) {
    const slot: usize = block << 2;
    store<u32>(<usize>load<u32>(list, PLACES_BEFORE) + slot, places);
    let body: u32 = 0;
    if (block < full) {
      store<u32>(<usize>load<u32>(list, LASTS) + slot, before + varint(at));
      body = varint(end);
      places += varint(end);
    }
    if (full > 0) {
      varint(block < full ? end : at);
      at = end;
    }
    store<u8>(<usize>load<u32>(list, MIXED) + block, <u8>(body & 1));
    store<u32>(<usize>load<u32>(list, BODIES) + slot, <u32>at);
    const count = decode(list, block, before, docs, frequencies, 0);
    if (block >= full) places += placesOfLast;
    before = load<u32>(docs + ((count - 1) << 2));
    store<u32>(<usize>load<u32>(list, LASTS) + slot, before);
    live += weigh(segment, docs, frequencies, count);
    store<f64>(<usize>load<u32>(list, MAXIMA) + (slot << 1), blockMaximum);
    maximum = max(maximum, blockMaximum);
    at += body >> 1;
  }
  store<u32>(list, live, LIVE);
  store<u32>(list, places, PLACES);
  store<f64>(list, maximum, MAXIMUM);
  storeBest(list);
}

/**
 * Decodes a block into documents and frequencies, and its places per document if `counts` is not 0; returns how
 * many documents it has. `before` is the last document of the block before.
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

/** The frequencies of a full block; `at` is where its documents end. */
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

/** Where the documents of a full block end. */
export function frequenciesAt(list: usize, block: u32): usize {
  skip(<usize>load<u32>(<usize>load<u32>(list, BODIES) + (block << 2)));
  return end;
}

let placesOfLast: u32 = 0;

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
  placesOfLast = 0;
  for (let slot: usize = 0; slot < <usize>(count << 2); slot += 4) {
    const code = varint(at);
    at = end;
    doc += (code >> 1) + 1;
    let places: u32 = 1;
    let frequency: u32 = 4;
    if (code & 1) {
      places = varint(at) + 1;
      frequency = 3 * places + varint(end);
      at = end;
    }
    placesOfLast += places;
    store<u32>(docs + slot, doc);
    store<u32>(frequencies + slot, frequency);
    if (counts !== 0) store<u32>(counts + slot, places);
  }
  return count;
}

let blockMaximum: f64 = 0;

/** Counts the live documents of a block, and finds the best of them. */
function weigh(segment: usize, docs: usize, frequencies: usize, count: u32): u32 {
  const norms: usize = load<u32>(segment, NORMS);
  let live: u32 = 0;
  blockMaximum = 0;
  for (let slot: usize = 0; slot < <usize>(count << 2); slot += 4) {
    const doc = load<u32>(docs + slot);
    if (isDeleted(segment, doc)) continue;
    live++;
    const weight = termScore(1, load<u32>(frequencies + slot), load<f64>(norms + ((<usize>doc) << 3)));
    blockMaximum = max(blockMaximum, weight);
    const bin = histogram + ((<usize>min(BINS - 1, <u32>((weight / k1PlusOne) * BINS))) << 2);
    store<u32>(bin, load<u32>(bin) + 1);
  }
  return live;
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

/** The ranks that `BEST` tells about. */
export function rankOf(index: u32): u32 {
  return index === 0 ? 10 : index === 1 ? 100 : index === 2 ? 200 : 1000;
}
