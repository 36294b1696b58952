/**
 * PageRank by power iteration: the chance of meeting a page on an endless walk that follows a random
 * link with probability `damping` and starts again anywhere otherwise.
 *
 * The graph is kept by its in-links in one array (compressed sparse rows): the links to page `p`
 * come from `inSources[inOffsets[p]]` up to but without `inSources[inOffsets[p + 1]]`.
 */

export interface LinkGraph {
  nodeCount: number;
  /** `nodeCount + 1` positions in `inSources`. */
  inOffsets: Uint32Array;
  inSources: Uint32Array;
  outDegrees: Uint32Array;
}

export interface PageRankOptions {
  damping: number;
  maxIterations: number;
  /** Stop when a step changes the ranks by less than this in total. */
  tolerance: number;
}

export interface PageRankResult {
  ranks: Float64Array;
  iterations: number;
  /** What the last step still changed. */
  distance: number;
}

/**
 * The graph of the links in `targets`: those of node `n` are `targets[outOffsets[n]]` and on. Sources
 * of a node come out ascending, so neighbours in the order of nodes are neighbours in memory.
 */
export function buildGraph(outOffsets: Uint32Array, targets: Uint32Array): LinkGraph {
  const nodeCount = outOffsets.length - 1;
  const inOffsets = new Uint32Array(nodeCount + 1);
  for (const target of targets) inOffsets[target + 1]!++;
  for (let node = 0; node < nodeCount; node++) inOffsets[node + 1]! += inOffsets[node]!;
  const inSources = new Uint32Array(targets.length);
  const outDegrees = new Uint32Array(nodeCount);
  const free = inOffsets.slice();
  for (let node = 0; node < nodeCount; node++) {
    const end = outOffsets[node + 1]!;
    outDegrees[node] = end - outOffsets[node]!;
    for (let at = outOffsets[node]!; at < end; at++) inSources[free[targets[at]!]!++] = node;
  }
  return { nodeCount, inOffsets, inSources, outDegrees };
}

export function pageRank(graph: LinkGraph, options: PageRankOptions): PageRankResult {
  let ranks = new Float64Array(graph.nodeCount).fill(1 / graph.nodeCount);
  let next = new Float64Array(graph.nodeCount);
  const shares = new Float64Array(graph.nodeCount);
  let iterations = 0;
  let distance = graph.nodeCount === 0 ? 0 : Number.POSITIVE_INFINITY;
  while (distance >= options.tolerance && iterations < options.maxIterations) {
    distance = rankStep(graph, options.damping, ranks, next, shares);
    [ranks, next] = [next, ranks];
    iterations++;
  }
  return { ranks, iterations, distance };
}

/**
 * One power iteration: reads `ranks`, fills `next`, returns the L1 distance between them. `shares` is
 * room for what each node hands on along each of its links.
 *
 * A page hands `damping` of its rank to the pages it links to and the rest to all pages alike. A page
 * without links would let its share drain away, so that share is gathered first and spread too:
 * ranks sum to 1 after every step.
 *
 * Pulls over in-links rather than pushing over out-links: each `next[node]` is written once.
 */
export function rankStep(
  graph: LinkGraph,
  damping: number,
  ranks: Float64Array,
  next: Float64Array,
  shares: Float64Array,
): number {
  const { nodeCount, inOffsets, inSources } = graph;
  const dangling = fillShares(graph, ranks, shares);
  const base = (1 - damping + damping * dangling) / nodeCount;
  let distance = 0;
  for (let node = 0, at = 0; node < nodeCount; node++) {
    const end = inOffsets[node + 1]!;
    let sum = 0;
    for (; at < end; at++) sum += shares[inSources[at]!]!;
    const rank = base + damping * sum;
    distance += Math.abs(rank - ranks[node]!);
    next[node] = rank;
  }
  return distance;
}

/** Fills what each node hands on along each link and returns the rank of the nodes that have none. */
function fillShares(graph: LinkGraph, ranks: Float64Array, shares: Float64Array): number {
  const { nodeCount, outDegrees } = graph;
  let dangling = 0;
  for (let node = 0; node < nodeCount; node++) {
    const degree = outDegrees[node]!;
    if (degree === 0) dangling += ranks[node]!;
    else shares[node] = ranks[node]! / degree;
  }
  return dangling;
}
