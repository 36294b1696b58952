/**
 * Captures and journal records of a cluster, as objects in S3. A crawl node uploads each batch before it commits
 * it; index nodes copy the journal objects of committed batches to their disk.
 */
export { clusterCaptures } from './capture-index.ts';
export { journalObject } from './capture-objects.ts';
export {
  type DamagedBatch,
  listDamagedBatches,
  replaceJournalObject,
  storeBatchProblem,
} from './damaged-batches.ts';
export { findObjectDamage } from './journal-check.ts';
export { JournalFeed } from './journal-feed.ts';
export { addCaptureBatch, claimJournalWriter, listJournalWriters, writerName } from './journal-writers.ts';
export { openObjectCaptures } from './object-capture-store.ts';
export { purgeClusterCaptures } from './purge-captures.ts';
