/**
 * Carries out removals: takes removed pages out of the index and of the crawl state, and deletes every byte of
 * purged pages from the data directory. The list itself is in `cli/removals/`.
 */

export {
  type AffectedPages,
  affectedIn,
  allowTargets,
  changeAsAsked,
  describeRemovals,
  listRemovals,
  previewRemoval,
  type RemovalChange,
  type RemovalOutcome,
  type RemovalPlace,
  removalsIn,
  removeTargets,
  settleOrWait,
} from './change-removals.ts';
export { documentsOf } from './near-duplicates.ts';
export { settleBesideIndex, settleRemovals } from './settle-removals.ts';
