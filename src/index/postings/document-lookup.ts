/**
 * Reads frequencies and places of documents that are already chosen from a list in the kernel's memory. The
 * second stage uses it for the best candidates of a query. Documents must ascend; there are at most
 * `MAX_KERNEL_MATCHES`.
 */
import { Field } from '../fields.ts';
import { POSITIONS_BYTES, Scratch, type SearchKernel } from '../kernels/mod.ts';

/** A term's occurrences in one document. */
export interface TermPlaces {
  /** Weighted, in the units of the index. */
  frequency: number;
  /** Number of places that have one of the requested forms. */
  typed: number;
  /** Number of places by field number. */
  counts: readonly number[];
  /** Ascending. */
  positions: Uint32Array;
}

/** Offsets in a record, as in assembly/chosen.ts. */
const FREQUENCY = 1;
const TYPED = 2;
const COUNTS = 3;
const FIELD_COUNT = Object.keys(Field).length;
const COUNT = COUNTS + FIELD_COUNT;
const POSITIONS = COUNT + 1;

/** Returns the weighted frequency in each of the documents, 0 if the list does not have the document. */
export function frequenciesIn(kernel: SearchKernel, list: number, docs: Uint32Array): Uint32Array {
  const outAt = Scratch.best + docs.byteLength;
  choose(kernel, list, docs);
  kernel.calls.chosenFrequencies(Scratch.best, docs.length, outAt);
  return new Uint32Array(kernel.buffer, outAt, docs.length).slice();
}

/**
 * Returns the occurrences in each document, null if the list does not have the document. At most `limit`
 * places per document are counted.
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

/** Reuses the memory of the best matches and of phrases, because their query has finished. */
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
