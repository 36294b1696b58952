/**
 * scoring: turns features of a document and a query into a score that can be explained. Pure functions and
 * profiles; nothing to open or close.
 */

export { inverseDocumentFrequency, lengthNorm, termScore } from './bm25.ts';
export {
  compareValues,
  formatRun,
  METRICS,
  type Measures,
  meanOf,
  measureRun,
  parseQrels,
  parseTopics,
  type Qrels,
  type Run,
  type RunEntry,
  type Topic,
  type TuningQuery,
  tune,
} from './evaluation/mod.ts';
export {
  type DocumentEvidence,
  type Evidence,
  type QueryStatistics,
  textPositions,
  type WholeDocument,
  type WordEvidence,
} from './evidence.ts';
export { standingOf, withExpansion } from './features.ts';
export type { Profile } from './profile.ts';
export { builtInProfile, DEFAULT_PROFILE, PROFILE_NAMES, readProfile } from './profiles.ts';
export { WHOLE_DOCUMENT } from './published.ts';
export {
  explainScore,
  type FeatureShare,
  featureNames,
  modelFeatures,
  modelScore,
  type ScoreBreakdown,
  staticScore,
  type TermScore,
  textScore,
} from './score.ts';
export { type RoughDocument, roughScorer } from './rough-score.ts';
