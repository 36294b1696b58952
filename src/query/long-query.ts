/**
 * Texts that are longer than a query may be: the words that tell most about them stand for all.
 *
 * People paste whole paragraphs, and judged collections ask in them. Function words go first, then those that weigh
 * least by rarity and by how often the text says them. The order of the rest stays, as neighbours matter.
 */
import type { IndexReader } from '../index/mod.ts';
import { DEFAULT_STEMMING, termOf } from '../text/mod.ts';
import { MAX_WORDS } from './parse.ts';
import { asTerms, lookUp, statisticsOf } from './statistics.ts';
import { countWords, usesOf } from './word-use.ts';

/** How many different words are weighed at all. */
const MAX_WEIGHED = 1000;

/** At most as many words as a query may have, each once, in the order of the text. */
export function mostTelling(text: string, { segments, stemmings }: IndexReader): string[] {
  const words = [...countWords(text).keys()].slice(0, MAX_WEIGHED);
  if (words.length <= MAX_WORDS) return words;
  const terms = words.map((word) => termOf(word, stemmings[0] ?? DEFAULT_STEMMING));
  const searched = lookUp(segments, asTerms(terms));
  const uses = usesOf(text, { words: terms, typed: words.map((word) => [word]), phrases: [] });
  const { idfs, rarities } = statisticsOf(searched, words.length, uses, 0);
  const present = [...words.keys()].filter((at) => searched.some(({ lists }) => lists[at]!.length > 0));
  const order = present.sort((a, b) => idfs[b]! - idfs[a]! || rarities[b]! - rarities[a]! || a - b);
  const kept = new Set(order.slice(0, MAX_WORDS));
  return words.filter((_, at) => kept.has(at));
}
