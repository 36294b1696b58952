/**
 * Labels by which pages say that they are for adults: the RTA label ("Restricted to Adults", https://www.rtalabel.org)
 * and the values of `<meta name=rating>` that search engines know. Both may also be in the HTTP header `Rating`.
 */
import type { PageRating } from '../page.ts';

const RTA = /\bRTA-5042-1996-1400-1577-RTA\b/i;

/** Returns the rating that a label means; undefined for labels such as `general`, which restrict nothing. */
export function ratingIn(label: string): PageRating | undefined {
  const value = label.trim().toLowerCase();
  if (RTA.test(value) || value === 'adult' || value === 'restricted') return 'adult';
  return value === 'mature' ? 'mature' : undefined;
}
