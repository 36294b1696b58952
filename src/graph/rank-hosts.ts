/** Ranks the hosts by the links between them, and computes the signals of each host. */
import { type HostLinks, type HostSignals, linkSignals, mostVouchedFor } from './hosts/mod.ts';
import { type PageRankOptions, pageRank } from './pagerank/mod.ts';
import type { GraphFile } from './tiles/mod.ts';

/**
 * Returns the signals of each host. `trusted` are the hosts at which trust starts; if it is null, they are chosen by
 * their links.
 */
export function rankHosts(
  graph: GraphFile,
  domainOf: Uint32Array,
  trusted: ReadonlySet<number> | null,
  options: PageRankOptions,
): HostSignals[] {
  const hostCount = graph.shape.nodeCount;
  const { ranks } = pageRank(graph, options);
  const signals = linkSignals(hostCount, hostLinksOf(graph), domainOf);
  const restarts = new Float32Array(hostCount);
  for (const host of trusted ?? mostVouchedFor(signals)) restarts[host] = 1;
  const trust = pageRank(graph, { ...options, restarts }).ranks;
  return signals.map((row, host) => {
    const rank = ranks[host]!;
    return { ...row, rank, trust: rank === 0 ? 0 : trust[host]! / rank };
  });
}

function hostLinksOf(graph: GraphFile): HostLinks {
  const sources = new Uint32Array(graph.shape.edgeCount);
  const targets = new Uint32Array(graph.shape.edgeCount);
  let at = 0;
  graph.forEachEdge((source, target) => {
    sources[at] = source;
    targets[at++] = target;
  });
  return { sources, targets };
}
