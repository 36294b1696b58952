/**
 * Completes a typed query with words of the index: a single unfinished word with the most frequent words that begin
 * with it, the last of several words with a word that often follows the word before it, and a finished word with a
 * word that often follows it.
 *
 *   "oscill"     -> oscilloscope, oscillator
 *   "numpy a"    -> numpy array, numpy arange
 *   "java hash"  -> java hash map, java hash table
 *
 * If no such word follows, a last word of at least MIN_GUESSED letters is completed to the most frequent words that
 * begin with it. Only the last two words are used, so the cost does not depend on the length of the input.
 */
import type { WordPairs } from '../../../lexicon/mod.ts';
import { tokenize } from '../../../text/mod.ts';
import { FUNCTION_WORDS } from '../../terms/mod.ts';

/**
 * Pairs of words and single words with fewer occurrences are not suggested: a rare pair may be accidental, and
 * a rare word may be misspelled. Words such as "to" are before very many words, so their pairs must be more frequent,
 * and count only after other such words: "how to m" is continued by verbs, but "game of l" by any noun.
 */
const LEAST_TOGETHER = 3;
const LEAST_AFTER_FUNCTION_WORD = 5;
const LEAST_COUNT = 10;
/** A single word is completed only after this many letters were typed, because too many words begin with one letter. */
const MIN_SINGLE = 2;
/** A last word that does not follow the word before it in the index is completed only if it has this many letters. */
const MIN_GUESSED = 4;
/**
 * The last typed word counts as complete if it has at least MIN_WHOLE letters and occurs at least WHOLE_SHARE times
 * as often as the most frequent word that begins with it.
 */
const MIN_WHOLE = 4;
const WHOLE_SHARE = 0.25;
/** The maximum number of completions that are chosen by frequency alone, without regard to the word before. */
const GUESSES = 3;
/** Two completions that differ only in an ending of at most this many letters are the same word. */
const ENDING = 2;
const WORD = /^\p{L}[\p{L}\p{M}'’+#-]{2,}$/u;

/** Returns completed queries, best first. */
export function suggestNextWords(pairs: WordPairs, typed: string, limit: number): string[] {
  const words: string[] = [];
  tokenize(typed, (word) => words.push(word));
  const last = words.at(-1);
  if (last === undefined) return [];
  if (/\s$/.test(typed)) return extended(pairs, `${typed.trimEnd()} `, last, '').slice(0, limit);
  const head = typed.slice(0, typed.toLowerCase().lastIndexOf(last)).replace(/\s+$/, ' ');
  const before = words.at(-2);
  const longer = isWhole(pairs, last) ? extended(pairs, `${typed} `, last, '') : [];
  if (before === undefined || head.trim() === '')
    return distinct([...completed(pairs, head, last), ...longer]).slice(0, limit);
  const isPhrase =
    !FUNCTION_WORDS.has(before) || words.slice(0, -1).every((word) => FUNCTION_WORDS.has(word));
  const found = isPhrase ? extended(pairs, head, before, last) : [];
  const all = [...found.slice(0, limit), ...longer.slice(0, limit)];
  const mayGuess = last.length >= MIN_GUESSED && !FUNCTION_WORDS.has(last);
  return distinct(all.length > 0 || !mayGuess ? all : completed(pairs, head, last)).slice(0, limit);
}

/** Returns completed queries: `query` followed by one of the most frequent words that begin with `beginning`. */
function completed(pairs: WordPairs, query: string, beginning: string): string[] {
  if (beginning.length < MIN_SINGLE) return [];
  const words = pairs
    .withPrefix(beginning, LEAST_COUNT)
    .filter((word) => word !== beginning && isSuggested(word));
  return distinct(words)
    .slice(0, GUESSES)
    .map((word) => query + word);
}

/** Removes texts that differ from an earlier one only in an ending, such as a plural. */
function distinct(texts: readonly string[]): string[] {
  const kept: string[] = [];
  for (const text of texts) {
    const isKnown = kept.some(
      (other) =>
        Math.abs(other.length - text.length) <= ENDING && (text.startsWith(other) || other.startsWith(text)),
    );
    if (!isKnown) kept.push(text);
  }
  return kept;
}

/**
 * Returns completed queries: `query` followed by a word that follows `before` in the index and begins with `beginning`.
 */
function extended(pairs: WordPairs, query: string, before: string, beginning: string): string[] {
  const isFunction = FUNCTION_WORDS.has(before);
  if (isFunction && beginning === '') return [];
  return pairs
    .followersOf(before, beginning, isFunction ? LEAST_AFTER_FUNCTION_WORD : LEAST_TOGETHER)
    .filter((word) => word !== beginning && word !== before && isSuggested(word))
    .map((word) => query + word);
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
