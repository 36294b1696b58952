/**
 * scoring: computes the score of a document for a query, and explains it. The score is made of features and
 * weights; a profile has all weights. All functions are pure.
 */

export { inverseDocumentFrequency, lengthNorm, termScore } from './bm25.ts';
export {
  compareValues,
  formatQrels,
  formatRun,
  formatTopics,
  METRICS,
  type Measures,
  meanOf,
  measureRun,
  type ProfileComparison,
  parseQrels,
  parseTopics,
  type Qrels,
  type Run,
  type RunEntry,
  SIGNIFICANT,
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
export { type Profile, profileDigest } from './profile.ts';
export {
  builtInProfile,
  DEFAULT_PROFILE,
  PROFILE_NAMES,
  readProfile,
  readProfileText,
} from './profiles.ts';
export { WHOLE_DOCUMENT } from './published.ts';
export { type RoughDocument, RoughScorer } from './rough-score.ts';
export {
  exactnessOf,
  explainScore,
  type FeatureShare,
  featureNames,
  isByMeaning,
  modelFeatures,
  modelScore,
  type ScoreBreakdown,
  staticScore,
  type TermScore,
  textScore,
} from './score.ts';
