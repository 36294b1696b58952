/**
 * The second stage of a search: computes positions, features and query expansion for the best matches of the first
 * stage.
 */

export { bestStretch, type QuotedPhrase } from './best-stretch.ts';
export { placesByScore } from './ordering.ts';
export {
  chooseExpansionTerms,
  isExpanded,
  MIN_EXPANSION_DOCUMENTS,
  maxExpansionFrequency,
  scoreExpansion,
} from './query-expansion.ts';
export {
  gatherEvidence,
  gatherPositions,
  roughEvidence,
  roughScores,
  type SecondStage,
  type SegmentDoc,
  type SegmentEvidence,
} from './rerank.ts';
export { sharedWords } from './shared-words.ts';
export { topicTermsOf } from './topic-terms.ts';
export { termsOfDocuments } from './whole-document.ts';
