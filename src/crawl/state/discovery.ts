/**
 * Decides which discovered URLs a commit stores, in which order, and how a host gets its front queue. All
 * implementations of the crawl state use these functions.
 *
 *   discovered -> numbered in order of discovery, sorted by key -> grouped by host -> the first ones of each host
 *
 * Rows are inserted in key order, because neighbours in a B-tree are then written together (docs/decisions/0010).
 */
import { originOf } from '../../url/mod.ts';
import type { CrawlBatch, Discovered, FetchVerb } from './crawl-state.ts';

/** A URL that is to be stored. `found` is its number in the order of discovery. */
export interface NumberedUrl extends Discovered {
  found: number;
  /** Sorts almost like the fingerprint and is cheaper to compare. */
  order: number;
}

export type DiscoveryLimits = Pick<CrawlBatch, 'maxUrlsPerHost' | 'hostBudget'>;

/** Numbers URLs from `lastFound + 1` on, and groups them by origin. Origins and URLs are in key order. */
export function groupDiscovered(
  discovered: readonly Discovered[],
  lastFound: number,
): Map<string, NumberedUrl[]> {
  const sorted = discovered.map((url, index) => ({
    ...url,
    found: lastFound + index + 1,
    order: Number(url.fingerprint),
  }));
  sorted.sort((a, b) => a.order - b.order);
  return Map.groupBy(sorted, ({ url }) => originOf(url));
}

/** Returns the first `count` URLs in order of discovery. */
export function firstFound(urls: readonly NumberedUrl[], count: number): readonly NumberedUrl[] {
  if (urls.length <= count) return urls;
  return urls.toSorted((a, b) => a.found - b.found).slice(0, Math.max(0, count));
}

/** Returns the URLs in order of discovery, without their numbers. */
export function inOrderOfDiscovery(urls: readonly NumberedUrl[]): Discovered[] {
  const sorted = urls.toSorted((a, b) => a.found - b.found);
  return sorted.map(({ found: _found, order: _order, ...discovered }) => discovered);
}

/** Returns the number of hosts of other domains that link to these URLs. */
export function countLinkingHosts(urls: readonly Discovered[]): number {
  return new Set(urls.flatMap(({ from }) => from ?? [])).size;
}

/** Number of front queues. */
export const FRONTS = 4;

/** Returns the front queue of a host to which `links` other hosts link. */
export function frontOf(links: number): number {
  return Math.min(FRONTS - 1, Math.floor(Math.log2(1 + links) / 2));
}

/** The decisions of the URL rules. The index is the number that is stored. */
const VERBS: readonly (FetchVerb | null)[] = [null, 'index', 'follow'];

export function encodeVerb(verb: FetchVerb | undefined): number {
  return verb === undefined ? 0 : VERBS.indexOf(verb);
}

export function decodeVerb(stored: number): FetchVerb | null {
  return VERBS[stored] ?? null;
}
