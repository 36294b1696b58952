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
import { AnchorCollector, anchorsName, voteWeight } from './anchors/mod.ts';
import { drawLinks } from './draw-links.ts';
import { type HostSignals, writeHosts } from './hosts/mod.ts';
import type { RankedUrl } from './links-reader.ts';
import { hostsNamed, nodesNamed } from './named-nodes.ts';
import { NodeUrls, nodeUrlsName, writeNodeUrls } from './node-urls.ts';
import {
  DEFAULT_TOLERANCE,
  type PageRankOptions,
  type PageRankResult,
  pageRank,
  topNodes,
} from './pagerank/mod.ts';
import { rankHosts } from './rank-hosts.ts';
import type { RankOptions, RankReport } from './rank-pages.ts';
import { graphName, hostGraphName, ranksGenerations, removeOtherGenerations } from './ranks-format.ts';
import { openRanks, type RankTable } from './ranks-reader.ts';
import { writeRanks } from './ranks-writer.ts';
import { MergedRuns, type RunFile } from './runs/mod.ts';
import { LINK_WEIGHTS } from './template-links.ts';
import { GraphBuilder, GraphFile } from './tiles/mod.ts';
import { drawNodes, hostsWithForeignPages, type NodeTables, UrlTable } from './web-tables.ts';

const DEFAULT_TOP = 20;

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
    this.#options.onProgress?.({ step: 'writing ranks', share: null });
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

  #drawLinks(): void {
    const { nodeCount, hostOf, hosts, domainOf, nodeOf, isRepresentative } = this.#nodes;
    const pages = new GraphBuilder(this.#output, graphName(this.#generation), {
      nodeCount,
      weights: LINK_WEIGHTS,
    });
    const between = new GraphBuilder(this.#output, hostGraphName(this.#generation), {
      nodeCount: hosts.length,
    });
    const siteOf = this.#urls.hostOf.view();
    const tables = { nodeOf, isRepresentative, siteOf, hostOf: (node: number) => hostOf[node]!, domainOf };
    drawLinks(this.#merge.records(true), tables, {
      addLink: (source, target, kind) => pages.add(source, target, kind),
      addHostLink: (source, target) => between.add(source, target),
      addAnchor: (node, host, text) => this.#anchors.add(node, host, text),
    });
    pages.finish();
    between.finish();
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
      const rows = rankHosts(graph, domainOf, this.#trusted, this.#rankOptions());
      writeHosts(this.#output, this.#generation, hosts, rows);
      return rows;
    } finally {
      graph.close();
    }
  }

  #writeAnchors(signals: readonly HostSignals[]): number {
    const { crawledAs, hostOf: hostOfNode, domainOf, hosts } = this.#nodes;
    const lows = this.#urls.lows.view();
    const highs = this.#urls.highs.view();
    const scattered = hostsWithForeignPages(this.#nodes, this.#urls);
    return this.#anchors.finish(anchorsName(this.#generation), {
      isScattered: (host) => scattered[host] === 1,
      lowOf: (node) => lows[crawledAs[node]!]!,
      highOf: (node) => highs[crawledAs[node]!]!,
      voteOf: (host, node) =>
        voteWeight(signals[host]!, hosts.length, domainOf[host] === domainOf[hostOfNode[node]!]),
    });
  }

  #rankNodes(): PageRankResult & { linkCount: number } {
    const graph = new GraphFile(this.#output, graphName(this.#generation));
    try {
      const restarts = this.#restarts();
      const start = restarts ? undefined : this.#lastRanks();
      const options = {
        ...this.#rankOptions(),
        ...(restarts && { restarts }),
        ...(start && { start }),
        onStep: this.#stepReporter(),
      };
      return { ...pageRank(graph, options), linkCount: graph.shape.edgeCount };
    } finally {
      graph.close();
    }
  }

  /** Returns a function that reports how near the ranks are to their final values: the distance falls exponentially. */
  #stepReporter(): (result: { distance: number }) => void {
    let first = 0;
    let iterations = 0;
    return ({ distance }) => {
      first ||= distance;
      const share = Math.log(first / distance) / Math.log(first / DEFAULT_TOLERANCE);
      const isKnown = first > DEFAULT_TOLERANCE && distance > 0;
      this.#options.onProgress?.({
        step: 'ranking pages',
        share: isKnown ? Math.min(Math.max(share, 0), 1) : null,
        iterations: ++iterations,
      });
    };
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
