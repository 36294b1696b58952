/**
 * Chooses and merges segments. A merge only reads and writes files, so that it can run in another thread; it
 * drops deleted documents.
 */

export { chooseMerge } from './merge-policy.ts';
export { compareStrings, mergeEntries, mergeTermEntries } from './merge-sorted.ts';
export { type MergeLexicons, type MergeOutcome, type MergePlan, runMerge } from './run-merge.ts';
export { TimeSlice } from './time-slice.ts';
