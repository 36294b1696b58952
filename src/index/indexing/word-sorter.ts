/**
 * Sorts the occurrences of words by term. It lays out as many terms at a time as fit into a window, because
 * all occurrences at once would take four times the memory of the tokens. For each window the tokens of all
 * documents are read once.
 *
 *   documents, targets, starts, chosen    described in sort-tokens.ts
 *   window                                pairs of the current terms
 */

/** Numbers per document: the start and the end of its tokens, and its stemming. */
const DOCUMENT_NUMBERS = 3;

/** A pair of document and place; the top 8 bits of the document hold the form. */
export const PAIR_BYTES = 8;
const DOCS_PER_CALL = 64;
/**
 * Number of windows, unless there are few pairs. More windows take less memory, but read the tokens more
 * often.
 */
const WINDOWS = 3;
const FEW_PAIRS = 1024 * 1024;
/** The start of a term that is not in the current window. */
const NOT_NOW = 0xffffffff;

/** The exports of assembly/sort-tokens.ts. */
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
 * Calls `work` for some documents at a time. V8 switches to optimized code only at the next call of a
 * function, so a single call for all documents would run unoptimized code to its end.
 */
export function inParts(documents: Uint32Array, work: (from: number, end: number) => void): void {
  const count = documents.length / DOCUMENT_NUMBERS;
  for (let from = 0; from < count; from += DOCS_PER_CALL) work(from, Math.min(from + DOCS_PER_CALL, count));
}

/** The input of a sort. */
export interface WordsToSort {
  /** In their final order. */
  documents: Uint32Array;
  /** The term and the form of each word, for each stemming. */
  targets: Uint32Array;
  /** Number of words. */
  words: number;
  /** Number of occurrences of each term. */
  totals: Uint32Array;
}

/** Returns the size in bytes of the window for `occurrences` occurrences. */
export function windowBytes(occurrences: number): number {
  return PAIR_BYTES * Math.min(occurrences, Math.max(FEW_PAIRS, Math.ceil(occurrences / WINDOWS)));
}

/**
 * Returns the bytes of memory that a sorter needs. They include room for the pairs of the most frequent term.
 */
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

  /** Uses the memory from `at` to `end`, which must not grow or move while the sorter is in use. */
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
  }

  /**
   * Lays out the terms of `order` from index `from` on, and returns the index after the last term that fits.
   */
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

  /** Returns the address at which the pairs of a term in the current window end. */
  endOf(term: number): number {
    return this.#windowAt + PAIR_BYTES * this.#starts[term]!;
  }
}

function padded({ byteLength }: Uint32Array): number {
  return (byteLength + 7) & ~7;
}

/** One bit per target. */
function chosenBytes({ length }: Uint32Array): number {
  return (length / 8 + 8) & ~7;
}
