/**
 * Chooses and merges segments. A merge drops deleted documents. It only reads and writes files, so it can run
 * in another thread.
 */

export { chooseMerge } from './merge-policy.ts';
export { compareStrings, mergeEntries, mergeTermEntries } from './merge-sorted.ts';
export { type MergeLexicons, type MergeOutcome, type MergePlan, runMerge } from './run-merge.ts';
export { TimeSlice } from './time-slice.ts';
