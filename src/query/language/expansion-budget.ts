/**
 * One budget for all words of the index that a query expands to.
 *
 * A prefix (`conn*`), the last character of a phrase (see endings.ts) and `related:` each expand to words
 * that were not typed. Each of these words is a postings list to read, so a query of 400 characters could ask
 * for thousands of lists. The expanding clauses of a query share MAX_EXPANSIONS words evenly; a clause late
 * in the query gets as many as the first.
 */
import type { QueryLookups } from './lookups.ts';

/** Eight prefixes with 64 words each use up this budget, and so does one phrase with MAX_ENDINGS endings. */
export const MAX_EXPANSIONS = 512;
/**
 * The number of dictionary words read per segment to find the most common: for one prefix, and for a whole
 * query.
 */
const MAX_READ_PER_PREFIX = 100_000;
const MAX_READ = 200_000;

/** Returns the words that each of `clauses` clauses may expand to, and the dictionary words that it may read. */
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

  /** `clauses` is the number of clauses of the query that expand. */
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

  /** Takes `count` words from the budget. Returns false and takes nothing if fewer are left. */
  take(count: number): boolean {
    if (count > this.#left) return false;
    this.#left -= count;
    return true;
  }
}
