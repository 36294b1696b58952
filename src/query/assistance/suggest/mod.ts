/**
 * Suggestions for typed prefixes: phrases and popular queries that begin with them, with at most one typing
 * error.
 */

export { PopularQueries } from './popular-queries.ts';
export { Suggester, unspacedKey } from './suggester.ts';
