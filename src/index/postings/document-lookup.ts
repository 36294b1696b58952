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

/** The occurrences of a term in given documents. */
export interface PlacesInDocuments {
  /** Returns the occurrences in the document with this index; null if the document does not have the term. */
  of(at: number): TermPlaces | null;
}

/** Finds the occurrences of the term in each document. At most `limit` places per document are read. */
export function placesIn(
  kernel: SearchKernel,
  list: number,
  docs: Uint32Array,
  limit: number,
  forms: bigint,
): PlacesInDocuments {
  const { calls } = kernel;
  const outEnd = Scratch.positions + POSITIONS_BYTES;
  const found = new PlaceRecords(docs.length);
  choose(kernel, list, docs);
  for (let from = 0; from < docs.length; ) {
    from = calls.chosenPlaces(Scratch.best, from, docs.length, limit, forms, Scratch.positions, outEnd);
    const length = (calls.chosenEnd() - Scratch.positions) / 4;
    found.add(new Uint32Array(kernel.buffer, Scratch.positions, length));
  }
  return found;
}

/** The records that the kernel wrote. An object is made for a record only when it is asked for. */
class PlaceRecords implements PlacesInDocuments {
  #records = new Uint32Array();
  /** For each document, the index of its record in `#records`, plus 1; 0 if it has none. */
  readonly #starts: Uint32Array;

  constructor(docCount: number) {
    this.#starts = new Uint32Array(docCount);
  }

  /** Adds a copy of further records. */
  add(records: Uint32Array): void {
    const before = this.#records.length;
    if (before === 0) this.#records = records.slice();
    else {
      const all = new Uint32Array(before + records.length);
      all.set(this.#records);
      all.set(records, before);
      this.#records = all;
    }
    for (let at = 0; at < records.length; at += POSITIONS + records[at + COUNT]!)
      this.#starts[records[at]!] = before + at + 1;
  }

  of(doc: number): TermPlaces | null {
    const at = this.#starts[doc]! - 1;
    if (at < 0) return null;
    const records = this.#records;
    const from = at + POSITIONS;
    const counts = new Array<number>(FIELD_COUNT);
    for (let field = 0; field < FIELD_COUNT; field++) counts[field] = records[at + COUNTS + field]!;
    return {
      frequency: records[at + FREQUENCY]!,
      typed: records[at + TYPED]!,
      counts,
      positions: records.subarray(from, from + records[at + COUNT]!),
    };
  }
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
