/**
 * Tables of all URLs and nodes in memory while the graph is built. They contain only numbers and the names of
 * hosts.
 *
 * A document is a URL that is not an alias. The links of a document are the links of its page or, if only
 * aliases of it were fetched, the links of the first alias. A node is a document that was crawled or is linked
 * to. Nodes and hosts are numbered in the order of URLs by `compareLocality`.
 */
import { fingerprint, hostOf, registrableDomain } from '../url/mod.ts';
import { resolveAliases } from './aliases.ts';
import { type LocalUrl, type MergedRuns, RunKind, type RunRecord } from './runs/mod.ts';
import { UintList } from './tiles/mod.ts';

export const NO_NODE = 0xffffffff;

/** The table of all URLs. It is filled while the runs are merged. */
export class UrlTable {
  /** `lows` and `highs` have the two 32-bit halves of the fingerprint of each URL. */
  readonly lows = new UintList();
  readonly highs = new UintList();
  /** The host of each URL, as an index in `hosts`. */
  readonly hostOf = new UintList();
  readonly hosts: string[] = [];
  #hostKey = '';

  add({ url, key }: LocalUrl): void {
    const bits = fingerprint(url);
    this.lows.push(Number(BigInt.asUintN(32, bits)));
    this.highs.push(Number(BigInt.asUintN(32, bits >> 32n)));
    const hostKey = key.slice(0, key.indexOf(' '));
    if (hostKey !== this.#hostKey || this.hosts.length === 0) this.hosts.push(hostOf(url));
    this.#hostKey = hostKey;
    this.hostOf.push(this.hosts.length - 1);
  }
}

export interface NodeTables {
  nodeCount: number;
  /** The node of the document of each URL; `NO_NODE` if it has none. */
  nodeOf: Uint32Array;
  urlOf: Uint32Array;
  /**
   * The URL under which the page of each node was crawled, which is its URL in the index; for a node that was
   * not crawled, the URL of the node.
   */
  crawledAs: Uint32Array;
  /** 1 if the node is a crawled page, 0 if it is only linked to. */
  crawled: Uint8Array;
  /** The host of each node, as an index in `hosts`. */
  hostOf: Uint32Array;
  /** The names of the hosts that have nodes. */
  hosts: string[];
  /** A number for each host, which is the same for all hosts of a registrable domain. */
  domainOf: Uint32Array;
  /**
   * 1 for each URL whose page represents its document: the links of this page count as the links of the
   * document.
   */
  isRepresentative: Uint8Array;
}

export function drawNodes(merge: MergedRuns, urls: UrlTable): NodeTables {
  const { documents, isRepresentative } = findDocuments(merge);
  const isNode = markNodes(merge, documents, isRepresentative);
  const urlOf = new UintList();
  const nodeOf = new Uint32Array(merge.urlCount).fill(NO_NODE);
  isNode.forEach((marked, url) => {
    if (marked === 0) return;
    nodeOf[url] = urlOf.length;
    urlOf.push(url);
  });
  const crawled = new Uint8Array(urlOf.length);
  const crawledAs = urlOf.view().slice();
  documents.forEach((document, url) => {
    nodeOf[url] = nodeOf[document]!;
    if (isRepresentative[url] === 0) return;
    crawled[nodeOf[url]!] = 1;
    crawledAs[nodeOf[url]!] = url;
  });
  const nodes = {
    nodeCount: urlOf.length,
    nodeOf,
    urlOf: urlOf.view(),
    crawled,
    crawledAs,
    isRepresentative,
  };
  return { ...nodes, ...numberHosts(urlOf.view(), urls) };
}

function findDocuments(merge: MergedRuns): { documents: Uint32Array; isRepresentative: Uint8Array } {
  const aliasOf = new Int32Array(merge.urlCount).fill(-1);
  const isPage = new Uint8Array(merge.urlCount);
  for (const { url, kind, aliasOf: other } of merge.records(false)) {
    aliasOf[url] = other;
    isPage[url] = Number(kind === RunKind.page);
  }
  const documents = resolveAliases(aliasOf, (a, b) => a < b);
  return { documents, isRepresentative: chooseRepresentatives(documents, isPage) };
}

/**
 * Returns an array with 1 for each URL whose page represents its document: the page of the document itself, or of its
 * first alias that is a page.
 */
export function chooseRepresentatives(documents: Uint32Array, isPage: Uint8Array): Uint8Array {
  const isRepresentative = new Uint8Array(documents.length);
  const isSpokenFor = new Uint8Array(documents.length);
  documents.forEach((document, url) => {
    if (document !== url || isPage[url] === 0) return;
    isRepresentative[url] = 1;
    isSpokenFor[url] = 1;
  });
  documents.forEach((document, url) => {
    if (isPage[url] === 0 || isSpokenFor[document] === 1) return;
    isRepresentative[url] = 1;
    isSpokenFor[document] = 1;
  });
  return isRepresentative;
}

function markNodes(merge: MergedRuns, documents: Uint32Array, isRepresentative: Uint8Array): Uint8Array {
  const isNode = new Uint8Array(documents.length);
  for (const record of merge.records(false)) {
    if (isRepresentative[record.url] === 0) continue;
    isNode[documents[record.url]!] = 1;
    for (const target of record.targets) isNode[documents[target]!] = 1;
  }
  return isNode;
}

function numberHosts(
  urlOf: Uint32Array,
  urls: UrlTable,
): { hostOf: Uint32Array; hosts: string[]; domainOf: Uint32Array } {
  const hostOf = new Uint32Array(urlOf.length);
  const hosts: string[] = [];
  const domains = new Map<string, number>();
  const domainOf = new UintList();
  const hostsOfUrls = urls.hostOf.view();
  let last = -1;
  urlOf.forEach((url, node) => {
    const host = hostsOfUrls[url]!;
    if (host !== last) {
      const name = urls.hosts[host]!;
      const domain = registrableDomain(name);
      if (!domains.has(domain)) domains.set(domain, domains.size);
      hosts.push(name);
      domainOf.push(domains.get(domain)!);
    }
    last = host;
    hostOf[node] = hosts.length - 1;
  });
  return { hostOf, hosts, domainOf: domainOf.view() };
}

/** Returns the distinct nodes to which a record links, except the node of its own document. */
export function linkedNodes(record: RunRecord, nodeOf: Uint32Array): Set<number> {
  const nodes = new Set(record.targets.map((target) => nodeOf[target]!));
  nodes.delete(nodeOf[record.url]!);
  return nodes;
}

/**
 * Returns an array with 1 for each host that has a foreign page: a document of which only an alias on another
 * host was crawled. This page is not read together with the other pages of the host.
 */
export function hostsWithForeignPages(
  { crawledAs, urlOf, hostOf, hosts }: NodeTables,
  urls: UrlTable,
): Uint8Array {
  const scattered = new Uint8Array(hosts.length);
  const hostsOfUrls = urls.hostOf.view();
  crawledAs.forEach((url, node) => {
    if (hostsOfUrls[url] !== hostsOfUrls[urlOf[node]!]) scattered[hostOf[node]!] = 1;
  });
  return scattered;
}
