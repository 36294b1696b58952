/**
 * How a query uses its words: how often it says each, and which only hold the others together.
 *
 * What is said twice is meant twice: in long questions that tells the subject from the rest. A function word counts in
 * full where it is all there is ("to be or not to be"), and in a phrase, as somebody quoted it.
 */
import { tokenize } from '../text/mod.ts';
import { FUNCTION_WORDS } from './function-words.ts';

export interface WordUse {
  count: number;
  isFunction: boolean;
}

/** Per word; `text` is what they were read from. */
export function usesOf(
  text: string,
  words: readonly string[],
  phrases: readonly (readonly string[])[] = [],
): WordUse[] {
  const counts = countWords(text);
  const quoted = new Set(phrases.flat());
  const isFunction = words.map((word) => FUNCTION_WORDS.has(word) && !quoted.has(word));
  const isAll = !isFunction.includes(false);
  return words.map((word, at) => ({ count: counts.get(word) ?? 1, isFunction: isFunction[at]! && !isAll }));
}

/** How often each word is said, in the order in which they come. */
export function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  tokenize(text, (term) => counts.set(term, (counts.get(term) ?? 0) + 1));
  return counts;
}
