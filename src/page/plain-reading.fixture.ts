import type { ReadingPlan } from './reading-plan.ts';

/** Reads pages without extractors, collections and record rules. */
export const PLAIN_READING: ReadingPlan = { extractors: [], collections: [], recordRules: [] };
