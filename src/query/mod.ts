/** query: from a typed query to the top documents with snippets. */
export type { FeatureShare, ScoreBreakdown } from '../rank/mod.ts';
export { AssistedSearcher, type RefreshingSearcher } from './assisted-searcher.ts';
export { FUNCTION_WORDS, tellingWords } from './function-words.ts';
export {
  chooseKnownItems,
  findHomePages,
  type HomePages,
  type KnownItem,
  meanReciprocalRank,
} from './known-items.ts';
export { LocalSearcher, type LocalSearcherOptions, openSearcher, type RankedUrl } from './local-searcher.ts';
export type { LinkLookup } from './lookups.ts';
export type { Announced } from './newest-first.ts';
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
export { Corrector } from './spelling/corrector.ts';
export { PopularQueries } from './suggest/popular-queries.ts';
export { Suggester } from './suggest/suggester.ts';
export { type Synonym, Synonyms } from './synonyms/synonyms.ts';
export { parseSynonyms, type SynonymRule } from './synonyms/synonyms-file.ts';
export { SynonymsFollower } from './synonyms/synonyms-follower.ts';
export { wordFinder } from './word-finder.ts';
