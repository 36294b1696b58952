/**
 * The shards of the index in a cluster: which documents a shard has, where its files and its manifest are, and how an
 * indexer publishes a new version.
 */
export { PublishedIndex } from './published-index.ts';
export { resetDamagedShards, storeShardProblem } from './shard-problems.ts';
export { openShardBlobs, shardIndexName, shardOf } from './shard-place.ts';
