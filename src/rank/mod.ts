/** rank: from what is known of a document and a query to a score that can be explained. Pure functions. */
export { inverseDocumentFrequency, lengthNorm, termScore } from './bm25.ts';
export {
  type Judgements,
  METRICS,
  type Measures,
  type Metric,
  meanOf,
  measure,
  measureRun,
  type Qrels,
  type Run,
  type RunEntry,
} from './evaluation/metrics.ts';
export { type Comparison, compareValues } from './evaluation/significance.ts';
export { formatRun, parseQrels, parseRun, parseTopics, type Topic } from './evaluation/trec-format.ts';
export { fit, type Tuning, type TuningQuery, tune, type Weights } from './evaluation/tune.ts';
export type {
  DocumentEvidence,
  Evidence,
  QueryStatistics,
  WholeDocument,
  WordEvidence,
} from './evidence.ts';
export {
  FEATURES,
  type Feature,
  type GlancedDocument,
  roughScorer,
  standingOf,
  withFeedback,
} from './features.ts';
export type { Feedback, Model, Profile } from './profile.ts';
export { builtInProfile, DEFAULT_PROFILE, PROFILE_NAMES, type ProfileName, readProfile } from './profiles.ts';
export { longestRun, smallestWindow } from './proximity.ts';
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
