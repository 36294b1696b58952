/** Parts of a canonical URL. They cut strings and trust the form; nothing here parses again. */
import { getDomain } from 'tldts';
import { hashLanes } from '../base/mod.ts';
import type { CanonicalUrl } from './canonical.ts';

/** Scheme, host and port: `https://example.org:8443`. The unit of robots.txt and of politeness. */
export function originOf(url: CanonicalUrl): string {
  return url.slice(0, pathStart(url));
}

/** The host without its port: `example.org`. */
export function hostOf(url: CanonicalUrl): string {
  const authority = url.slice(url.indexOf('//') + 2, pathStart(url));
  return authority.replace(/:\d+$/, '');
}

/** Path and query, from the first slash on. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(pathStart(url));
}

/** `en.wikipedia.org` belongs to `wikipedia.org` by the public suffix list; an address is its own domain. */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/**
 * 64 bits that stand for the URL on disk and in tables: the first 16 depend on the host alone, so
 * that URLs of a host lie together, and 48 on the whole. As SQLite has signed integers, so is this.
 */
export function fingerprint(url: CanonicalUrl): bigint {
  const [hostLane] = hashLanes(hostOf(url));
  const [low, high] = hashLanes(url);
  const top = BigInt(hostLane & 0xffff) << 48n;
  return BigInt.asIntN(64, top | (BigInt(high & 0xffff) << 32n) | BigInt(low));
}

/** Sorts pages of a domain, then of a host, next to each other: `org.example.www /path`. */
export function localityKey(url: CanonicalUrl): string {
  return `${hostOf(url).split('.').reverse().join('.')} ${pathOf(url)}`;
}

function pathStart(url: CanonicalUrl): number {
  return url.indexOf('/', url.indexOf('//') + 2);
}
