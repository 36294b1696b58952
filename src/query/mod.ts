/**
 * query: answers a typed query with a page of results and snippets. Also corrects spelling, suggests queries and
 * explains scores. All work for a query has one time limit, and the words that a query expands to have one common
 * limit.
 */

export { FAMILY_LEVELS, type FamilyLevel } from '../index/mod.ts';
export type { FeatureShare, ScoreBreakdown } from '../scoring/mod.ts';
export {
  AssistedSearcher,
  mayBeMisspelled,
  PopularQueries,
  parseSynonyms,
  QueryCorrector,
  type RefreshingSearcher,
  type SynonymRule,
  Synonyms,
  SynonymsFollower,
} from './assistance/mod.ts';
export { LateError } from './deadline.ts';
export { Gateway } from './gateway/mod.ts';
export {
  chooseKnownItems,
  findHomePages,
  type HomePages,
  type KnownItem,
  meanReciprocalRank,
} from './known-items.ts';
export { type LinkLookup, parseQuery, type QueryNote } from './language/mod.ts';
export { LocalSearcher, openSearcher } from './local-searcher.ts';
export { isExpensive } from './query-cost.ts';
export { type FacetCount, PERIOD_DAYS, type ResultFacets } from './results/mod.ts';
export type {
  Arrival,
  ExplainOptions,
  IndexStats,
  PassageAnswer,
  Searcher,
  SearchRequest,
  SearchResponse,
  SearchResult,
  Suggestion,
} from './searcher.ts';
export {
  findNearDuplicates,
  type InspectedUrl,
  inspectUrlIn,
  LocalShard,
  type SearchShard,
  ShardChangedError,
  type ShardState,
} from './shard/mod.ts';
export { pageHighlighter } from './snippets/mod.ts';
export { contentWords, FUNCTION_WORDS, type QueryVector } from './terms/mod.ts';
export { WarmUp } from './warm-up.ts';
