/**
 * For the second stage of scoring: reads the frequency, fields and positions of a term in given documents.
 * Documents must be given in ascending order.
 *
 *   The output is a record for each document, of u32 numbers:
 *     number       index of the document among the given ones
 *     frequency    weighted frequency, in quarters of a word of body text
 *     typed        number of occurrences that have one of the given forms
 *     counts[8]    number of occurrences in each field
 *     count        number of positions that follow
 *     positions[]  of the term in the document, ascending
 */
import {
  docsIn,
  FORM_BUFFER,
  frequencyAt,
  hasForm,
  holds,
  LIST,
  MASK,
  open,
  PLACE_BUFFER,
  PLACES_OF,
  placeCount,
  placesAt,
  startOf,
} from './cursors';
import { POSITIONS_FULL } from './lists';
import { cursorOf } from './query';
import { end, unpack, varint } from './unpack';

/** Byte offsets of the values in an output record. */
const FREQUENCY: usize = 4;
const TYPED: usize = 8;
const COUNTS: usize = 12;
const COUNT: usize = 44;
const POSITIONS: usize = 48;

/**
 * The address of a buffer of 128 numbers: the fields of the 128 occurrences in the block that was decoded last.
 */
let fields: usize = 0;

/** The address after the last output record. */
let recordsEnd: usize = 0;

export function chosenEnd(): usize {
  return recordsEnd;
}

/**
 * Opens a postings list, which `chosenFrequencies` and `chosenPlaces` then read. `fieldsAt` is the address of a
 * buffer for 128 numbers.
 */
export function openChosen(list: usize, fieldsAt: usize): void {
  fields = fieldsAt;
  const cursor = cursorOf(0);
  store<u32>(cursor, <u32>list, LIST);
  store<u32>(cursor, 0, MASK);
  open(cursor);
}

/** Writes the frequency of the term in each of `count` documents; 0 for documents that do not have the term. */
export function chosenFrequencies(docs: usize, count: u32, out: usize): void {
  const cursor = cursorOf(0);
  for (let number: u32 = 0; number < count; number++) {
    const doc = load<u32>(docs + (number << 2));
    store<u32>(out + (number << 2), has(cursor, doc) ? frequencyAt(cursor, doc & 63) : 0);
  }
}

function has(cursor: usize, doc: u32): bool {
  docsIn(cursor, doc >> 6);
  return holds(cursor, doc & 63);
}

/**
 * Writes the output records of the given documents, beginning with the document at the index `from` of `count`,
 * until the output buffer is full. Each record gets at most `limit` positions. Returns the index of the first
 * document that did not fit. `forms` is a bit set of the word forms that count as typed by the user. For a term
 * with a single form, all bits or no bits must be set.
 */
export function chosenPlaces(
  docs: usize,
  from: u32,
  count: u32,
  limit: u32,
  forms: u64,
  out: usize,
  outEnd: usize,
): u32 {
  const cursor = cursorOf(0);
  let at = out;
  for (let number = from; number < count; number++) {
    const doc = load<u32>(docs + (number << 2));
    if (!has(cursor, doc)) continue;
    const places = min(limit, placeCount(cursor, doc & 63));
    if (at + POSITIONS + ((<usize>places) << 2) > outEnd) {
      recordsEnd = at;
      return number;
    }
    store<u32>(at, number);
    store<u32>(at, frequencyAt(cursor, doc & 63), FREQUENCY);
    writeRecord(cursor, doc & 63, at, places, forms);
    at += POSITIONS + ((<usize>places) << 2);
  }
  recordsEnd = at;
  return count;
}

function writeRecord(cursor: usize, bit: u32, record: usize, places: u32, forms: u64): void {
  const list: usize = load<u32>(cursor, LIST);
  const isAsked = forms !== 0 && forms !== <u64>-1;
  let place = load<u32>(startOf(cursor, bit));
  let position: u32 = 0;
  let typed: u32 = 0;
  memory.fill(record + COUNTS, 0, COUNT - COUNTS);
  for (let written: u32 = 0; written < places; written++, place++) {
    if (load<u32>(cursor, PLACES_OF) !== place >> 7) loadPlaces(cursor, list, place >> 7, isAsked);
    const slot = (<usize>place & 127) << 2;
    position += load<u32>(cursor + slot, PLACE_BUFFER);
    const field = record + COUNTS + ((<usize>load<u32>(fields + slot)) << 2);
    store<u32>(field, load<u32>(field) + 1);
    if (isAsked && hasForm(forms, load<u32>(cursor + slot, FORM_BUFFER))) typed++;
    store<u32>(record + POSITIONS + ((<usize>written) << 2), position);
  }
  store<u32>(record, forms === <u64>-1 ? places : typed, TYPED);
  store<u32>(record, places, COUNT);
}

/** Decodes a block of 128 occurrences: the position gaps, the fields and, if `wantsForms`, the form numbers. */
function loadPlaces(cursor: usize, list: usize, block: u32, wantsForms: bool): void {
  store<u32>(cursor, block, PLACES_OF);
  if (block >= load<u32>(list, POSITIONS_FULL)) {
    loadLastPlaces(placesAt(list, block), placesAt(list, block + 1), cursor);
    return;
  }
  unpack(placesAt(list, block), cursor + PLACE_BUFFER);
  unpack(end, fields);
  if (wantsForms) unpack(end, cursor + FORM_BUFFER);
}

function loadLastPlaces(from: usize, to: usize, cursor: usize): void {
  let at = from;
  for (let slot: usize = 0; at < to; slot += 4) {
    const code = varint(at);
    const kind: u32 = code & 1 ? varint(end) : 0;
    at = end;
    store<u32>(cursor + slot, code >> 1, PLACE_BUFFER);
    store<u32>(cursor + slot, kind >> 3, FORM_BUFFER);
    store<u32>(fields + slot, kind & 7);
  }
}
