/**
 * The occurrences of words by term, for as many terms at a time as fit into a window: all of them would take four times
 * the memory of the tokens that they are made from. Each time the tokens of all documents are read once.
 *
 *   documents, targets, starts, chosen    as sort-tokens.ts describes them
 *   window                                pairs of the terms that were laid out last
 */

/** Numbers per document: where its tokens begin and end, its stemming. */
const DOCUMENT_NUMBERS = 3;

/** A pair of document and place; in the top 8 bits of the document is the form. */
export const PAIR_BYTES = 8;
const DOCS_PER_CALL = 64;
/** Into how many parts the pairs are divided, unless there are few. More take less memory, and more readings. */
const WINDOWS = 3;
const FEW_PAIRS = 1024 * 1024;
/** Where a term begins that is not to be laid out now. */
const NOT_NOW = 0xffffffff;

/** What assembly/sort-tokens.ts exports. */
export interface SortCalls {
  chooseWords(targetsAt: number, count: number, startsAt: number, chosenAt: number): void;
  sortTokens(
    documentsAt: number,
    from: number,
    end: number,
    targetsAt: number,
    words: number,
    startsAt: number,
    chosenAt: number,
    sortedAt: number,
  ): void;
}

/**
 * Some documents at a time. V8 puts better code in the place of a function only when it is called anew: one call for
 * all of them would be over before that.
 */
export function inParts(documents: Uint32Array, work: (from: number, end: number) => void): void {
  const count = documents.length / DOCUMENT_NUMBERS;
  for (let from = 0; from < count; from += DOCS_PER_CALL) work(from, Math.min(from + DOCS_PER_CALL, count));
}

/** What there is to be sorted. */
export interface WordsToSort {
  /** In their final order. */
  documents: Uint32Array;
  /** The term and the form of each word, for each stemming. */
  targets: Uint32Array;
  /** How many words there are. */
  words: number;
  /** How many occurrences each term has. */
  totals: Uint32Array;
}

/** How many bytes the pairs of so many occurrences take that are laid out at a time. */
export function windowBytes(occurrences: number): number {
  return PAIR_BYTES * Math.min(occurrences, Math.max(FEW_PAIRS, Math.ceil(occurrences / WINDOWS)));
}

/** How much memory a sorter needs. There is always room for the pairs of one more term. */
export function sorterBytes({ documents, targets, totals }: WordsToSort, window?: number): number {
  let all = 0;
  let most = 0;
  for (const total of totals) {
    all += total;
    if (total > most) most = total;
  }
  const tables = padded(documents) + padded(targets) + padded(totals) + chosenBytes(targets);
  return tables + PAIR_BYTES * most + (window ?? windowBytes(all));
}

export class WordSorter {
  readonly #calls: SortCalls;
  readonly #given: WordsToSort;
  readonly #documentsAt: number;
  readonly #targetsAt: number;
  readonly #startsAt: number;
  readonly #chosenAt: number;
  readonly #windowAt: number;
  readonly #windowPairs: number;
  readonly #starts: Uint32Array;
  readonly #pairs: Uint32Array;

  /** Takes the memory from `at` to `end`, which does not grow or move as long as the sorter is used. */
  constructor(calls: SortCalls, buffer: ArrayBuffer, at: number, end: number, given: WordsToSort) {
    const { documents, targets, totals } = given;
    this.#calls = calls;
    this.#given = given;
    this.#documentsAt = at;
    this.#targetsAt = at + padded(documents);
    this.#startsAt = this.#targetsAt + padded(targets);
    this.#chosenAt = this.#startsAt + padded(totals);
    this.#windowAt = this.#chosenAt + chosenBytes(targets);
    this.#windowPairs = Math.floor((end - this.#windowAt) / PAIR_BYTES);
    new Uint32Array(buffer, this.#documentsAt, documents.length).set(documents);
    new Uint32Array(buffer, this.#targetsAt, targets.length).set(targets);
    this.#starts = new Uint32Array(buffer, this.#startsAt, totals.length);
    this.#pairs = new Uint32Array(buffer, this.#windowAt, 2 * this.#windowPairs);
  }

  /** Lays out the terms of `order` from index `from` on, and returns the index behind the last that fits. */
  layOut(order: Uint32Array, from: number): number {
    const { documents, targets, words, totals } = this.#given;
    this.#starts.fill(NOT_NOW);
    let pairs = 0;
    let next = from;
    for (; next < order.length && pairs + totals[order[next]!]! <= this.#windowPairs; next++) {
      this.#starts[order[next]!] = pairs;
      pairs += totals[order[next]!]!;
    }
    this.#calls.chooseWords(this.#targetsAt, targets.length, this.#startsAt, this.#chosenAt);
    inParts(documents, (from, end) =>
      this.#calls.sortTokens(
        this.#documentsAt,
        from,
        end,
        this.#targetsAt,
        words,
        this.#startsAt,
        this.#chosenAt,
        this.#windowAt,
      ),
    );
    return next;
  }

  /** Where the pairs of a term end that was laid out last. */
  endOf(term: number): number {
    return this.#windowAt + PAIR_BYTES * this.#starts[term]!;
  }

  /** The pairs of such a term: in turn the document, with the form in its top 8 bits, and the place. */
  pairsOf(term: number): Uint32Array {
    const end = this.#starts[term]!;
    return this.#pairs.subarray(2 * (end - this.#given.totals[term]!), 2 * end);
  }
}

function padded({ byteLength }: Uint32Array): number {
  return (byteLength + 7) & ~7;
}

/** A bit for each target. */
function chosenBytes({ length }: Uint32Array): number {
  return (length / 8 + 8) & ~7;
}
