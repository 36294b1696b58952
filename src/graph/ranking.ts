/**
 * Computes one ranking: reads the runs, builds the graphs of pages and of hosts, collects anchor texts, and
 * ranks.
 *
 * The rank file is written last, after all other files of the new generation, and makes them valid. If
 * anything fails before that, the last good ranks stay. Memory: about 20 bytes for each URL, and the graph
 * while it is ranked. Edges and texts are sorted on disk.
 */
import { CorruptError, type Directory } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { AnchorCollector, anchorsName } from './anchors/mod.ts';
import { type HostLinks, type HostSignals, linkSignals, mostVouchedFor, writeHosts } from './hosts/mod.ts';
import type { RankedUrl } from './links-reader.ts';
import { hostsNamed, nodesNamed } from './named-nodes.ts';
import { NodeUrls, nodeUrlsName, writeNodeUrls } from './node-urls.ts';
import { type PageRankOptions, type PageRankResult, pageRank, topNodes } from './pagerank/mod.ts';
import type { RankOptions, RankReport } from './rank-pages.ts';
import { graphName, hostGraphName, ranksGenerations, removeOtherGenerations } from './ranks-format.ts';
import { openRanks, type RankTable } from './ranks-reader.ts';
import { writeRanks } from './ranks-writer.ts';
import { MergedRuns, type RunFile, type RunRecord } from './runs/mod.ts';
import { LINK_WEIGHTS, TemplateLinks } from './template-links.ts';
import { GraphBuilder, GraphFile } from './tiles/mod.ts';
import { drawNodes, hostsWithForeignPages, linkedNodes, type NodeTables, UrlTable } from './web-tables.ts';

const DEFAULT_TOP = 20;
/** The factor for the vote of a host for a page of its own domain. */
const OWN_VOTE = 0.25;

export class Ranking {
  readonly #options: RankOptions;
  readonly #output: Directory;
  readonly #generation: number;
  readonly #urls = new UrlTable();
  readonly #merge: MergedRuns;
  readonly #nodes: NodeTables;
  readonly #anchors: AnchorCollector;
  /** The nodes and hosts that the user named as seeds or as trusted; null if there are none. */
  readonly #seeds: Set<number> | null;
  readonly #trusted: Set<number> | null;

  constructor(options: RankOptions, runs: readonly RunFile[]) {
    this.#options = options;
    this.#output = options.output;
    this.#generation = (ranksGenerations(options.output).at(-1) ?? 0) + 1;
    this.#merge = new MergedRuns(runs, (url) => this.#urls.add(url));
    this.#nodes = drawNodes(this.#merge, this.#urls);
    const { seeds = [], trusted = [] } = options;
    this.#seeds = seeds.length > 0 ? nodesNamed(seeds, this.#urls, this.#nodes) : null;
    this.#trusted = trusted.length > 0 ? hostsNamed(trusted, this.#urls, this.#nodes) : null;
    this.#anchors = new AnchorCollector(this.#output, this.#nodes.nodeCount);
  }

  run(): RankReport {
    const { nodeCount, hosts, crawled } = this.#nodes;
    this.#drawLinks();
    writeNodeUrls(this.#output, nodeUrlsName(this.#generation), this.#crawledUrls());
    const anchoredCount = this.#writeAnchors(this.#rankHosts());
    const { ranks, linkCount, iterations, distance } = this.#rankNodes();
    const { lows, highs } = this.#urls;
    const columns = { lows: lows.view(), highs: highs.view(), nodeOf: this.#nodes.nodeOf, ranks, crawled };
    writeRanks(this.#output, this.#generation, columns);
    removeOtherGenerations(this.#output, this.#generation);
    return {
      generation: this.#generation,
      pageCount: crawled.reduce((sum, isCrawled) => sum + isCrawled, 0),
      ...{ nodeCount, linkCount, hostCount: hosts.length, anchoredCount, iterations, distance },
      topPages: this.#topPages(ranks),
    };
  }

  /**
   * Adds every link to the graph of pages, to the graph of hosts and, with its text, to the anchors. Pages
   * are read in the order of the URLs under which they were fetched, and template links are detected for each
   * host of these URLs. The vote of an anchor text counts for the host of the document. This can be another
   * host, if the page was fetched under an alias.
   */
  #drawLinks(): void {
    const { nodeCount, hostOf: hostOfNode, hosts, domainOf, nodeOf, isRepresentative } = this.#nodes;
    const pages = new GraphBuilder(this.#output, graphName(this.#generation), {
      nodeCount,
      weights: LINK_WEIGHTS,
    });
    const between = new GraphBuilder(this.#output, hostGraphName(this.#generation), {
      nodeCount: hosts.length,
    });
    const domainOfNode = (node: number) => domainOf[hostOfNode[node]!];
    const kinds = new TemplateLinks(
      (source, target) => domainOfNode(source) === domainOfNode(target),
      (source, target, kind) => pages.add(source, target, kind),
    );
    const site = this.#urls.hostOf.view();
    let last = -1;
    for (const record of this.#merge.records(true)) {
      if (isRepresentative[record.url] === 0) continue;
      if (site[record.url] !== last) kinds.endHost();
      last = site[record.url]!;
      const node = nodeOf[record.url]!;
      const host = hostOfNode[node]!;
      const targets = linkedNodes(record, this.#nodes);
      kinds.addPage(node, targets);
      for (const target of targets) between.add(host, hostOfNode[target]!);
      this.#addAnchors(record, host);
    }
    kinds.endHost();
    pages.finish();
    between.finish();
  }

  #addAnchors(record: RunRecord, host: number): void {
    const { nodeOf } = this.#nodes;
    const node = nodeOf[record.url]!;
    record.targets.forEach((target, at) => {
      const text = record.texts[at]!;
      if (text !== '' && nodeOf[target] !== node) this.#anchors.add(nodeOf[target]!, host, text);
    });
  }

  *#nodeUrls(): Generator<CanonicalUrl> {
    const { urlOf } = this.#nodes;
    let number = 0;
    let node = 0;
    for (const { url } of this.#merge.urls()) {
      if (urlOf[node] === number++) {
        yield url;
        node++;
      }
    }
  }

  /**
   * Yields for each node the URL under which its page was crawled. The index has the page under this URL, so
   * `link:` queries must show it.
   */
  *#crawledUrls(): Generator<CanonicalUrl> {
    const { urlOf, crawledAs } = this.#nodes;
    const wanted = new Set(crawledAs.filter((url, node) => url !== urlOf[node]));
    const others = new Map<number, CanonicalUrl>();
    let number = 0;
    if (wanted.size > 0) {
      for (const { url } of this.#merge.urls()) {
        if (wanted.has(number)) others.set(number, url);
        number++;
      }
    }
    let node = 0;
    for (const url of this.#nodeUrls()) yield others.get(crawledAs[node++]!) ?? url;
  }

  #rankHosts(): HostSignals[] {
    const { hosts, domainOf } = this.#nodes;
    const graph = new GraphFile(this.#output, hostGraphName(this.#generation));
    try {
      const { ranks } = pageRank(graph, this.#rankOptions());
      const signals = linkSignals(hosts.length, hostLinksOf(graph), domainOf);
      const restarts = new Float32Array(hosts.length);
      for (const host of this.#trusted ?? mostVouchedFor(signals)) restarts[host] = 1;
      const trust = pageRank(graph, { ...this.#rankOptions(), restarts }).ranks;
      const rows = signals.map((row, host) => {
        const rank = ranks[host]!;
        return { ...row, rank, trust: rank === 0 ? 0 : trust[host]! / rank };
      });
      writeHosts(this.#output, this.#generation, hosts, rows);
      return rows;
    } finally {
      graph.close();
    }
  }

  /**
   * Writes the anchor file. The weight of a vote increases with the rank of its host, and decreases with the
   * `farm` signal of the host.
   */
  #writeAnchors(signals: readonly HostSignals[]): number {
    const { crawledAs, hostOf: hostOfNode, domainOf, hosts } = this.#nodes;
    const lows = this.#urls.lows.view();
    const highs = this.#urls.highs.view();
    const scattered = hostsWithForeignPages(this.#nodes, this.#urls);
    return this.#anchors.finish(anchorsName(this.#generation), {
      isScattered: (host) => scattered[host] === 1,
      lowOf: (node) => lows[crawledAs[node]!]!,
      highOf: (node) => highs[crawledAs[node]!]!,
      voteOf: (host, node) => {
        const { rank, farm } = signals[host]!;
        const weight = Math.log2(1 + rank * hosts.length) * (1 - farm);
        return domainOf[host] === domainOf[hostOfNode[node]!] ? weight * OWN_VOTE : weight;
      },
    });
  }

  #rankNodes(): PageRankResult & { linkCount: number } {
    const graph = new GraphFile(this.#output, graphName(this.#generation));
    try {
      const restarts = this.#restarts();
      const start = restarts ? undefined : this.#lastRanks();
      const options = { ...this.#rankOptions(), ...(restarts && { restarts }), ...(start && { start }) };
      return { ...pageRank(graph, options), linkCount: graph.shape.edgeCount };
    } finally {
      graph.close();
    }
  }

  #rankOptions(): PageRankOptions {
    const { damping, maxIterations, threads } = this.#options;
    return {
      ...(damping !== undefined && { damping }),
      ...(maxIterations !== undefined && { maxIterations }),
      ...(threads !== undefined && { threads }),
    };
  }

  /**
   * Returns the last ranks as initial values of the iteration, because they are near the new ranks. A new
   * page starts with the average rank.
   */
  #lastRanks(): Float32Array | undefined {
    const last = this.#readableRanks();
    if (!last || last.count === 0) return undefined;
    const { urlOf, nodeCount } = this.#nodes;
    const lows = this.#urls.lows.view();
    const highs = this.#urls.highs.view();
    return Float32Array.from(
      urlOf,
      (url) => last.rankOf((BigInt(highs[url]!) << 32n) | BigInt(lows[url]!)) || 1 / nodeCount,
    );
  }

  /** Opens the last ranks. Damaged ranks are ignored, because the last ranks only save time. */
  #readableRanks(): RankTable | null {
    try {
      return openRanks(this.#output);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#options.log.warn('previous ranks damaged, ignored', { reason: error.message });
      return null;
    }
  }

  /**
   * Returns 1 for each seed node and each node of a seed host, and 0 for other nodes; undefined if there are
   * no seeds.
   */
  #restarts(): Float32Array | undefined {
    if (!this.#seeds) return undefined;
    const restarts = new Float32Array(this.#nodes.nodeCount);
    for (const node of this.#seeds) restarts[node] = 1;
    return restarts;
  }

  #topPages(ranks: Float32Array): RankedUrl[] {
    const { crawled } = this.#nodes;
    const urls = new NodeUrls(this.#output, nodeUrlsName(this.#generation));
    try {
      const top = topNodes(ranks, this.#options.top ?? DEFAULT_TOP, (node) => crawled[node] === 1);
      return top.map((node) => ({ url: urls.urlOf(node), rank: ranks[node]! }));
    } finally {
      urls.close();
    }
  }
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
