/**
 * Two published variants of PageRank, for comparison only.
 *
 * `backEdgeRanks` ranks pages: every page starts with rank 1; a page without links gets a link back to each
 * page that links to it; all links have the same weight; 15 iterations. `hostScores` ranks hosts: 10
 * iterations, scaled to the range from 0 to 10.
 */
import { type Directory, partOf } from '../../base/mod.ts';
import { GraphBuilder, GraphFile } from '../tiles/mod.ts';
import { pageRank } from './pagerank.ts';

const BACK_EDGE_ITERATIONS = 15;
const HOST_ITERATIONS = 10;
const HOST_SCALE = 10;

/**
 * Ranks pages after it has changed the graph: a page without links gets a link back to each page that links to
 * it. An average page has a rank of about 1. `directory` is for temporary files.
 */
export function backEdgeRanks(graph: GraphFile, directory: Directory, damping?: number): Float32Array {
  const name = partOf('back-edges.graph');
  const { nodeCount } = graph.shape;
  const builder = new GraphBuilder(directory, name, { nodeCount });
  graph.forEachEdge((source, target) => {
    builder.add(source, target);
    if (graph.outWeights[target] === 0) builder.add(target, source);
  });
  builder.finish();
  const closed = new GraphFile(directory, name);
  try {
    const options = { sinks: 'lose' as const, maxIterations: BACK_EDGE_ITERATIONS, tolerance: 0 };
    const { ranks } = pageRank(closed, { ...options, ...(damping !== undefined && { damping }) });
    return ranks.map((rank) => rank * nodeCount);
  } finally {
    closed.close();
    directory.remove(name);
  }
}

/** Scores hosts from 0 for the lowest to 10 for the highest. If all hosts have the same rank, all get 0. */
export function hostScores(hostGraph: GraphFile): Float32Array {
  const { ranks } = pageRank(hostGraph, { maxIterations: HOST_ITERATIONS, tolerance: 0 });
  const lowest = ranks.reduce((min, rank) => Math.min(min, rank), Number.POSITIVE_INFINITY);
  const highest = ranks.reduce((max, rank) => Math.max(max, rank), 0);
  const range = highest - lowest;
  return ranks.map((rank) => (range > 0 ? (HOST_SCALE * (rank - lowest)) / range : 0));
}
