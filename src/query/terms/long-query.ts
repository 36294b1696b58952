/**
 * Shortens texts that are longer than a query may be to their most characteristic words.
 *
 * Users paste whole paragraphs, and test collections use them as queries. Words are dropped by weight:
 * function words first, then the words with the lowest product of IDF and frequency in the text. The
 * remaining words keep their order, because proximity matters.
 */
import type { IndexReader } from '../../index/mod.ts';
import { DEFAULT_STEMMING, termOf } from '../../text/mod.ts';
import { MAX_QUERY_WORDS } from '../language/mod.ts';
import { asTerms, lookUp, statisticsOf } from './statistics.ts';
import { countWords, usesOf } from './word-use.ts';

/** The maximum number of different words that are weighed. */
const MAX_WEIGHED = 1000;

/** Returns at most MAX_QUERY_WORDS words, each once, in the order of the text. */
export function mostTelling(text: string, { segments, stemmings }: IndexReader): string[] {
  const words = [...countWords(text).keys()].slice(0, MAX_WEIGHED);
  if (words.length <= MAX_QUERY_WORDS) return words;
  const terms = words.map((word) => termOf(word, stemmings[0] ?? DEFAULT_STEMMING));
  const searched = lookUp(segments, asTerms(terms));
  const uses = usesOf(text, { words: terms, typed: words.map((word) => [word]), phrases: [] });
  const { idfs, rarities } = statisticsOf(searched, words.length, uses, 0);
  const present = [...words.keys()].filter((at) => searched.some(({ lists }) => lists[at]!.length > 0));
  const order = present.sort((a, b) => idfs[b]! - idfs[a]! || rarities[b]! - rarities[a]! || a - b);
  const kept = new Set(order.slice(0, MAX_QUERY_WORDS));
  return words.filter((_, at) => kept.has(at));
}
