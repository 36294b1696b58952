/**
 * Turns ranked matches into a page of results: limits per host, similar pages, site rules, cursors and kinds.
 */

export {
  CandidateList,
  type DocumentId,
  fingerprintOfRanked,
  hostOfRanked,
  type RankedDocument,
} from './candidate-list.ts';
export { type Cursor, encodeCursor } from './cursor.ts';
export { type FacetCount, facetsAmong, PERIOD_DAYS, type ResultFacets } from './facets.ts';
export {
  type Announced,
  type AnnouncedDays,
  announcedDays,
  datedAs,
  newestFirst,
  withAnnounced,
} from './newest-first.ts';
export { factorBy, orderByRules } from './order-by-rules.ts';
export { queryEvidenceOf } from './query-evidence.ts';
export { kindsAmong } from './result-kinds.ts';
export {
  nextCursor,
  type OtherPages,
  pageOf,
  type ResultsPage,
  readCursor,
  resultsOf,
} from './results-page.ts';
export { collapseNearDuplicates } from './similar.ts';
export { foldTranslations } from './translations.ts';
