/** `conn*`: the words of the index that begin so stand for the beginning. */
import type { QueryLookups } from './lookups.ts';
import { termsOf } from './query-words.ts';

/** The most common words that `prefix*` stands for. */
export const MAX_PREFIX_WORDS = 64;
const MIN_PREFIX_LENGTH = 2;

export interface Prefix {
  term: string;
  /** The beginning itself, which may be a word, and the words that begin so. */
  words: readonly string[];
  /** What the searcher should know. */
  note?: string;
}

/** Null if that is too short to be the beginning of a word, or more than one word. */
export function readPrefix(text: string, lookups: QueryLookups): Prefix | null {
  const [term = '', ...rest] = termsOf(text.replace(/\*+$/, ''));
  if (rest.length > 0 || term.length < MIN_PREFIX_LENGTH) return null;
  const found = lookups.wordsBeginning(term, MAX_PREFIX_WORDS + 1);
  const words = [...new Set([term, ...found.slice(0, MAX_PREFIX_WORDS)])];
  if (found.length <= MAX_PREFIX_WORDS) return { term, words };
  const note = `${term}* stands for many words; only the ${MAX_PREFIX_WORDS} most common are used.`;
  return { term, words, note };
}
