/**
 * Copies a crawl into an empty cluster, and the crawl of a stopped cluster to another place. The index and the ranks are
 * left out, because nodes build them from the journal.
 */
export { ClusterCopy, refuseLiveNodes, refuseUnfinishedMigration } from './cluster-copy.ts';
export { ClusterFiller } from './cluster-filler.ts';
