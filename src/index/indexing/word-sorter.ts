/**
 * Sorts the occurrences of words by term. Sorting all occurrences at once would take four times the memory of
 * the tokens. Therefore the terms are sorted in several passes: each pass fills a window with the occurrences
 * of as many terms as fit, and reads the tokens of all documents once.
 *
 *   starts, chosen    described in sort-tokens.ts
 *   window            pairs of the current terms
 */
import { inParts, padded, type WordGroups } from './word-groups.ts';

/**
 * Size of an occurrence in bytes: a document number (with the form number in its top 8 bits) and a place, four
 * bytes each.
 */
export const PAIR_BYTES = 8;
/**
 * The number of passes over the tokens, unless there are few occurrences. More passes take less memory, but
 * more time.
 */
const WINDOWS = 3;
const FEW_PAIRS = 1024 * 1024;
/** Marks a term whose occurrences are not sorted in the current pass. */
const NOT_NOW = 0xffffffff;

/** The functions that the kernel assembly/indexing/sort-tokens.ts exports. */
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
 * Returns the size in bytes of the memory in which a sorter sorts, if there are `occurrences` occurrences in
 * total.
 */
export function windowBytes(occurrences: number): number {
  return PAIR_BYTES * Math.min(occurrences, Math.max(FEW_PAIRS, Math.ceil(occurrences / WINDOWS)));
}

/**
 * Returns the memory in bytes that a sorter needs. The window has room at least for the occurrences of the most
 * frequent term.
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
  /**
   * The address of the window, the memory for the occurrences that the current pass sorts. After a pass, the
   * entry of a term in `starts` is the index after the term's last occurrence in the window.
   */
  readonly windowAt: number;
  readonly #calls: SortCalls;
  readonly #groups: WordGroups;
  readonly #chosenAt: number;
  readonly #windowPairs: number;
  readonly #starts: Uint32Array;

  /**
   * Creates a sorter that uses the memory from the end of `groups` to `end`. The memory must not grow or move
   * while the sorter is in use.
   */
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
   * Sorts the occurrences of terms into the window: the terms in `order` from index `from` on, as many as fit.
   * Returns the index of the first term that does not fit.
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

  /** Returns the address at which the occurrences of a term in the window end. */
  endOf(term: number): number {
    return this.windowAt + PAIR_BYTES * this.#starts[term]!;
  }
}

/**
 * Returns the size in bytes of the bit set that marks the chosen words. It has one bit per entry of `targets`.
 */
function chosenBytes(uses: number): number {
  return (uses / 8 + 8) & ~7;
}
