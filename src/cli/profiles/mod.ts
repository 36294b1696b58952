/**
 * The ranking profiles of a data directory. A profile comes into force only with the record of an evaluation that it has
 * passed. `cli/relevance/` makes the evaluations; this shelf only reads and writes small files.
 */

export { type EvaluationRecord, failsGate, LEAST_QUERIES } from './evaluation-record.ts';
export {
  chooseProfile,
  FORMER_FILE,
  JUDGEMENTS,
  PROFILE_FLAG,
  profileInForce,
  verifiedProfile,
} from './profile-choice.ts';
export { ProfileFollower } from './profile-follower.ts';
export {
  describeStored,
  freeName,
  readHistory,
  rollBack,
  type StoredProfile,
  stackOf,
  storedNames,
  storePublished,
} from './stored-profiles.ts';
