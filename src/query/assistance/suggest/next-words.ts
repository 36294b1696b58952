/**
 * Completes a typed query with words that follow its words in the index: first completes the last word by a word
 * that often follows the word before it, then adds a word that often follows the last word.
 *
 *   "numpy ar"   -> numpy array, numpy arange
 *   "java hash"  -> java hash map, java hash table
 *
 * If the index has no such words, the last word is completed to the most frequent words that begin with it. Only the
 * last two words are used, so the cost does not depend on the length of the input.
 */
import type { WordPairs } from '../../../lexicon/mod.ts';
import { tokenize } from '../../../text/mod.ts';
import { FUNCTION_WORDS } from '../../terms/mod.ts';

/**
 * Pairs of words and single words with fewer occurrences are not suggested: a rare pair may be accidental, and
 * a rare word may be misspelled.
 */
const LEAST_TOGETHER = 3;
const LEAST_COUNT = 10;
/** A word is completed only after this many letters were typed, because too many words share a shorter beginning. */
const MIN_BEGINNING = 2;
/**
 * The last typed word counts as complete if it has at least MIN_WHOLE letters and occurs at least WHOLE_SHARE times
 * as often as the most frequent word that begins with it.
 */
const MIN_WHOLE = 4;
const WHOLE_SHARE = 0.25;
/** The maximum number of completions that are chosen by frequency alone, without regard to the word before. */
const GUESSES = 3;
const WORD = /^\p{L}[\p{L}\p{M}\p{N}'’+#-]{2,}$/u;

/** Returns completed queries, best first. */
export function suggestNextWords(pairs: WordPairs, typed: string, limit: number): string[] {
  const words: string[] = [];
  tokenize(typed, (word) => words.push(word));
  const last = words.at(-1);
  if (last === undefined) return [];
  if (/\s$/.test(typed)) return extended(pairs, typed.trimEnd(), last, '').slice(0, limit);
  const head = typed.slice(0, typed.toLowerCase().lastIndexOf(last)).trimEnd();
  const before = words.at(-2);
  if (before === undefined || head === '' || last.length < MIN_BEGINNING) return [];
  const found = extended(pairs, head, before, last);
  const longer = isWhole(pairs, last) ? extended(pairs, typed, last, '') : [];
  const all = [...found.slice(0, limit), ...longer.slice(0, limit)];
  return (all.length > 0 ? all : guessed(pairs, head, last)).slice(0, limit);
}

/** Returns completed queries: `query` followed by one of the most frequent words that begin with `beginning`. */
function guessed(pairs: WordPairs, query: string, beginning: string): string[] {
  return pairs
    .withPrefix(beginning, LEAST_COUNT)
    .filter((word) => word !== beginning && isSuggested(word))
    .slice(0, GUESSES)
    .map((word) => `${query} ${word}`);
}

/**
 * Returns completed queries: `query` followed by a word that follows `before` in the index and begins with `beginning`.
 */
function extended(pairs: WordPairs, query: string, before: string, beginning: string): string[] {
  if (FUNCTION_WORDS.has(before)) return [];
  return pairs
    .followersOf(before, beginning, LEAST_TOGETHER)
    .filter((word) => word !== beginning && word !== before && isSuggested(word))
    .map((word) => `${query} ${word}`);
}

function isSuggested(word: string): boolean {
  return WORD.test(word) && !FUNCTION_WORDS.has(word);
}

function isWhole(pairs: WordPairs, word: string): boolean {
  const count = pairs.countOf(word);
  if (word.length < MIN_WHOLE || count === 0) return false;
  const [most = word] = pairs.withPrefix(word, LEAST_COUNT);
  return count >= WHOLE_SHARE * pairs.countOf(most);
}
