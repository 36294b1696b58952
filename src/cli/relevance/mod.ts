/**
 * Judged queries and what they decide: the relevance desk of the admin pages, the evaluation of ranking profiles, and the
 * gate through which a profile comes into force.
 */

export {
  JUDGED_FLAGS,
  type Judged,
  judgedIdOf,
  type MeasuredProfile,
  measureProfile,
  openForEvaluation,
  readJudged,
} from './judged-run.ts';
export {
  baselineIn,
  compareMeasures,
  publishProfile,
  rollBackProfile,
  servedNote,
} from './publish-profile.ts';
export { openRelevanceDesk } from './relevance-desk.ts';
