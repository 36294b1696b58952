/**
 * Suggests queries for the text that a visitor has typed so far: phrases and popular queries that begin with it
 * (with at most one typing error), and the typed text with a likely next word.
 */

export { suggestNextWords } from './next-words.ts';
export { PopularQueries } from './popular-queries.ts';
export { Suggester, unspacedKey } from './suggester.ts';
