/**
 * Measures how far the ranks are from their fixed point after a few iterations. There are two measures: the sum
 * of all differences, and the share of the hundred best pages that are among the hundred best of the fixed
 * point. Ranks sum to 1 and start equal.
 */
import { RankEngine } from '../../src/graph/pagerank/pagerank.ts';
import type { GraphFile } from '../../src/graph/tiles/tiles-reader.ts';
import type { BenchRow } from '../report.ts';

const ITERATIONS = [1, 5, 10, 15, 20];
/**
 * The number of iterations after which the ranks count as the fixed point. With a damping of 0.85 the distance
 * to the fixed point after n iterations is at most 2 × 0.85^n, which for this number is below the precision of
 * the ranks.
 */
const FIXED_POINT_ITERATIONS = 120;
const TOP = 100;

export function convergenceRows(graph: GraphFile, name: string): BenchRow[] {
  const engine = new RankEngine(graph);
  const ranks = new Map<number, Float32Array>();
  for (let iteration = 1; iteration <= FIXED_POINT_ITERATIONS; iteration++) {
    engine.step();
    if (ITERATIONS.includes(iteration)) ranks.set(iteration, engine.ranks());
  }
  const fixed = engine.ranks();
  engine.close();
  const best = new Set(topOf(fixed));
  return [...ranks].map(([iterations, after]) => ({
    name: `ranks after ${iterations}`,
    graph: name,
    iterations,
    edges: graph.shape.edgeCount,
    distance: after.reduce((sum, rank, node) => sum + Math.abs(rank - fixed[node]!), 0),
    'top 100 overlap': topOf(after).filter((node) => best.has(node)).length / best.size,
  }));
}

function topOf(ranks: Float32Array): number[] {
  const nodes = Array.from(ranks.keys());
  return nodes.sort((a, b) => ranks[b]! - ranks[a]! || a - b).slice(0, TOP);
}
