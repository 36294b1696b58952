/**
 * Shortens texts that are longer than a query may be to their most characteristic words.
 *
 * Users paste whole paragraphs, and test collections use them as queries. Words are dropped by weight:
 * function words first, then the words with the lowest product of IDF and frequency in the text. The
 * remaining words keep their order, because proximity matters.
 */
import { type Stemming, termOf } from '../../text/mod.ts';
import { MAX_QUERY_WORDS } from '../language/mod.ts';
import { asTerms, joinStatistics, type PartStatistics } from './statistics.ts';
import type { WordTerm } from './word-terms.ts';
import { countWords, usesOf } from './word-use.ts';

/** The maximum number of different words of a pasted text among which the query is chosen; later words are ignored. */
const MAX_WEIGHED = 1000;

/** The words of a pasted text, and their terms. The document frequencies of the terms decide which words are kept. */
interface LongText {
  text: string;
  words: readonly string[];
  terms: WordTerm[][];
}

/**
 * Returns the different words of a pasted text. Their terms are included only if the text has more words than a
 * query may have.
 */
export function readLongText(text: string, stemming: Stemming): LongText {
  const words = [...countWords(text).keys()].slice(0, MAX_WEIGHED);
  const isLong = words.length > MAX_QUERY_WORDS;
  return { text, words, terms: isLong ? asTerms(words.map((word) => termOf(word, stemming))) : [] };
}

/**
 * Returns the most characteristic words of a pasted text: at most MAX_QUERY_WORDS, each once, in the order of the
 * text.
 */
export function contentWordsOf(
  { text, words, terms }: LongText,
  parts: readonly PartStatistics[],
): readonly string[] {
  if (terms.length === 0) return words;
  const own = terms.map(([first]) => first!.term);
  const uses = usesOf(text, { words: own, typed: words.map((word) => [word]), phrases: [] });
  const { idfs, rarities } = joinStatistics(parts, terms, uses, 0);
  const present = [...words.keys()].filter((at) => parts.some((part) => part.words[at]!.own[0]! > 0));
  const order = present.sort((a, b) => idfs[b]! - idfs[a]! || rarities[b]! - rarities[a]! || a - b);
  const kept = new Set(order.slice(0, MAX_QUERY_WORDS));
  return words.filter((_, at) => kept.has(at));
}
