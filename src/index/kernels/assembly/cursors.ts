/**
 * Where a query stands in each of its lists: a cursor per list, with buffers for the block it decoded last.
 *
 * A cursor's `BLOCK` never goes back. Its documents are decoded when they are asked for, its frequencies later
 * still: most documents that are looked at are dismissed by then.
 */
import {
  BLOCKS,
  BODIES,
  decode,
  decodeFrequencies,
  FULL,
  frequenciesAt,
  LASTS,
  PLACES_BEFORE,
  POSITIONS,
  POSITIONS_FULL,
} from './lists';
import { end, skip, sumGaps, unpack, varint } from './unpack';

/** Offsets of a cursor. */
export const LIST: usize = 0;
export const BLOCK: usize = 4;
/** By what the scores of the list are multiplied: the rarity of its word, times the weight of the list. */
export const SCALE: usize = 8;
export const WINDOW_MAXIMUM: usize = 16;
export const INDEX: usize = 24;
export const COUNT: usize = 28;
/** Which block is decoded: its documents, frequencies, counts of places, and which blocks of places and forms; or -1. */
export const DECODED: usize = 32;
const FREQUENCIES_OF: usize = 36;
const COUNTS_OF: usize = 40;
export const PLACES_OF: usize = 44;
const FREQUENCIES_AT: usize = 48;
/** Which word the list belongs to, and how much of the query a document has by it. */
export const WORD: usize = 52;
export const MASS: usize = 56;
const FORMS_OF: usize = 64;
export const BUFFERS: usize = 80;

/** Buffers: 128 numbers each, the documents with room for 16 sentinels behind them. */
const DOC_BUFFER: usize = BUFFERS;
const FREQUENCY_BUFFER: usize = DOC_BUFFER + 576;
const COUNT_BUFFER: usize = FREQUENCY_BUFFER + 512;
export const PLACE_BUFFER: usize = COUNT_BUFFER + 512;
export const FORM_BUFFER: usize = PLACE_BUFFER + 512;
/** Per document of a window, its frequency. */
export const WINDOW_BUFFER: usize = FORM_BUFFER + 512;
export const CURSOR_BYTES: usize = WINDOW_BUFFER + 4096;

export const NO_MORE: u32 = 0x7fffffff;
/** As bits of forms: whichever it is, also those that have no bit. */
export const ALL_FORMS: u64 = -1;

export function open(cursor: usize): void {
  store<u32>(cursor, 0, BLOCK);
  store<u32>(cursor, 0, INDEX);
  store<i32>(cursor, -1, DECODED);
  store<i32>(cursor, -1, FREQUENCIES_OF);
  store<i32>(cursor, -1, COUNTS_OF);
  store<i32>(cursor, -1, PLACES_OF);
  store<i32>(cursor, -1, FORMS_OF);
}

export function lastOf(list: usize, block: u32): u32 {
  return load<u32>(<usize>load<u32>(list, LASTS) + (block << 2));
}

export function docAt(cursor: usize, index: u32): u32 {
  return load<u32>(cursor + (index << 2), DOC_BUFFER);
}

/** Decodes the documents of the cursor's block. */
export function load128(cursor: usize): void {
  const block = load<u32>(cursor, BLOCK);
  if (load<u32>(cursor, DECODED) === block) return;
  const list: usize = load<u32>(cursor, LIST);
  const before: u32 = block === 0 ? -1 : lastOf(list, block - 1);
  const docs = cursor + DOC_BUFFER;
  let count: u32 = 128;
  if (block < load<u32>(list, FULL)) {
    unpack(<usize>load<u32>(<usize>load<u32>(list, BODIES) + (block << 2)), docs);
    store<u32>(cursor, <u32>end, FREQUENCIES_AT);
    sumGaps(docs, before);
  } else {
    count = decode(list, block, before, docs, cursor + FREQUENCY_BUFFER, cursor + COUNT_BUFFER);
    store<u32>(cursor, block, FREQUENCIES_OF);
    store<u32>(cursor, block, COUNTS_OF);
  }
  memory.fill(docs + (count << 2), 0x7f, 64);
  store<u32>(cursor, block, DECODED);
  store<u32>(cursor, count, COUNT);
  store<u32>(cursor, 0, INDEX);
}

/** Moves to the first document that is not before `target` and returns it, or `NO_MORE`. */
export function seek(cursor: usize, target: u32): u32 {
  if (!seekBlock(cursor, target)) return NO_MORE;
  load128(cursor);
  let index = load<u32>(cursor, INDEX);
  while (docAt(cursor, index + 8) < target) index += 8;
  while (docAt(cursor, index) < target) index++;
  store<u32>(cursor, index, INDEX);
  return docAt(cursor, index);
}

/** Moves to the block that may have `target`; false if there is none. */
export function seekBlock(cursor: usize, target: u32): bool {
  const list: usize = load<u32>(cursor, LIST);
  const blocks = load<u32>(list, BLOCKS);
  let block = load<u32>(cursor, BLOCK);
  if (block < blocks && lastOf(list, block) >= target) return true;
  let step: u32 = 1;
  while (block + step < blocks && lastOf(list, block + step) < target) {
    block += step;
    step <<= 1;
  }
  for (; step > 0; step >>= 1) {
    if (block + step < blocks && lastOf(list, block + step) < target) block += step;
  }
  block = min(blocks, block + 1);
  store<u32>(cursor, block, BLOCK);
  return block < blocks;
}

/** The frequency in the current document. */
export function frequency(cursor: usize): u32 {
  loadFrequencies(cursor);
  return frequencyAt(cursor, load<u32>(cursor, INDEX));
}

export function frequencyAt(cursor: usize, index: u32): u32 {
  return load<u32>(cursor + (index << 2), FREQUENCY_BUFFER);
}

export function loadFrequencies(cursor: usize): void {
  const block = load<u32>(cursor, DECODED);
  if (load<u32>(cursor, FREQUENCIES_OF) === block) return;
  const list: usize = load<u32>(cursor, LIST);
  decodeFrequencies(list, block, load<u32>(cursor, FREQUENCIES_AT), cursor + FREQUENCY_BUFFER, 0);
  store<u32>(cursor, block, FREQUENCIES_OF);
}

function loadCounts(cursor: usize): void {
  const block = load<u32>(cursor, DECODED);
  if (load<u32>(cursor, COUNTS_OF) === block) return;
  const list: usize = load<u32>(cursor, LIST);
  const at = frequenciesAt(list, block);
  decodeFrequencies(list, block, at, cursor + FREQUENCY_BUFFER, cursor + COUNT_BUFFER);
  store<u32>(cursor, block, COUNTS_OF);
}

/** How many places the current document has. */
export function placeCount(cursor: usize): u32 {
  loadCounts(cursor);
  return load<u32>(cursor + (load<u32>(cursor, INDEX) << 2), COUNT_BUFFER);
}

/**
 * Writes the positions of the current document's places at `to`, each less `offset`, and returns how many they are. Only
 * those of the forms in `forms` count, a bit each. A list without forms may be asked for all or for none.
 */
export function writePositions(cursor: usize, to: usize, offset: u32, forms: u64): u32 {
  if (forms === 0) return 0;
  const list: usize = load<u32>(cursor, LIST);
  const before = load<u32>(<usize>load<u32>(list, PLACES_BEFORE) + (load<u32>(cursor, DECODED) << 2));
  let rest = placeCount(cursor);
  let place = before + placesBefore(cursor, load<u32>(cursor, INDEX));
  let position: u32 = 0 - offset;
  let out = to;
  while (rest > 0) {
    const block = place >> 7;
    const run = min(rest, 128 - (place & 127));
    const at = cursor + PLACE_BUFFER + ((<usize>place & 127) << 2);
    const last = at + ((<usize>run) << 2);
    if (load<u32>(cursor, PLACES_OF) !== block) loadPlaces(cursor, list, block);
    if (forms === ALL_FORMS) {
      for (let from = at; from < last; from += 4, out += 4) {
        position += load<u32>(from);
        store<u32>(out, position);
      }
    } else {
      if (load<u32>(cursor, FORMS_OF) !== block) loadForms(cursor, list, block);
      for (let from = at; from < last; from += 4) {
        position += load<u32>(from);
        if (!hasForm(forms, load<u32>(from, FORM_BUFFER - PLACE_BUFFER))) continue;
        store<u32>(out, position);
        out += 4;
      }
    }
    place += run;
    rest -= run;
  }
  return <u32>(out - to) >> 2;
}

/** How many places the first so many documents of the block have. */
export function placesBefore(cursor: usize, index: u32): u32 {
  const counts = cursor + COUNT_BUFFER;
  let sums = i32x4.splat(0);
  let at: u32 = 0;
  for (; at + 4 <= index; at += 4) sums = i32x4.add(sums, v128.load(counts + (at << 2)));
  let sum =
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3);
  for (; at < index; at++) sum += load<i32>(counts + (at << 2));
  return <u32>sum;
}

export function hasForm(forms: u64, form: u32): bool {
  return form < 64 && ((forms >> form) & 1) !== 0;
}

export function placesAt(list: usize, block: u32): usize {
  return <usize>load<u32>(<usize>load<u32>(list, POSITIONS) + (block << 2));
}

function loadPlaces(cursor: usize, list: usize, block: u32): void {
  store<u32>(cursor, block, PLACES_OF);
  if (block < load<u32>(list, POSITIONS_FULL)) {
    unpack(placesAt(list, block), cursor + PLACE_BUFFER);
  } else {
    loadLastPlaces(placesAt(list, block), placesAt(list, block + 1), cursor);
    store<u32>(cursor, block, FORMS_OF);
  }
}

/** Of a full block: behind the gaps and the fields. The last block has its forms when it has its places. */
function loadForms(cursor: usize, list: usize, block: u32): void {
  store<u32>(cursor, block, FORMS_OF);
  skip(placesAt(list, block));
  skip(end);
  unpack(end, cursor + FORM_BUFFER);
}

function loadLastPlaces(from: usize, to: usize, cursor: usize): void {
  let at = from;
  for (let i: u32 = 0; at < to; i++) {
    const code = varint(at);
    const kind: u32 = code & 1 ? varint(end) : 0;
    at = end;
    store<u32>(cursor + (i << 2), code >> 1, PLACE_BUFFER);
    store<u32>(cursor + (i << 2), kind >> 3, FORM_BUFFER);
  }
}
