/**
 * Rankings that several nodes compute together: when one begins, its tasks in PostgreSQL with owners and epochs, and the
 * work of the role `rank`. The computation itself is in `graph/`.
 */

export { hasRanking, removeOldRankings } from './due-ranking.ts';
export { newestRankJob } from './postgres-rank-board.ts';
export { bringClusterRanks, copyJournal, type RankCopies, rankAsNode } from './rank-node.ts';
export { bringShardNames, putShardNames } from './shard-names.ts';
