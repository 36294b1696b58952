/**
 * Carries out removals: takes removed pages out of the index and of the crawl state, and deletes every byte of
 * purged pages from the data directory. The list itself is in `cli/removals/`.
 */

export {
  allowTargets,
  previewRemoval,
  type RemovalOutcome,
  removeTargets,
  settleOrWait,
} from './change-removals.ts';
export { settleBesideIndex, settleRemovals } from './settle-removals.ts';
