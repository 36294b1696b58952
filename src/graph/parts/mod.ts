/**
 * Computes a ranking together with other workers, for a graph that is too large for one of them: the journals
 * become tiles in parts, and PageRank exchanges slices of ranks between the parts. The ranks are the same as in
 * a ranking on one node. Workers meet on a `RankBoard` and exchange bytes through a `BlobStore`; see
 * rank-job.ts.
 */

export {
  FIRST_PHASE,
  type FinishedTask,
  type NextTask,
  type RankBoard,
  type RankJob,
  type TakenTask,
  type RankTaskResult,
  taskCountOf,
} from './rank-job.ts';
export { workOnRanks } from './rank-worker.ts';
export { fetchRankedParts } from './ranked-files.ts';
export { openRankedParts } from './ranked-parts.ts';
export type { RankWorkerOptions } from './task-context.ts';
