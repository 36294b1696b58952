/** Rates texts by the words of a query that they have. */
import { type Sought, sumOf } from './best-window.ts';
import type { Hit } from './query-highlighter.ts';

/** Returns the words of the query in a text, by their numbers. */
export function wordsIn(text: string, { finder }: Sought): Set<number> {
  const hits: Hit[] = [];
  finder.find(text, 0, text.length, hits);
  return new Set(hits.map(({ word }) => word));
}

/** Returns the share of the query's weight that these words have, from 0 to 1. Words such as "the" do not count. */
export function shareOf(words: ReadonlySet<number>, { weights, isMarked }: Sought): number {
  const counted = weights.map((weight, word) => ((isMarked?.[word] ?? true) ? weight : 0));
  const total = sumOf(counted);
  return total === 0 ? 0 : sumOf(counted.filter((_, word) => words.has(word))) / total;
}
