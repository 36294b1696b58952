/**
 * Suggestions for typed prefixes: phrases and popular queries that begin with them, with at most one typing
 * error, and queries with the words that are likely to follow.
 */

export { suggestNextWords } from './next-words.ts';
export { PopularQueries } from './popular-queries.ts';
export { Suggester, unspacedKey } from './suggester.ts';
