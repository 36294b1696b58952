/** Finds the pages that link to a page, for `link:` queries. */
import type { Directory } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { NodeUrls, nodeUrlsName } from './node-urls.ts';
import { graphName } from './ranks-format.ts';
import { type NodeRankTable, openRanks } from './ranks-reader.ts';
import { GraphFile } from './tiles/mod.ts';

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

/** Opens the link graph of the newest ranking. Returns null if there is no ranking yet. */
export function openLinks(directory: Directory): LinkTable | null {
  const ranks = openRanks(directory);
  if (!ranks || !directory.has(graphName(ranks.generation))) return null;
  return new GraphLinks(directory, ranks);
}

class GraphLinks implements LinkTable {
  readonly #ranks: NodeRankTable;
  readonly #graph: GraphFile;
  readonly #urls: NodeUrls;

  constructor(directory: Directory, ranks: NodeRankTable) {
    this.#ranks = ranks;
    this.#graph = new GraphFile(directory, graphName(ranks.generation));
    this.#urls = new NodeUrls(directory, nodeUrlsName(ranks.generation));
  }

  get generation(): number {
    return this.#ranks.generation;
  }

  linksTo(url: CanonicalUrl): RankedUrl[] {
    const node = this.#ranks.nodeOf(fingerprint(url));
    if (node < 0) return [];
    return this.#graph
      .sourcesOf(node)
      .sort((a, b) => a - b)
      .map((source) => this.#urls.urlOf(source))
      .map((source) => ({ url: source, rank: this.#ranks.rankOf(fingerprint(source)) }))
      .sort((a, b) => b.rank - a.rank);
  }

  documentOf(url: CanonicalUrl): CanonicalUrl | null {
    const node = this.#ranks.nodeOf(fingerprint(url));
    return node < 0 ? null : this.#urls.urlOf(node);
  }

  close(): void {
    this.#graph.close();
    this.#urls.close();
  }
}
