/** Standing queries over HTTP: their feeds, the pages on which searchers save a search, and digests. */

export { renderDigest, type DigestFormat } from './digest.ts';
export { addressOf, feedRoutes as standingFeedRoutes } from './standing-feeds.ts';
export { followLink, savedSearchRoutes } from './saved-search-pages.ts';
export type { FeedPage, ListedQuery, QueryForm, StandingFeed, StandingTools } from './standing-tools.ts';
