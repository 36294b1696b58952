/**
 * Limits the number of words that a query expands to.
 *
 * Three clauses expand to words of the index that the user did not type: a prefix (`conn*`), the last character of a
 * phrase (see endings.ts) and `related:`. Each of these words costs the reading of a postings list, so a query of
 * 400 characters could read thousands of lists. Therefore all expanding clauses of a query together get
 * MAX_EXPANSIONS words. Each clause gets the same share, wherever it is in the query.
 */
import type { QueryLookups } from './lookups.ts';

/**
 * The maximum number of words that all expanding clauses of a query add. Eight prefixes with 64 words each use up
 * this budget, and so does one phrase with MAX_ENDINGS endings.
 */
export const MAX_EXPANSIONS = 512;
/**
 * The maximum number of dictionary words that are read per segment to find the most common words with a prefix: for
 * one prefix, and for all prefixes of a query together.
 */
const MAX_READ_PER_PREFIX = 100_000;
const MAX_READ = 200_000;

/**
 * Divides the budget of a query among its expanding clauses: returns the number of words that one clause may expand
 * to (`words`) and the number of dictionary words that it may read (`maxRead`).
 */
export function expansionShare(clauses: number): { words: number; maxRead: number } {
  const sharers = Math.max(1, clauses);
  return {
    words: Math.floor(MAX_EXPANSIONS / sharers),
    maxRead: Math.min(MAX_READ_PER_PREFIX, Math.floor(MAX_READ / sharers)),
  };
}

export class ExpansionBudget {
  readonly #lookups: QueryLookups;
  readonly #share: number;
  readonly #maxRead: number;
  #left = MAX_EXPANSIONS;

  /** Creates the budget of a query. `clauses` is the number of its clauses that expand, such as prefixes. */
  constructor(lookups: QueryLookups, clauses: number) {
    this.#lookups = lookups;
    const { words, maxRead } = expansionShare(clauses);
    this.#share = words;
    this.#maxRead = maxRead;
  }

  /** Returns the number of words that the next clause may expand to: at most `most`, at least one. */
  limitFor(most: number): number {
    return Math.max(1, Math.min(most, this.#share, this.#left));
  }

  /** Returns the words of the index that begin with `prefix`, most common first, at most `limit`. */
  wordsBeginning(prefix: string, limit: number): string[] {
    return this.#lookups.wordsBeginning(prefix, limit, this.#maxRead);
  }

  /** Uses up `count` words of the budget. If fewer are left, uses up none and returns false. */
  take(count: number): boolean {
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
