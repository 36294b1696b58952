/**
 * build: writes segments and their lexicons from the journal and the link graph. A build continues after the
 * last journal file that the manifest names.
 */

export { applyRanks, type LinkTables } from './apply-ranks.ts';
export { watchBacklog } from './backlog.ts';
export { buildIndex, indexPages } from './build.ts';
export {
  applyVectors,
  embedDocuments,
  hasVectorBatches,
  missingVectors,
  writeVectorBatch,
} from './embedding/mod.ts';
export {
  type BuildProgress,
  type BuildReport,
  FROM_ARCHIVE,
  Indexer,
  type IndexerOptions,
} from './indexer.ts';
export { mergeInThread } from './merge-runner.ts';
export { purgeIndex } from './purge-index.ts';
export { quotableOf } from './quotable.ts';
export { areVersionsReadable } from './record-versions.ts';
export { type RepairReport, repairIndex } from './repair.ts';
