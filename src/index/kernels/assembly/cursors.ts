/**
 * The cursors of a query. A cursor reads one list of postings, and keeps the block that was decoded last.
 *
 * Documents are read in ranges of 64. A cursor returns which documents of a range are in its list, and then the
 * frequency and the places of single documents. Ranges may be requested in any order; a range next to the last
 * one is read fastest.
 */
import { BITS, BLOCKS, decode, FREQUENCIES, LASTS, POSITIONS, POSITIONS_FULL, RANKS, STARTS } from './lists';
import { end, skip, unpack, varint } from './unpack';

/** Byte offsets of the values of a cursor. `LIST` is the address of its postings list. */
export const LIST: usize = 0;
const BLOCK: usize = 4;
/**
 * The factor for the scores of a postings list: the inverse document frequency of the word, times the weight of
 * the list.
 */
export const SCALE: usize = 8;
/**
 * `MASS` is the part of the query's total weight that a document gets if it is in this postings list. `WORD` is
 * the number of the query word to which the list belongs.
 */
export const MASS: usize = 16;
export const WORD: usize = 24;
const COUNT: usize = 28;
/**
 * The number of the block of documents that was decoded last, or -1 before the first block. `PLACES_OF` and
 * `FORMS_OF` are the same for the blocks of places and of form numbers.
 */
const DECODED: usize = 32;
export const PLACES_OF: usize = 36;
const FORMS_OF: usize = 40;
/**
 * The range of 64 documents that was requested last, or -1. `FIRST` is the index of the first posting in this
 * range.
 */
const RANGE: usize = 44;
const FIRST: usize = 48;
/**
 * The address of the maximum scores of the postings list: one byte for each range of 64 documents, beginning
 * with the first range that is searched. See bounds.ts.
 */
export const TABLE: usize = 52;
const HELD: usize = 56;
/** The maximum score that the postings list can add to a document of the current range. */
export const RANGE_MAXIMUM: usize = 64;
/** 1 if a document matches only if it has the word of this postings list, otherwise 0. */
export const REQUIRED: usize = 72;
/**
 * The address of the mask: a bitmap of the documents for which the postings list is used, such as those of one
 * language. It is 0 if the list is used for all documents.
 */
export const MASK: usize = 76;
/**
 * A bit set of the 64 documents of the current range: the bits of documents in both the postings list and its
 * mask are set.
 */
const COUNTED: usize = 80;
const BUFFERS: usize = 96;

/**
 * Byte offset of the buffer for the decoded numbers of 128 documents, followed by room for 16 sentinels.
 * Buffers for 128 frequencies, places and form numbers follow.
 */
const DOC_BUFFER: usize = BUFFERS;
const FREQUENCY_BUFFER: usize = DOC_BUFFER + 576;
export const PLACE_BUFFER: usize = FREQUENCY_BUFFER + 512;
export const FORM_BUFFER: usize = PLACE_BUFFER + 512;
/**
 * Byte offset of the buffer for the frequencies of the documents in the current range. It is used for postings
 * lists in packed blocks, not for bitmaps.
 */
const RANGE_BUFFER: usize = FORM_BUFFER + 512;
export const CURSOR_BYTES: usize = RANGE_BUFFER + 256;

export const NO_MORE: u32 = 0x7fffffff;
/** A bit set that accepts all forms of a term, even those whose form number is too high for the 64 bits. */
export const ALL_FORMS: u64 = -1;

export function open(cursor: usize): void {
  store<u32>(cursor, 0, BLOCK);
  store<i32>(cursor, -1, DECODED);
  store<i32>(cursor, -1, PLACES_OF);
  store<i32>(cursor, -1, FORMS_OF);
  store<i32>(cursor, -1, RANGE);
  store<u32>(cursor, 0, REQUIRED);
}

/**
 * Returns a bit set of the 64 documents of a range: the bits of documents in both the postings list and its
 * mask are set.
 */
export function docsIn(cursor: usize, range: u32): u64 {
  if (load<u32>(cursor, RANGE) === range) return load<u64>(cursor, COUNTED);
  const list: usize = load<u32>(cursor, LIST);
  const bits: usize = load<u32>(list, BITS);
  let held: u64 = 0;
  if (bits !== 0) {
    held = load<u64>(bits + ((<usize>range) << 3));
    store<u32>(cursor, load<u32>(<usize>load<u32>(list, RANKS) + ((<usize>range) << 2)), FIRST);
  } else {
    held = gather(cursor, list, range << 6);
  }
  const mask: usize = load<u32>(cursor, MASK);
  const counted = mask === 0 ? held : held & load<u64>(mask + ((<usize>range) << 3));
  store<u32>(cursor, range, RANGE);
  store<u64>(cursor, held, HELD);
  store<u64>(cursor, counted, COUNTED);
  return counted;
}

/**
 * Returns true if a document is in both the postings list and its mask. `bit` is the index of the document,
 * from 0 to 63, in the range that was requested last.
 */
export function holds(cursor: usize, bit: u32): bool {
  return ((load<u64>(cursor, COUNTED) >> bit) & 1) !== 0;
}

/**
 * Returns the frequency of the term in a document. `bit` (0 to 63) is the index of the document in the range of 64
 * documents that was requested last. The document must be in the postings list.
 */
export function frequencyAt(cursor: usize, bit: u32): u32 {
  const frequencies: usize = load<u32>(<usize>load<u32>(cursor, LIST), FREQUENCIES);
  const before = heldBefore(cursor, bit);
  return frequencies === 0
    ? load<u32>(cursor + (before << 2), RANGE_BUFFER)
    : <u32>load<u16>(frequencies + ((<usize>load<u32>(cursor, FIRST) + before) << 1));
}

function heldBefore(cursor: usize, bit: u32): usize {
  return <usize>popcnt(load<u64>(cursor, HELD) & (((<u64>1) << bit) - 1));
}

/** Returns the first document of a packed postings list whose number is at least `target`, or `NO_MORE`. */
export function nextDoc(cursor: usize, target: u32): u32 {
  const list: usize = load<u32>(cursor, LIST);
  if (!seekBlock(cursor, list, target)) return NO_MORE;
  loadBlock(cursor, list, load<u32>(cursor, BLOCK));
  return docAt(cursor, indexOf(cursor, target));
}

/**
 * Returns a bit set of the 64 documents that begin with document `from`: the bits of documents in the postings
 * list are set. Writes the frequencies of these documents to the range buffer.
 */
function gather(cursor: usize, list: usize, from: u32): u64 {
  if (!seekBlock(cursor, list, from)) return 0;
  const blocks = load<u32>(list, BLOCKS);
  let block = load<u32>(cursor, BLOCK);
  loadBlock(cursor, list, block);
  let index = indexOf(cursor, from);
  store<u32>(cursor, (block << 7) + index, FIRST);
  let bits: u64 = 0;
  let to = cursor + RANGE_BUFFER;
  for (let doc = docAt(cursor, index); doc - from < 64; doc = docAt(cursor, index)) {
    bits |= (<u64>1) << (doc - from);
    store<u32>(to, load<u32>(cursor + (index << 2), FREQUENCY_BUFFER));
    to += 4;
    if (++index < load<u32>(cursor, COUNT)) continue;
    if (++block === blocks) break;
    store<u32>(cursor, block, BLOCK);
    loadBlock(cursor, list, block);
    index = 0;
  }
  return bits;
}

/**
 * Returns the index, in the decoded block, of the first document whose number is at least `target`. Such a
 * document must exist.
 */
function indexOf(cursor: usize, target: u32): u32 {
  let index: u32 = 0;
  while (docAt(cursor, index + 8) < target) index += 8;
  while (docAt(cursor, index) < target) index++;
  return index;
}

function lastOf(list: usize, block: u32): u32 {
  return load<u32>(<usize>load<u32>(list, LASTS) + (block << 2));
}

function docAt(cursor: usize, index: u32): u32 {
  return load<u32>(cursor + (index << 2), DOC_BUFFER);
}

function loadBlock(cursor: usize, list: usize, block: u32): void {
  if (load<u32>(cursor, DECODED) === block) return;
  const before: u32 = block === 0 ? -1 : lastOf(list, block - 1);
  const docs = cursor + DOC_BUFFER;
  const count = decode(list, block, before, docs, cursor + FREQUENCY_BUFFER, 0);
  memory.fill(docs + (count << 2), 0x7f, 64);
  store<u32>(cursor, block, DECODED);
  store<u32>(cursor, count, COUNT);
}

/**
 * Moves the cursor to the block that may contain the document `target`. Returns false if all blocks end before
 * this document.
 */
function seekBlock(cursor: usize, list: usize, target: u32): bool {
  const blocks = load<u32>(list, BLOCKS);
  let block = load<u32>(cursor, BLOCK);
  if (block > 0 && lastOf(list, block - 1) >= target) block = 0;
  if (block < blocks && lastOf(list, block) < target) {
    let step: u32 = 1;
    while (block + step < blocks && lastOf(list, block + step) < target) {
      block += step;
      step <<= 1;
    }
    for (; step > 0; step >>= 1) {
      if (block + step < blocks && lastOf(list, block + step) < target) block += step;
    }
    block++;
  }
  store<u32>(cursor, block, BLOCK);
  return block < blocks;
}

/**
 * Returns the number of occurrences of the term in a document. `bit` is the index of the document in the
 * current range.
 */
export function placeCount(cursor: usize, bit: u32): u32 {
  const start = startOf(cursor, bit);
  return load<u32>(start, 4) - load<u32>(start);
}

/**
 * Returns the address of a document's entry in the table `STARTS`. The entry is the index of the document's
 * first occurrence among all occurrences of the term. The next entry belongs to the next document of the
 * postings list.
 */
export function startOf(cursor: usize, bit: u32): usize {
  const starts: usize = load<u32>(<usize>load<u32>(cursor, LIST), STARTS);
  return starts + ((<usize>load<u32>(cursor, FIRST) + heldBefore(cursor, bit)) << 2);
}

/**
 * Writes the positions of the term in a document, each minus `offset`, to the address `to`. Returns the number
 * of positions. `bit` is the index of the document in the current range. Only occurrences whose word form is in
 * the bit set `forms` are written. For a term with a single form, all bits or no bits must be set.
 */
export function writePositions(cursor: usize, bit: u32, to: usize, offset: u32, forms: u64): u32 {
  if (forms === 0) return 0;
  const list: usize = load<u32>(cursor, LIST);
  const start = startOf(cursor, bit);
  let place = load<u32>(start);
  let rest = load<u32>(start, 4) - place;
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

/**
 * Checks positions at which a phrase may start. `wanted` is the address of `count` ascending positions. Keeps
 * a position n only if the term occurs at the position n + `offset` of the document. Returns the number of
 * positions that are kept. Stops reading as early as possible.
 */
export function confirmPositions(cursor: usize, bit: u32, offset: u32, wanted: usize, count: u32): u32 {
  const list: usize = load<u32>(cursor, LIST);
  const start = startOf(cursor, bit);
  const last = wanted + ((<usize>count) << 2);
  let place = load<u32>(start);
  let rest = load<u32>(start, 4) - place;
  let position: i32 = -(<i32>offset);
  let out = wanted;
  let at = wanted;
  let next = load<i32>(at);
  while (rest > 0) {
    const block = place >> 7;
    const run = min(rest, 128 - (place & 127));
    if (load<u32>(cursor, PLACES_OF) !== block) loadPlaces(cursor, list, block);
    const first = cursor + PLACE_BUFFER + ((<usize>place & 127) << 2);
    const end = first + ((<usize>run) << 2);
    for (let from = first; from < end; from += 4) {
      position += load<i32>(from);
      if (position < next) continue;
      while (next < position) {
        at += 4;
        if (at === last) return <u32>(out - wanted) >> 2;
        next = load<i32>(at);
      }
      if (next !== position) continue;
      store<i32>(out, next);
      out += 4;
    }
    place += run;
    rest -= run;
  }
  return <u32>(out - wanted) >> 2;
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

/**
 * Decodes the form numbers of a full block of 128 occurrences. They are stored after the position gaps and
 * fields of the block. For the last, shorter block of a postings list, form numbers are decoded together with
 * positions and fields.
 */
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
