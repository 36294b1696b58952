/**
 * Splits a canonical URL into its components and computes its fingerprint. The functions only cut strings,
 * because the URL is known to be canonical.
 *
 * The fingerprint is a 64-bit number that identifies the URL on disk and in tables. Let h(text) be the first 64
 * bits of MurmurHash3 x86_128, seed 0, of the UTF-8 bytes: its first output word is the low half, and its
 * second output word the high half.
 *
 *   bits 63 to 48   the lowest 16 bits of h(host), without the port, so that URLs of a host are near each other
 *   bits 47 to 0    the lowest 48 bits of h(URL)
 *
 * For `https://example.org/` h(host) is fe014c68916c081a, h(URL) is f4c0e8420256fa39, the fingerprint 081ae8420256fa39.
 * The fingerprint is a signed integer, because SQLite integers are signed.
 */
import { getDomain, parse } from 'tldts';
import { hashLanes } from '../base/mod.ts';
import type { CanonicalUrl } from './canonical.ts';

/** Returns scheme, host and port: `https://example.org:8443`. robots.txt and politeness apply per origin. */
export function originOf(url: CanonicalUrl): string {
  return url.slice(0, pathStart(url));
}

/** Returns the host of a URL without its port: `example.org`. */
export function hostOf(url: CanonicalUrl): string {
  const start = hostStart(url);
  const end = pathStart(url);
  const colon = url.lastIndexOf(':', end);
  // If the host is an IPv6 address, its last colon is within brackets and does not begin a port.
  const hasPort = colon > start && url[end - 1] !== ']';
  return url.slice(start, hasPort ? colon : end);
}

/** Returns path and query of a URL, from the first slash on. */
export function pathOf(url: CanonicalUrl): string {
  return url.slice(pathStart(url));
}

/** Matches the path of a directory, with or without the name of its start file: `index.en.html`, `default.aspx`. */
const ENTRY_PATH = /^(.*\/)(?:(?:index|default|home|welcome)(?:\.[\w-]+)*)?$/is;

/**
 * Returns the directory whose entry page has this path: `/guide/` for `/guide/index.html`. Returns null if it
 * is not the path of an entry page.
 */
export function entryDirectoryOf(path: string): string | null {
  return ENTRY_PATH.exec(path)?.[1] ?? null;
}

/** Returns true if the URL is the entry page of a site or of a directory. */
export function isEntryUrl(url: CanonicalUrl): boolean {
  return entryDirectoryOf(pathOf(url)) !== null;
}

/**
 * Returns the registrable domain of a host by the public suffix list: `en.wikipedia.org` gives
 * `wikipedia.org`. An IP address is its own domain.
 */
export function registrableDomain(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** Returns the registrable domain of an origin such as `https://en.wikipedia.org`. */
export function domainOfOrigin(origin: string): string {
  return registrableDomain(hostOf(`${origin}/` as CanonicalUrl));
}

/**
 * Returns true for a public suffix, a name below which anyone can register names, such as `com`, `co.uk` or
 * `github.io`. Returns false for a private name such as `corp`.
 */
export function isPublicSuffix(name: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
  return publicSuffix === name && (isIcann === true || isPrivate === true);
}

const lanes = new DataView(new ArrayBuffer(8));
/**
 * The scheme and host of the URL that was hashed last, for example `https://example.org/`. Consecutive URLs
 * often have the same host, which is then hashed only once.
 */
let lastSite = '/';
let lastHostBits = 0;

export function fingerprint(url: CanonicalUrl): bigint {
  if (!url.startsWith(lastSite)) {
    lastSite = url.slice(0, pathStart(url) + 1);
    lastHostBits = hashLanes(hostOf(url))[0] & 0xffff;
  }
  const [low, high] = hashLanes(url);
  lanes.setUint16(0, lastHostBits);
  lanes.setUint16(2, high);
  lanes.setUint32(4, low);
  return lanes.getBigInt64(0);
}

/**
 * Returns a sort key that puts the pages of a domain next to each other, and within a domain the pages of a
 * host: `org.example.www /path`.
 */
export function localityKey(url: CanonicalUrl): string {
  return `${hostOf(url).split('.').reverse().join('.')} ${pathOf(url)}`;
}

function pathStart(url: CanonicalUrl): number {
  return url.indexOf('/', hostStart(url));
}

/** Returns the offset of the host: after `http://` or `https://`. */
function hostStart(url: CanonicalUrl): number {
  return url.charCodeAt(4) === 0x3a ? 7 : 8;
}

const HOST_SHIFT = 48n;

/** Returns the least and the greatest fingerprint that a URL of this origin can have. */
export function fingerprintRange(origin: string): [first: bigint, last: bigint] {
  const first = (fingerprint(`${origin}/` as CanonicalUrl) >> HOST_SHIFT) << HOST_SHIFT;
  return [first, first + (1n << HOST_SHIFT) - 1n];
}
