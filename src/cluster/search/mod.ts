/**
 * Search in a cluster: search nodes have the shards of the index, and gateways send queries to them over HTTP.
 *
 *   gateway: replicated shard -> search nodes -> message --> search node: server -> threads -> local shard
 *                                                            index copy <- manifest and segments
 *
 * Every shard is on several search nodes. The gateway of `query/` does not know that its shards are remote.
 */

export { askOpenShards, type OpenShards } from './open-shards.ts';
export { copyPhrases, type PhraseCopies } from './phrase-copies.ts';
export { replicatedShard } from './replicated-shard.ts';
export {
  announceSearchNode,
  readSearchMembers,
  SEARCH_NODES_SCHEMA,
  withdrawSearchNode,
} from './search-members.ts';
export { SearchNode } from './search-node.ts';
export { type SearchMember, SearchNodes } from './search-nodes.ts';
export { messageKey } from './shard-message.ts';
export { type ListenAddress, ShardServer } from './shard-server.ts';
export { ShardThreads } from './shard-threads.ts';
