/**
 * The nodes that people name: a page by any of its URLs, or a host with all its pages. Both lead through aliases to the
 * documents, so what redirects is as good a name as what it redirects to.
 *
 *   https://example.org/a    the page
 *   Example.org, host:8080   all pages of the host, whatever their port
 */
import { UsageError } from '../base/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, hostOf } from '../url/mod.ts';
import { NO_NODE, type NodeTables, type UrlTable } from './web-tables.ts';

const SCHEME = /^https?:\/\//i;

/** The nodes of these pages and hosts; a name that the crawl does not know is an error. */
export function nodesNamed(names: readonly string[], urls: UrlTable, nodes: NodeTables): Set<number> {
  const pages = names.filter((name) => SCHEME.test(name));
  const hosts = names.filter((name) => !SCHEME.test(name));
  const found = new Map([...nodesOfPages(pages, urls, nodes), ...nodesOfHosts(hosts, urls, nodes)]);
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length === 0) return new Set([...found.values()].flat());
  throw new UsageError(
    'unknown-seeds',
    `the crawl knows no page or host of this name: ${unknown.join(', ')}; gyre rank --top 50 prints some`,
  );
}

/** The hosts with these names, or at which these URLs are; a name that the crawl does not know is an error. */
export function hostsNamed(names: readonly string[], urls: UrlTable, nodes: NodeTables): Set<number> {
  const found = nodesOfHosts(names, urls, nodes);
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length === 0)
    return new Set(found.values().flatMap((each) => each.map((node) => nodes.hostOf[node]!)));
  throw new UsageError(
    'unknown-hosts',
    `the crawl knows no host of this name: ${unknown.join(', ')}; gyre rank --hosts prints some`,
  );
}

function nodesOfPages(
  names: readonly string[],
  { lows, highs }: UrlTable,
  { nodeOf }: NodeTables,
): Map<string, number[]> {
  const [lowHalves, highHalves] = [lows.view(), highs.view()];
  return gathered(names, (name) => {
    const url = canonicalize(name);
    if (!url) return [];
    const bits = BigInt.asUintN(64, fingerprint(url));
    const [low, high] = [Number(bits & 0xffffffffn), Number(bits >> 32n)];
    const at = lowHalves.findIndex((half, place) => half === low && highHalves[place] === high);
    return at < 0 || nodeOf[at] === NO_NODE ? [] : [nodeOf[at]!];
  });
}

function nodesOfHosts(
  names: readonly string[],
  urls: UrlTable,
  { nodeOf }: NodeTables,
): Map<string, number[]> {
  const hostsOfUrls = urls.hostOf.view();
  return gathered(names, (name) => {
    const host = urls.hosts.indexOf(hostNamed(name));
    if (host < 0) return [];
    const first = hostsOfUrls.indexOf(host);
    const last = hostsOfUrls.lastIndexOf(host);
    return [...new Set(nodeOf.subarray(first, last + 1))].filter((node) => node !== NO_NODE);
  });
}

/** The empty name, which no host has, for what cannot be one. */
function hostNamed(name: string): string {
  const url: CanonicalUrl | null = canonicalize(SCHEME.test(name) ? name : `http://${name}`);
  return url ? hostOf(url) : '';
}

/** What is found for each name, without those for which nothing is. */
function gathered(names: readonly string[], find: (name: string) => number[]): Map<string, number[]> {
  return new Map(
    names.flatMap((name) => {
      const found = find(name);
      return found.length > 0 ? [[name, found] as const] : [];
    }),
  );
}
