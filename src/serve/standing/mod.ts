/** Standing queries over HTTP: their feeds, the pages on which searchers save a search, and digests. */

export { renderDigest } from './digest.ts';
export { standingFeedRoutes } from './standing-feeds.ts';
export { followLink, savedSearchRoutes } from './saved-search-pages.ts';
export type { FeedPage, ListedQuery, QueryForm, StandingFeed, StandingTools } from './standing-tools.ts';
