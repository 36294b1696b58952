/**
 * Counts how often a query contains each word, and marks its function words and generic words.
 *
 * A repeated word counts more: in long questions, repetition marks the topic. A function word has its full weight if the
 * query has only function words ("to be or not to be"), in a quoted phrase, and in a set phrase such as "many to many"
 * or "step by step".
 */
import { type Stemming, tokenize } from '../../text/mod.ts';
import { FUNCTION_WORDS, GENERIC_WORDS } from './function-words.ts';
import { knownTermOf } from './term-cache.ts';
import type { TermQuery } from './term-query.ts';

export interface WordUse {
  count: number;
  isFunction: boolean;
  isGeneric: boolean;
}

/**
 * Returns, for each term of a query, how often the query has it and if it is a function word or a generic word.
 * `text` is the text of the query.
 */
export function usesOf(
  text: string,
  { words, typed, phrases }: Pick<TermQuery, 'words' | 'typed' | 'phrases'>,
): WordUse[] {
  const counts = countWords(text);
  const quoted = new Set(phrases.flat().map(({ term }) => term));
  const doubled = doubledWords(text);
  const isFunction = words.map(
    (term, at) =>
      !quoted.has(term) && typed[at]!.every((word) => FUNCTION_WORDS.has(word) && !doubled.has(word)),
  );
  const isAll = !isFunction.includes(false);
  return words.map((_, at) => ({
    count: Math.max(
      1,
      typed[at]!.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0),
    ),
    isFunction: isFunction[at]! && !isAll,
    isGeneric: typed[at]!.every((word) => GENERIC_WORDS.has(word)),
  }));
}

/** Returns the words that surround another word in a set phrase, such as `many` in "many to many". */
function doubledWords(text: string): ReadonlySet<string> {
  const words: string[] = [];
  tokenize(text, (word) => words.push(word));
  const isDoubled = (at: number) => at > 0 && words[at - 1] === words[at + 1];
  return new Set(words.flatMap((word, at) => (isDoubled(at) ? [word, words[at - 1]!] : [])));
}

/** Counts how often a text has each word. The words are in the order of their first occurrence. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  tokenize(text, (word) => counts.set(word, (counts.get(word) ?? 0) + 1));
  return counts;
}

/** Counts how often a text has each term. Each different word is stemmed only once. */
export function countTerms(text: string, stemming: Stemming): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word, count] of countWords(text)) {
    const term = knownTermOf(word, stemming);
    counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return counts;
}
