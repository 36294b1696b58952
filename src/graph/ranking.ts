/**
 * One ranking: reads the runs, draws the graphs of pages and of hosts, gathers anchors, and computes.
 *
 * Every file of the new generation is in place before its rank file is, which makes it count. Whatever goes
 * wrong before, the last good ranks stay. What grows with the crawl in memory is about 20 bytes for each
 * URL and the graph itself while it is ranked; edges and texts are sorted on disk.
 */
import { CorruptError, type Directory } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { anchorsName } from './anchors-format.ts';
import { AnchorCollector } from './anchors-writer.ts';
import type { HostLinks } from './host-neighbours.ts';
import { type HostSignals, linkSignals, mostVouchedFor } from './host-signals.ts';
import { writeHosts } from './hosts-file.ts';
import type { RankedUrl } from './links-reader.ts';
import { hostsNamed, nodesNamed } from './named-nodes.ts';
import { NodeUrls, nodeUrlsName, writeNodeUrls } from './node-urls.ts';
import { type PageRankOptions, type PageRankResult, pageRank } from './pagerank.ts';
import type { RankOptions, RankReport } from './rank-pages.ts';
import { graphName, hostGraphName, ranksGenerations, removeOtherGenerations } from './ranks-format.ts';
import { openRanks, type RankTable } from './ranks-reader.ts';
import { writeRanks } from './ranks-writer.ts';
import type { RunRecord } from './run-format.ts';
import { MergedRuns } from './run-merge.ts';
import type { RunFile } from './run-reader.ts';
import { LINK_WEIGHTS, TemplateLinks } from './template-links.ts';
import { GraphFile } from './tiles-reader.ts';
import { GraphBuilder } from './tiles-writer.ts';
import { topNodes } from './top-ranks.ts';
import { drawNodes, linkedNodes, type NodeTables, scatteredHosts, UrlTable } from './web-tables.ts';

const DEFAULT_TOP = 20;
/** A domain's praise of its own pages, against that of another. */
const OWN_VOTE = 0.25;

export class Ranking {
  readonly #options: RankOptions;
  readonly #output: Directory;
  readonly #generation: number;
  readonly #urls = new UrlTable();
  readonly #merge: MergedRuns;
  readonly #nodes: NodeTables;
  readonly #anchors: AnchorCollector;
  /** Nodes and hosts that were named; null if none were. */
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
   * Every link goes to the graph of pages, to that of hosts and, with its text, to the anchors. A template is that of the
   * host where pages were fetched, in whose order they come; a vote is that of the host of the document.
   */
  #drawLinks(): void {
    const { nodeCount, hostOf: hostOfNode, hosts, domainOf, nodeOf, speaks } = this.#nodes;
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
      if (speaks[record.url] === 0) continue;
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

  /** For each node the URL under which its page was crawled: so the index knows it, and so `link:` must name it. */
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

  /** A vote weighs by the rank of its host, and the less, the more that looks like a farm. */
  #writeAnchors(signals: readonly HostSignals[]): number {
    const { crawledAs, hostOf: hostOfNode, domainOf, hosts } = this.#nodes;
    const lows = this.#urls.lows.view();
    const highs = this.#urls.highs.view();
    const scattered = scatteredHosts(this.#nodes, this.#urls);
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

  /** Ranks of the last time are near those of this time; a new page begins with what an average page has. */
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

  /** The last ranks only save time: damaged ones are replaced like others. */
  #readableRanks(): RankTable | null {
    try {
      return openRanks(this.#output);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      this.#options.log.warn('last ranks damaged: beginning without them', { why: error.message });
      return null;
    }
  }

  /** 1 for each node that is a seed or of a host that is one; undefined if there are no seeds. */
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
