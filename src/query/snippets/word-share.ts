/** Computes the share of a query's words that a text contains. */
import { type Sought, sumOf } from './best-window.ts';
import type { Hit } from './query-highlighter.ts';

/** Returns the indexes of the query words that a text contains. */
export function wordsIn(text: string, { finder }: Sought): Set<number> {
  const hits: Hit[] = [];
  finder.find(text, 0, text.length, hits);
  return new Set(hits.map(({ word }) => word));
}

/**
 * Returns the share of the query's total word weight that `words` (indexes of query words) have, from 0 to 1.
 * Words such as "the" do not count.
 */
export function shareOf(words: ReadonlySet<number>, { weights, isMarked }: Sought): number {
  const counted = weights.map((weight, word) => ((isMarked?.[word] ?? true) ? weight : 0));
  const total = sumOf(counted);
  return total === 0 ? 0 : sumOf(counted.filter((_, word) => words.has(word))) / total;
}
