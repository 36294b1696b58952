/** Limits for the heaps of worker threads. */
import type { ResourceLimits } from 'node:worker_threads';

/**
 * Limit of the young generation of a thread in MiB. V8 divides it into three parts of 8 MiB. With V8's default
 * limit of 192 MiB, a thread would keep up to 192 MiB of garbage.
 */
const YOUNG_MB = 24;

/** Returns the limits with a limit for the young generation, if they have none. */
export function heapLimitsOf(limits: ResourceLimits): ResourceLimits {
  return { maxYoungGenerationSizeMb: YOUNG_MB, ...limits };
}
