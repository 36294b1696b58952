/**
 * Translates the words of a query to terms of an index: stems for each language, weights, and statistics over all
 * segments.
 */

export { contentWords, FUNCTION_WORDS } from './function-words.ts';
export { contentWordsOf, readLongText } from './long-query.ts';
export { meaningTextOf } from './meaning-text.ts';
export { filterOf, isEvery } from './segment-stemmings.ts';
export { nameWords } from './site-names.ts';
export {
  asTerms,
  type GlobalStatistics,
  joinStatistics,
  type ListEntry,
  liveFrequency,
  lookUp,
  type PartStatistics,
  partStatisticsOf,
  type SearchedSegment,
} from './statistics.ts';
export { knownTermOf } from './term-cache.ts';
export { findInSegments, type TermInSegments } from './term-directory.ts';
export {
  formsOf,
  languageTermsOf,
  type QueryVector,
  type TermQuery,
  termQueryOf,
  wantedForms,
  withRequirement,
  wordsOf,
} from './term-query.ts';
export type { WordTerm } from './word-terms.ts';
export { countTerms, countWords, usesOf } from './word-use.ts';
export { formsIn, type TermForms, writtenForms } from './written-forms.ts';
