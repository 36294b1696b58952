/** query: from a typed query to the top documents with snippets. */
export { LocalSearcher, type LocalSearcherOptions, openSearcher } from './local-searcher.ts';
export { MAX_WORDS, type ParsedQuery, parseQuery } from './parse.ts';
export type {
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
  SearchResult,
  Suggestion,
} from './searcher.ts';
export {
  formatSiteRules,
  isSiteEffect,
  joinSiteRules,
  parseSiteRule,
  parseSiteRules,
  readSite,
  SITE_EFFECTS,
  type SiteEffect,
  SiteJudge,
  type SiteRule,
} from './site-rules.ts';
export { type Snippet, snippetOf } from './snippet.ts';
export { wordFinder } from './word-finder.ts';
