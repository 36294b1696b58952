/** Translates words into the terms of an index: stems by language, weights, statistics over all segments. */

export { FUNCTION_WORDS, tellingWords } from './function-words.ts';
export { mostTelling } from './long-query.ts';
export {
  asTerms,
  type ListEntry,
  liveFrequency,
  lookUp,
  type SearchedSegment,
  statisticsOf,
} from './statistics.ts';
export { knownTermOf } from './term-cache.ts';
export { formsOf, frequencyIn, type TermQuery, termQueryOf, wantedForms } from './term-query.ts';
export type { Variant, WordTerm } from './word-terms.ts';
export { countTerms, countWords, usesOf } from './word-use.ts';
