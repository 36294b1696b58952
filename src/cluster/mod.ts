/**
 * cluster: the state that several nodes share, in PostgreSQL: the crawl state, the manifests of indexes, the members
 * of the cluster, the coordinator lease, and the owner and epoch of every vnode and index shard. A node that stops
 * loses them after its lease has expired, and its late writes are refused. Links travel between crawl nodes through
 * RabbitMQ; captures, journal and segments are in S3. Search nodes copy
 * segments to their disks, and gateways send queries to them over HTTP. Rank nodes compute one ranking together.
 */

export {
  claimJournalWriter,
  clusterCaptures,
  type DamagedBatch,
  findObjectDamage,
  JournalFeed,
  listDamagedBatches,
  openObjectCaptures,
  purgeClusterCaptures,
  replaceJournalObject,
  storeBatchProblem,
} from './captures/mod.ts';
export { measureClockOffset } from './clock-offset.ts';
export { checkClusterIdentity, readClusterIdentity } from './cluster-identity.ts';
export {
  type ClusterReport,
  type NodeReport,
  readClusterReport,
  readUnindexedBatches,
} from './cluster-report.ts';
export { Coordinator } from './coordinator.ts';
export {
  appendClusterAudit,
  changeClusterRemovals,
  changeLiveSettings,
  type ClusterHealth,
  grantToNodes,
  type LiveSettings,
  markRemovalsSettled,
  readClusterAudit,
  readClusterControl,
  readClusterHealth,
  readClusterRemovals,
  readIndexLagMs,
  readLiveSettings,
  readRemovalRevision,
  readSettledRevision,
  readShardRemovals,
  removeDeadNodes,
  setCrawlPaused,
  stopCluster,
} from './control/mod.ts';
export {
  applyClusterRemovals,
  findRemovedKeys,
  PostgresCrawlState,
  reserveSketches,
} from './crawl-state/mod.ts';
export {
  type ClusterDatabase,
  explainDatabaseError,
  openDatabase,
  openExistingDatabase,
  refusalIn,
} from './database.ts';
export { SHARD_TABLE } from './leased-tables.ts';
export {
  type DeadLetter,
  deleteDeadLetters,
  type QueueDepths,
  RabbitLinkExchange,
  readDeadLetterCount,
  readDeadLetters,
  readQueueDepths,
  resendDeadLetters,
} from './links/mod.ts';
export { Membership } from './membership.ts';
export {
  ClusterCopy,
  ClusterFiller,
  refuseLiveNodes,
  refuseUnfinishedMigration,
} from './migration/mod.ts';
export { PostgresAddressTurns } from './politeness/mod.ts';
export { postgresManifestStore } from './postgres-manifest-store.ts';
export {
  bringClusterRanks,
  bringShardNames,
  copyJournal,
  hasRanking,
  newestRankJob,
  putShardNames,
  type RankCopies,
  rankAsNode,
  removeOldRankings,
} from './ranks/mod.ts';
export { openS3BlobStore, type S3Options } from './s3-blob-store.ts';
export {
  announceSearchNode,
  askOpenShards,
  copyPhrases,
  type ListenAddress,
  messageKey,
  type OpenShards,
  type PhraseCopies,
  readSearchMembers,
  replicatedShard,
  type SearchMember,
  SearchNode,
  SearchNodes,
  ShardServer,
  ShardThreads,
  withdrawSearchNode,
} from './search/mod.ts';
export { ServiceError } from './service-error.ts';
export {
  openShardBlobs,
  PublishedIndex,
  resetDamagedShards,
  shardIndexName,
  shardOf,
  storeShardProblem,
} from './shards/mod.ts';
export { type OwnedVnode, VnodeOwner } from './vnode-owner.ts';
export { type Waiting, whileServicesHeal, withWaiting } from './wait-for-services.ts';
