/**
 * Finds the nodes of the link graph that a user names in options: a page by any of its URLs, or a host with
 * all its pages. Aliases are resolved to their documents, so a URL that redirects may be used instead of its
 * target.
 *
 *   https://example.org/a    the page
 *   Example.org, host:8080   all pages of the host, on any port
 */
import { UsageError } from '../base/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, hostOf } from '../url/mod.ts';
import { NO_NODE, type NodeTables, type UrlTable } from './web-tables.ts';

const SCHEME = /^https?:\/\//i;

/** Returns the nodes of the named pages and hosts. Throws for a name that is not in the crawl. */
export function nodesNamed(names: readonly string[], urls: UrlTable, nodes: NodeTables): Set<number> {
  const pages = names.filter((name) => SCHEME.test(name));
  const hosts = names.filter((name) => !SCHEME.test(name));
  const found = new Map([...nodesOfPages(pages, urls, nodes), ...nodesOfHosts(hosts, urls, nodes)]);
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length === 0) return new Set([...found.values()].flat());
  throw new UsageError(
    'unknown-seeds',
    `unknown pages or hosts: ${unknown.join(', ')}; run gyre rank --top 50 to list known ones`,
  );
}

/** Returns the hosts that are named, by host name or by URL. Throws for a name that is not in the crawl. */
export function hostsNamed(names: readonly string[], urls: UrlTable, nodes: NodeTables): Set<number> {
  const found = nodesOfHosts(names, urls, nodes);
  const unknown = names.filter((name) => !found.has(name));
  if (unknown.length === 0)
    return new Set(found.values().flatMap((each) => each.map((node) => nodes.hostOf[node]!)));
  throw new UsageError(
    'unknown-hosts',
    `unknown hosts: ${unknown.join(', ')}; run gyre rank --hosts to list known ones`,
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

/**
 * Returns the host of a name such as `Example.org` or of a URL. Returns the empty string, which matches no
 * host, for an invalid name.
 */
function hostNamed(name: string): string {
  const url: CanonicalUrl | null = canonicalize(SCHEME.test(name) ? name : `http://${name}`);
  return url ? hostOf(url) : '';
}

function gathered(names: readonly string[], find: (name: string) => number[]): Map<string, number[]> {
  return new Map(
    names.flatMap((name) => {
      const found = find(name);
      return found.length > 0 ? [[name, found] as const] : [];
    }),
  );
}
