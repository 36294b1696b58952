/**
 * Sorts the occurrences of words by term. It lays out as many terms at a time as fit into a window, because
 * all occurrences at once would take four times the memory of the tokens. For each window the tokens of all
 * documents are read once.
 *
 *   starts, chosen    described in sort-tokens.ts
 *   window            pairs of the current terms
 */
import { inParts, padded, type WordGroups } from './word-groups.ts';

/** A pair of document and place; the top 8 bits of the document hold the form. */
export const PAIR_BYTES = 8;
/**
 * Number of windows, unless there are few pairs. More windows take less memory, but read the tokens more
 * often.
 */
const WINDOWS = 3;
const FEW_PAIRS = 1024 * 1024;
/** The start of a term that is not in the current window. */
const NOT_NOW = 0xffffffff;

/** The exports of assembly/indexing/sort-tokens.ts. */
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

/** Returns the size in bytes of the window for `occurrences` occurrences. */
export function windowBytes(occurrences: number): number {
  return PAIR_BYTES * Math.min(occurrences, Math.max(FEW_PAIRS, Math.ceil(occurrences / WINDOWS)));
}

/**
 * Returns the bytes of memory that a sorter needs. They include room for the pairs of the most frequent term.
 */
export function sorterBytes({ totals, uses }: WordGroups, window?: number): number {
  let all = 0;
  let most = 0;
  for (const total of totals) {
    all += total;
    if (total > most) most = total;
  }
  return padded(totals.byteLength) + chosenBytes(uses) + PAIR_BYTES * most + (window ?? windowBytes(all));
}

export class WordSorter {
  readonly startsAt: number;
  /** The address of the pairs. A term's start is the index after its last pair, once it is laid out. */
  readonly windowAt: number;
  readonly #calls: SortCalls;
  readonly #groups: WordGroups;
  readonly #chosenAt: number;
  readonly #windowPairs: number;
  readonly #starts: Uint32Array;

  /** Uses the memory from the end of `groups` to `end`, which must not grow or move while the sorter is in use. */
  constructor(calls: SortCalls, buffer: ArrayBuffer, groups: WordGroups, end: number) {
    const { totals, uses } = groups;
    this.#calls = calls;
    this.#groups = groups;
    this.startsAt = groups.end;
    this.#chosenAt = this.startsAt + padded(totals.byteLength);
    this.windowAt = this.#chosenAt + chosenBytes(uses);
    this.#windowPairs = Math.floor((end - this.windowAt) / PAIR_BYTES);
    this.#starts = new Uint32Array(buffer, this.startsAt, totals.length);
  }

  /**
   * Lays out the terms of `order` from index `from` on, and returns the index after the last term that fits.
   */
  layOut(order: Uint32Array, from: number): number {
    const { documents, documentsAt, targetsAt, uses, words, totals } = this.#groups;
    this.#starts.fill(NOT_NOW);
    let pairs = 0;
    let next = from;
    for (; next < order.length && pairs + totals[order[next]!]! <= this.#windowPairs; next++) {
      this.#starts[order[next]!] = pairs;
      pairs += totals[order[next]!]!;
    }
    this.#calls.chooseWords(targetsAt, uses, this.startsAt, this.#chosenAt);
    inParts(documents, (from, end) =>
      this.#calls.sortTokens(
        documentsAt,
        from,
        end,
        targetsAt,
        words,
        this.startsAt,
        this.#chosenAt,
        this.windowAt,
      ),
    );
    return next;
  }

  /** Returns the address at which the pairs of a term in the current window end. */
  endOf(term: number): number {
    return this.windowAt + PAIR_BYTES * this.#starts[term]!;
  }
}

/** One bit per target. */
function chosenBytes(uses: number): number {
  return (uses / 8 + 8) & ~7;
}
