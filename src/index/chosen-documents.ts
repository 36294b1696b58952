/**
 * What a list in the kernel's memory says of documents that were chosen already: the closer look at the best matches
 * of a query. Documents ascend, at most `MAX_KERNEL_MATCHES` of them.
 */
import { Field } from './fields.ts';
import { POSITIONS_BYTES, Scratch, type SearchKernel } from './search-kernel.ts';

/** A term in one document. */
export interface TermPlaces {
  /** Weighted, in the units of the index. */
  frequency: number;
  /** How many of the places have one of the forms that were asked for. */
  typed: number;
  /** Places by number of the field. */
  counts: Uint32Array;
  /** Ascending. */
  positions: Uint32Array;
}

/** Offsets of a record, as assembly/chosen.ts has them. */
const FREQUENCY = 1;
const TYPED = 2;
const COUNTS = 3;
const COUNT = COUNTS + Object.keys(Field).length;
const POSITIONS = COUNT + 1;

/** The weighted frequency in each of the documents, 0 where the list does not have one. */
export function frequenciesIn(kernel: SearchKernel, list: number, docs: Uint32Array): Uint32Array {
  const outAt = Scratch.best + docs.byteLength;
  choose(kernel, list, docs);
  kernel.calls.chosenFrequencies(Scratch.best, docs.length, outAt);
  return new Uint32Array(kernel.buffer, outAt, docs.length).slice();
}

/** Per document what the list says of it, null where it does not have one; no more than `limit` places of each count. */
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

/** The room of the best matches and of phrases is free by now: their query is over. */
function choose({ buffer, calls }: SearchKernel, list: number, docs: Uint32Array): void {
  new Uint32Array(buffer, Scratch.best, docs.length).set(docs);
  calls.startQuery(Scratch.cursors, Scratch.found, 1);
  calls.openChosen(list, Scratch.docs);
}

function takeRecords(records: Uint32Array, places: (TermPlaces | null)[]): void {
  for (let at = 0; at < records.length; ) {
    const end = at + POSITIONS + records[at + COUNT]!;
    places[records[at]!] = {
      frequency: records[at + FREQUENCY]!,
      typed: records[at + TYPED]!,
      counts: records.subarray(at + COUNTS, at + COUNT),
      positions: records.subarray(at + POSITIONS, end),
    };
    at = end;
  }
}
