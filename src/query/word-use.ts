/**
 * How a query uses its words: how often it says each, and which only hold the others together.
 *
 * What is said twice is meant twice: in long questions that tells the subject from the rest. A function word counts in
 * full where it is all there is ("to be or not to be"), and in a phrase, as somebody quoted it.
 */
import { type Stemming, tokenize } from '../text/mod.ts';
import { FUNCTION_WORDS } from './function-words.ts';
import { knownTermOf } from './known-terms.ts';
import type { TermQuery } from './term-query.ts';

export interface WordUse {
  count: number;
  isFunction: boolean;
}

/** Per term; `text` is what they were read from. */
export function usesOf(
  text: string,
  { words, typed, phrases }: Pick<TermQuery, 'words' | 'typed' | 'phrases'>,
): WordUse[] {
  const counts = countWords(text);
  const quoted = new Set(phrases.flat().map(({ term }) => term));
  const isFunction = words.map(
    (term, at) => !quoted.has(term) && typed[at]!.every((word) => FUNCTION_WORDS.has(word)),
  );
  const isAll = !isFunction.includes(false);
  return words.map((_, at) => ({
    count: Math.max(
      1,
      typed[at]!.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0),
    ),
    isFunction: isFunction[at]! && !isAll,
  }));
}

/** How often each word is said, in the order in which they come. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  tokenize(text, (word) => counts.set(word, (counts.get(word) ?? 0) + 1));
  return counts;
}

/** The same by terms. Each different word is stemmed once. */
export function countTerms(text: string, stemming: Stemming): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word, count] of countWords(text)) {
    const term = knownTermOf(word, stemming);
    counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return counts;
}
