import type { ReadingPlan } from './reading-plan.ts';

/** Reads pages without extractors and collections. */
export const PLAIN_READING: ReadingPlan = { extractors: [], collections: [] };
