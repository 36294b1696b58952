/** Reads prefixes: `conn*` expands to the words of the index that begin with `conn`. */
import type { ExpansionBudget } from './expansion-budget.ts';
import type { QueryNote } from './query-note.ts';
import { termsOf } from './query-words.ts';

/**
 * The maximum number of words that a prefix such as `conn*` expands to. The most common words are used; there are
 * fewer if the expansion budget of the query is smaller.
 */
export const MAX_PREFIX_WORDS = 64;
const MIN_PREFIX_LENGTH = 2;

interface Prefix {
  term: string;
  /** The prefix itself, which may be a word, and the words of the index that begin with it. */
  words: readonly string[];
  /** A note that tells the visitor that only the most common words were used. */
  note?: QueryNote;
}

/** Parses a prefix such as `conn*`. Returns null if the prefix is too short or has several words. */
export function readPrefix(text: string, budget: ExpansionBudget): Prefix | null {
  const [term = '', ...rest] = termsOf(text.replace(/\*+$/, ''));
  if (rest.length > 0 || term.length < MIN_PREFIX_LENGTH) return null;
  const limit = budget.limitFor(MAX_PREFIX_WORDS);
  const found = budget.wordsBeginning(term, limit + 1);
  const used = found.slice(0, limit);
  budget.take(used.length);
  const words = [...new Set([term, ...used])];
  if (found.length <= limit) return { term, words };
  return { term, words, note: { code: 'prefix-words', values: { text: `${term}*`, number: limit } } };
}
