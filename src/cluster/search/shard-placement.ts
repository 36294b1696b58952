/**
 * Decides which search nodes have which shards: rendezvous hashing with weights.
 *
 * Every node has a score for every shard, from a hash of both names. The nodes with the highest scores have the
 * shard. All nodes compute the same placement from the list of live nodes, without talking to each other. If a
 * node leaves, only its own shards move. If a node joins, only the shards that it gets move.
 *
 * The score is `-weight / ln(x)` for a hash x in (0, 1) (Schindelhauer and Schomaker, "Weighted Distributed Hash
 * Tables", 2005): the probability that a node has the highest score is proportional to its weight.
 */
import { hash64 } from '../../base/mod.ts';

interface PlacedNode {
  node: string;
  weight: number;
}

const HASHES = 2 ** 64;

/** Returns the names of the nodes that have the shard, best first: `replicas` of them, or all if there are fewer. */
export function placeShard(shard: string, nodes: readonly PlacedNode[], replicas: number): string[] {
  return nodes
    .map(({ node, weight }) => ({ node, score: scoreOf(shard, node, weight) }))
    .sort((a, b) => b.score - a.score || (a.node < b.node ? -1 : 1))
    .slice(0, replicas)
    .map(({ node }) => node);
}

function scoreOf(shard: string, node: string, weight: number): number {
  // Adding a half keeps the number above 0. Rounding may make it 1, but never more.
  const uniform = (Number(hash64(`${shard} ${node}`)) + 0.5) / HASHES;
  return -weight / Math.log(Math.min(uniform, 1 - Number.EPSILON));
}
