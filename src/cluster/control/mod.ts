/**
 * The control of a whole cluster: columns of its row in PostgreSQL that every node reads, twice a second while it crawls.
 * So commands reach all nodes within seconds, and also hold for nodes that start later.
 */

export {
  changeLiveSettings,
  type LiveSettings,
  readClusterControl,
  readLiveSettings,
  setCrawlPaused,
  stopCluster,
} from './cluster-control.ts';
export { type ClusterHealth, readClusterHealth } from './cluster-health.ts';
export { readIndexLagMs } from './index-lag.ts';
export { removeDeadNodes } from './dead-nodes.ts';
export { grantToNodes } from './node-grants.ts';
export {
  appendClusterAudit,
  changeClusterRemovals,
  markRemovalsSettled,
  readClusterAudit,
  readClusterRemovals,
  readRemovalRevision,
  readSettledRevision,
  readShardRemovals,
} from './removals.ts';
