/**
 * Runs PageRank of graphology-metrics on a file of edges, and prints the seconds from unsorted edges to
 * converged ranks.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { EdgeFile } from './graphs.ts';

/**
 * The API of graphology that is used here. The library is installed below bench/, so the compiler has no
 * types for it.
 */
interface DirectedGraph {
  addNode(node: number): void;
  mergeEdge(source: number, target: number): void;
}
type PageRankOfGraphology = (graph: DirectedGraph, options: object) => Record<string, number>;

export function runGraphology({ path, nodeCount }: EdgeFile): { seconds: number; best: number } {
  const require = createRequire(join(import.meta.dirname, '..', 'package.json'));
  const { DirectedGraph } = require('graphology') as { DirectedGraph: new () => DirectedGraph };
  const pagerank = require('graphology-metrics/centrality/pagerank') as PageRankOfGraphology;
  const started = performance.now();
  const bytes = readFileSync(path);
  const pairs = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const graph = new DirectedGraph();
  for (let node = 0; node < nodeCount; node++) graph.addNode(node);
  for (let at = 0; at < pairs.length; at += 2)
    if (pairs[at] !== pairs[at + 1]) graph.mergeEdge(pairs[at]!, pairs[at + 1]!);
  // The tolerance of graphology applies to each node, the tolerance of Gyre to the sum over all nodes.
  const ranks = pagerank(graph, {
    alpha: 0.85,
    tolerance: 1e-6 / nodeCount,
    maxIterations: 200,
    getEdgeWeight: null,
  });
  const [best] = Object.entries(ranks).reduce((top, entry) => (entry[1] > top[1] ? entry : top));
  return { seconds: (performance.now() - started) / 1000, best: Number(best) };
}
