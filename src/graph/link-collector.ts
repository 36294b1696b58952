/**
 * Gathers the link graph from journal records, in the order of the journal.
 *
 * A later record of a URL replaces an earlier one, and an alias may be learned after the links that
 * use it, so links are kept as they came, as numbers of URLs, and the graph is drawn at the end:
 *
 *   record -> numbered URLs, links of the newest record of each -> documents -> nodes -> LinkGraph
 *
 * A node is a crawled page or a document that such a page links to. Left out are links with
 * `nofollow`, links of pages that ask not to be followed, links of a document to itself, and
 * repetitions. Nodes lie by domain, then by host (as in `localityKey`), then by URL: pages of a host
 * link to each other most, so the ranks that a step needs lie close together.
 *
 * Keeps no text: what stays in memory is every URL once and four bytes a link.
 */
import type { JournalRecord, PageRecord } from '../archive/mod.ts';
import { type CanonicalUrl, localityKey } from '../url/mod.ts';
import { NO_ALIAS, resolveAliases } from './aliases.ts';
import { buildGraph, type LinkGraph } from './pagerank.ts';
import { UintList } from './uint-list.ts';

export interface WebGraph {
  graph: LinkGraph;
  /** The URL of each node. */
  urls: CanonicalUrl[];
  /** 1 if the node is a crawled page, 0 if it is only linked to. */
  crawled: Uint8Array;
  /** Other names of nodes. */
  aliases: { url: CanonicalUrl; node: number }[];
}

const NO_NODE = 0xffffffff;

export class LinkCollector {
  readonly #numbers = new Map<CanonicalUrl, number>();
  readonly #urls: CanonicalUrl[] = [];
  readonly #isPage: boolean[] = [];
  readonly #aliasOf: number[] = [];
  /** The links of a URL are `#links` from its first, as many as its count. */
  readonly #firstLink: number[] = [];
  readonly #linkCount: number[] = [];
  readonly #links = new UintList();

  add(record: JournalRecord): void {
    const url = this.#numberOf(record.url);
    this.#isPage[url] = record.kind === 'page';
    this.#aliasOf[url] = record.kind === 'alias' ? this.#numberOf(record.of) : NO_ALIAS;
    this.#firstLink[url] = this.#links.length;
    if (record.kind === 'page') this.#addLinks(record);
    this.#linkCount[url] = this.#links.length - this.#firstLink[url]!;
  }

  finish(): WebGraph {
    const documents = resolveAliases(this.#aliasOf, (a, b) => this.#urls[a]! < this.#urls[b]!);
    const { sources, offsets, targets } = this.#distinctLinks(documents);
    const { nodes, nodeOf } = this.#orderNodes(sources, targets);
    return {
      graph: renumber(nodes, nodeOf, sources, offsets, targets),
      urls: Array.from(nodes, (url) => this.#urls[url]!),
      crawled: Uint8Array.from(nodes, (url) => Number(this.#isPage[url])),
      aliases: this.#aliases(documents, nodeOf),
    };
  }

  #numberOf(url: CanonicalUrl): number {
    const known = this.#numbers.get(url);
    if (known !== undefined) return known;
    const number = this.#urls.push(url) - 1;
    this.#numbers.set(url, number);
    this.#isPage.push(false);
    this.#aliasOf.push(NO_ALIAS);
    this.#firstLink.push(0);
    this.#linkCount.push(0);
    return number;
  }

  #addLinks({ page }: PageRecord): void {
    if (!page.robots.follow) return;
    for (const link of page.links) if (!link.nofollow) this.#links.push(this.#numberOf(link.url));
  }

  /** For every page, in order of `sources`, the documents it links to, each once. */
  #distinctLinks(documents: Uint32Array): {
    sources: Uint32Array;
    offsets: Uint32Array;
    targets: Uint32Array;
  } {
    const sources = new UintList();
    const offsets = new UintList();
    const targets = new UintList();
    for (let url = 0; url < this.#urls.length; url++) {
      if (!this.#isPage[url]) continue;
      sources.push(url);
      offsets.push(targets.length);
      const first = this.#firstLink[url]!;
      const linked = this.#links
        .view(first, first + this.#linkCount[url]!)
        .map((link) => documents[link]!)
        .sort();
      linked.forEach((target, at) => {
        if (target !== url && target !== linked[at - 1]) targets.push(target);
      });
    }
    offsets.push(targets.length);
    return { sources: sources.view(), offsets: offsets.view(), targets: targets.view() };
  }

  /** The URLs that are nodes, in order, and the node of each URL. */
  #orderNodes(sources: Uint32Array, targets: Uint32Array): { nodes: Uint32Array; nodeOf: Uint32Array } {
    const nodeOf = new Uint32Array(this.#urls.length).fill(NO_NODE);
    const nodes = new UintList();
    for (const urls of [sources, targets]) {
      for (const url of urls) {
        if (nodeOf[url] === NO_NODE) nodes.push(url);
        nodeOf[url] = 0;
      }
    }
    const ordered = this.#byLocality(nodes.view());
    ordered.forEach((url, node) => {
      nodeOf[url] = node;
    });
    return { nodes: ordered, nodeOf };
  }

  /** Sorted host by host: far fewer comparisons, and of shorter runs, than sorting all URLs at once. */
  #byLocality(urls: Uint32Array): Uint32Array {
    const hosts = new Map<string, number[]>();
    for (const url of urls) {
      const [host = ''] = localityKey(this.#urls[url]!).split(' ', 1);
      const group = hosts.get(host);
      if (group) group.push(url);
      else hosts.set(host, [url]);
    }
    const inOrder = [...hosts.keys()].sort().map((host) => hosts.get(host)!);
    for (const group of inOrder) group.sort((a, b) => (this.#urls[a]! < this.#urls[b]! ? -1 : 1));
    return Uint32Array.from(inOrder.flat());
  }

  #aliases(documents: Uint32Array, nodeOf: Uint32Array): { url: CanonicalUrl; node: number }[] {
    const aliases: { url: CanonicalUrl; node: number }[] = [];
    documents.forEach((document, url) => {
      const node = nodeOf[document]!;
      if (document !== url && node !== NO_NODE) aliases.push({ url: this.#urls[url]!, node });
    });
    return aliases;
  }
}

/** The graph over nodes, from links over URLs. */
function renumber(
  nodes: Uint32Array,
  nodeOf: Uint32Array,
  sources: Uint32Array,
  offsets: Uint32Array,
  targets: Uint32Array,
): LinkGraph {
  const sourceAt = new Uint32Array(nodes.length).fill(NO_NODE);
  sources.forEach((url, at) => {
    sourceAt[nodeOf[url]!] = at;
  });
  const outOffsets = new Uint32Array(nodes.length + 1);
  const outTargets = new Uint32Array(targets.length);
  let length = 0;
  sourceAt.forEach((at, node) => {
    if (at !== NO_NODE) {
      for (const target of targets.subarray(offsets[at], offsets[at + 1]))
        outTargets[length++] = nodeOf[target]!;
    }
    outOffsets[node + 1] = length;
  });
  return buildGraph(outOffsets, outTargets);
}
