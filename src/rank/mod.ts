/** rank: from what is known of a document and a query to a score that can be explained. Pure functions. */
export { inverseDocumentFrequency, lengthNorm, termScore } from './bm25.ts';
export { DEFAULT_PROFILE, type Profile } from './profile.ts';
export { longestRun, smallestWindow } from './proximity.ts';
export {
  type Evidence,
  explainScore,
  type QueryStatistics,
  type ScoreBreakdown,
  staticScore,
  type TermScore,
  textScore,
  type WordEvidence,
} from './score.ts';
