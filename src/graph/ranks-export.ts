/**
 * Lists the ranks of documents for `gyre export`: all documents with URL and rank, or the best pages or hosts
 * by another measure.
 */
import { type Directory, UsageError } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { openHosts } from './hosts/mod.ts';
import type { RankedUrl } from './links-reader.ts';
import { NodeUrls, nodeUrlsName } from './node-urls.ts';
import { backEdgeRanks, hostScores, topNodes } from './pagerank/mod.ts';
import { graphName, hostGraphName, ranksGenerations } from './ranks-format.ts';
import { openRanks } from './ranks-reader.ts';
import { GraphFile } from './tiles/mod.ts';

const NOT_CRAWLED = -1;

/** Published variants of PageRank, for comparison with the ranks of Gyre. */
export const RANK_VARIANTS = ['back-edges', 'host-scores'] as const;
export type RankVariant = (typeof RANK_VARIANTS)[number];

export interface RankedName {
  /** A URL; for a variant that ranks hosts, the name of a host. */
  name: string;
  rank: number;
}

/** Yields every document of the newest ranks in the order of nodes: by domain, host and path. */
export function* exportRanks(directory: Directory): Generator<RankedUrl> {
  const ranks = openRanks(directory);
  if (!ranks) throw noRanks();
  const urls = new NodeUrls(directory, nodeUrlsName(ranks.generation));
  try {
    for (const url of urls) yield { url, rank: ranks.rankOf(fingerprint(url)) };
  } finally {
    urls.close();
  }
}

/** Returns the crawled pages with the highest ranks, best first, as `gyre rank` reports them. */
export function topPages(directory: Directory, count: number): RankedUrl[] {
  const table = openRanks(directory);
  if (!table) throw noRanks();
  const urls = new NodeUrls(directory, nodeUrlsName(table.generation));
  try {
    const rankIfCrawled = (url: CanonicalUrl) => {
      const key = fingerprint(url);
      return table.isCrawled(key) ? table.rankOf(key) : NOT_CRAWLED;
    };
    const ranks = Float32Array.from(urls[Symbol.iterator]().map(rankIfCrawled));
    const top = topNodes(ranks, count, (node) => ranks[node] !== NOT_CRAWLED);
    return top.map((node) => ({ url: urls.urlOf(node), rank: ranks[node]! }));
  } finally {
    urls.close();
  }
}

/**
 * Returns the best pages or hosts by a variant of PageRank, computed from the newest graph. Writes nothing.
 */
export function topByVariant(directory: Directory, variant: RankVariant, count: number): RankedName[] {
  const generation = ranksGenerations(directory).at(-1);
  if (generation === undefined) throw noRanks();
  return variant === 'host-scores'
    ? topHosts(directory, generation, count)
    : topByBackEdges(directory, generation, count);
}

function noRanks(): UsageError {
  return new UsageError('no-ranks', 'no ranks found: run gyre rank first');
}

function topByBackEdges(directory: Directory, generation: number, count: number): RankedName[] {
  const graph = new GraphFile(directory, graphName(generation));
  const urls = new NodeUrls(directory, nodeUrlsName(generation));
  try {
    const ranks = backEdgeRanks(graph, directory);
    return topNodes(ranks, count).map((node) => ({ name: urls.urlOf(node), rank: ranks[node]! }));
  } finally {
    urls.close();
    graph.close();
  }
}

function topHosts(directory: Directory, generation: number, count: number): RankedName[] {
  const graph = new GraphFile(directory, hostGraphName(generation));
  try {
    const names = Array.from(openHosts(directory)!.entries(), ([name]) => name);
    const scores = hostScores(graph);
    return topNodes(scores, count).map((host) => ({ name: names[host]!, rank: scores[host]! }));
  } finally {
    graph.close();
  }
}
