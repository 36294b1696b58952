/** Finds the pages that link to a page, for `link:` queries. */
import type { Directory } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { NodeUrls, nodeUrlsName } from './node-urls.ts';
import { graphName } from './ranks-format.ts';
import { type NodeRankTable, openRanks } from './ranks-reader.ts';
import { GraphFile, RANGE_NODES } from './tiles/mod.ts';

export interface RankedUrl {
  url: CanonicalUrl;
  rank: number;
}

export interface LinkTable {
  readonly generation: number;
  /** Returns the pages that link to the document of `url` or to one of its aliases, by descending rank. */
  linksTo(url: CanonicalUrl): RankedUrl[];
  /** Returns the main URL of the document to which `url` belongs; null if `url` is unknown. */
  documentOf(url: CanonicalUrl): CanonicalUrl | null;
  close(): void;
}

/** A part of the link graph. The nodes of a part have consecutive numbers, which begin with `firstNode`. */
interface GraphPart {
  graph: GraphFile;
  urls: NodeUrls;
  firstNode: number;
}

/**
 * Opens the link graph of the newest ranking. Returns null if there is no ranking yet. A ranking of several nodes has one
 * directory for each part of the graph. Rank files of more than `residentBytes` bytes together are read from disk at
 * each look-up.
 */
export function openLinks(
  directories: Directory | readonly Directory[],
  residentBytes = Number.POSITIVE_INFINITY,
): LinkTable | null {
  const all: readonly Directory[] = [directories].flat();
  const opened = all.map((directory) => openRanks(directory, residentBytes / all.length));
  const ranks = opened.filter((table) => table !== null);
  const hasGraph = opened.every((table, part) => table && all[part]!.has(graphName(table.generation)));
  if (hasGraph && ranks.length > 0) return new GraphLinks(ranks, all);
  for (const table of ranks) table.close();
  return null;
}

class GraphLinks implements LinkTable {
  readonly #ranks: readonly NodeRankTable[];
  readonly #parts: readonly GraphPart[];

  constructor(ranks: readonly NodeRankTable[], directories: readonly Directory[]) {
    this.#ranks = ranks;
    this.#parts = ranks.map(({ generation }, part) => {
      const graph = new GraphFile(directories[part]!, graphName(generation));
      const urls = new NodeUrls(directories[part]!, nodeUrlsName(generation));
      return { graph, urls, firstNode: graph.shape.firstColumn * RANGE_NODES };
    });
  }

  get generation(): number {
    return this.#ranks[0]!.generation;
  }

  linksTo(url: CanonicalUrl): RankedUrl[] {
    const node = this.#nodeOf(url);
    if (node < 0) return [];
    return this.#partOf(node)
      .graph.sourcesOf(node)
      .sort((a, b) => a - b)
      .map((source) => this.#urlOf(source))
      .map((source) => ({ url: source, rank: this.#rankOf(source) }))
      .sort((a, b) => b.rank - a.rank);
  }

  documentOf(url: CanonicalUrl): CanonicalUrl | null {
    const node = this.#nodeOf(url);
    return node < 0 ? null : this.#urlOf(node);
  }

  close(): void {
    for (const { graph, urls } of this.#parts) {
      graph.close();
      urls.close();
    }
    for (const table of this.#ranks) table.close();
  }

  #nodeOf(url: CanonicalUrl): number {
    const key = fingerprint(url);
    for (const table of this.#ranks) {
      const node = table.nodeOf(key);
      if (node >= 0) return node;
    }
    return -1;
  }

  #rankOf(url: CanonicalUrl): number {
    const key = fingerprint(url);
    return this.#ranks.reduce((rank, table) => (rank > 0 ? rank : table.rankOf(key)), 0);
  }

  #partOf(node: number): GraphPart {
    return this.#parts.findLast(({ firstNode }) => firstNode <= node)!;
  }

  #urlOf(node: number): CanonicalUrl {
    const { urls, firstNode } = this.#partOf(node);
    return urls.urlOf(node - firstNode);
  }
}
