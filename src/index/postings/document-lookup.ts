/**
 * Reads the frequencies and places of a term in given documents, from a list of postings in the kernel's
 * memory. The second stage of scoring uses it for the best candidates. Documents must be given in ascending
 * order, at most `MAX_KERNEL_MATCHES`.
 */
import { Field } from '../fields.ts';
import { POSITIONS_BYTES, Scratch, type SearchKernel } from '../kernels/mod.ts';

/** A term's occurrences in one document. */
export interface TermPlaces {
  /** The weighted frequency of the term, in quarters of a word of body text. */
  frequency: number;
  /** The number of occurrences in one of the requested word forms. */
  typed: number;
  /** The number of occurrences in each field, by field number. */
  counts: readonly number[];
  /** The positions of the term in the document, ascending. */
  positions: Uint32Array;
}

/** Offsets in a record that the kernel writes, in 32-bit numbers; assembly/chosen.ts describes the record. */
const FREQUENCY = 1;
const TYPED = 2;
const COUNTS = 3;
const FIELD_COUNT = Object.keys(Field).length;
const COUNT = COUNTS + FIELD_COUNT;
const POSITIONS = COUNT + 1;

/** Returns the weighted frequency of the term in each document; 0 if the document does not have the term. */
export function frequenciesIn(kernel: SearchKernel, list: number, docs: Uint32Array): Uint32Array {
  const outAt = Scratch.best + docs.byteLength;
  choose(kernel, list, docs);
  kernel.calls.chosenFrequencies(Scratch.best, docs.length, outAt);
  return new Uint32Array(kernel.buffer, outAt, docs.length).slice();
}

/**
 * Returns the occurrences of the term in each document; null if the document does not have the term. At most
 * `limit` places per document are read.
 */
export function placesIn(
  kernel: SearchKernel,
  list: number,
  docs: Uint32Array,
  limit: number,
  forms: bigint,
): (TermPlaces | null)[] {
  const places: (TermPlaces | null)[] = new Array(docs.length).fill(null);
  const { calls } = kernel;
  const outEnd = Scratch.positions + POSITIONS_BYTES;
  choose(kernel, list, docs);
  for (let from = 0; from < docs.length; ) {
    from = calls.chosenPlaces(Scratch.best, from, docs.length, limit, forms, Scratch.positions, outEnd);
    const length = (calls.chosenEnd() - Scratch.positions) / 4;
    takeRecords(new Uint32Array(kernel.buffer, Scratch.positions, length).slice(), places);
  }
  return places;
}

/**
 * Passes the documents to the kernel. This overwrites the kernel's memory for matches and phrases, which is
 * free because the query has finished.
 */
function choose({ buffer, calls }: SearchKernel, list: number, docs: Uint32Array): void {
  new Uint32Array(buffer, Scratch.best, docs.length).set(docs);
  calls.startQuery(Scratch.cursors, Scratch.found, 1);
  calls.openChosen(list, Scratch.docs);
}

function takeRecords(records: Uint32Array, places: (TermPlaces | null)[]): void {
  for (let at = 0; at < records.length; ) {
    const end = at + POSITIONS + records[at + COUNT]!;
    const counts = new Array<number>(FIELD_COUNT);
    for (let field = 0; field < FIELD_COUNT; field++) counts[field] = records[at + COUNTS + field]!;
    places[records[at]!] = {
      frequency: records[at + FREQUENCY]!,
      typed: records[at + TYPED]!,
      counts,
      positions: records.subarray(at + POSITIONS, end),
    };
    at = end;
  }
}
