/**
 * Computes the canonical form of a URL. Two URLs with the same canonical form are treated as the same page.
 *
 * WHATWG parsing already lower-cases scheme and host, drops default ports, resolves dot segments and converts
 * internationalised names to ASCII. In addition:
 *
 *   - only http and https; credentials and the fragment are dropped
 *   - a trailing dot of the host is dropped: `example.org.` is `example.org`
 *   - percent-escapes of unreserved characters are decoded, the rest get upper-case digits (RFC 3986 § 6.2.2)
 *   - tracking and session parameters are removed; an empty query loses its `?`
 *   - `;jsessionid=…` is removed from the path
 *
 * Most links are already canonical, or become canonical when the directory of their page is prepended.
 * `canonical-scan.ts` recognises such links; only other links are parsed.
 */
import { scanOrigin, scanTail } from './canonical-scan.ts';
import { normalizeEscapes } from './escapes.ts';
import { withoutTracking } from './query-parameters.ts';

export type CanonicalUrl = string & { readonly canonical: unique symbol };

export const MAX_URL_LENGTH = 2048;

/**
 * Returns the canonical form of a URL as written, or null if it is not an http(s) URL of at most MAX_URL_LENGTH
 * characters.
 */
type Canonicalizer = (raw: string) => CanonicalUrl | null;

/** The components of a base URL to which relative URLs are appended. */
interface Place {
  /** The scheme of the base URL, for example `https:`. */
  scheme: string;
  /** The origin of the base URL, for example `https://example.org`. */
  origin: string;
  /** The directory of the base URL, for example `/a/b/`. */
  directory: string;
}

/**
 * Resolves `raw` against `base`, and returns the canonical form of the URL. Returns null if it is not an
 * http(s) URL of at most MAX_URL_LENGTH characters.
 */
export function canonicalize(raw: string, base?: string): CanonicalUrl | null {
  if (base !== undefined) return remembered(base)(raw);
  const quick = quickAbsolute(raw);
  return quick === undefined ? parseFully(raw) : quick;
}

/**
 * Returns a function that resolves URLs against `base`. It parses `base` only once, for callers with many
 * URLs of the same base, such as the links of a page.
 */
export function canonicalizer(base: string): Canonicalizer {
  const url = URL.parse(base);
  if (url === null) return () => null;
  const place = placeOf(url);
  return (raw) => {
    let quick = quickAbsolute(raw);
    if (quick === undefined && place !== null) quick = quickRelative(raw, place);
    return quick === undefined ? parseFully(raw, url.href) : quick;
  };
}

let lastBase = '';
let lastCanonicalizer: Canonicalizer = () => null;

/**
 * Returns the canonicalizer of a base URL. The canonicalizer of the last base is kept, because callers pass the
 * same base many times in a row.
 */
function remembered(base: string): Canonicalizer {
  if (base !== lastBase) {
    lastCanonicalizer = canonicalizer(base);
    lastBase = base;
  }
  return lastCanonicalizer;
}

/** Splits a base URL. Returns null if URLs relative to this base need the full parser. */
function placeOf(base: URL): Place | null {
  const url = parseFully(base.href);
  const directory = base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1);
  if (url === null || scanTail(directory, 0) !== directory.length) return null;
  return {
    scheme: base.protocol,
    origin: url.slice(0, url.indexOf('/', base.protocol.length + 2)),
    directory,
  };
}

/**
 * Canonicalizes an absolute URL without the full parser. Returns undefined if the full parser is needed.
 * `quickRelative` and `quickTail` do the same.
 */
function quickAbsolute(raw: string): CanonicalUrl | null | undefined {
  const pathAt = scanOrigin(raw);
  if (pathAt < 0) return undefined;
  const hasPath = raw.startsWith('/', pathAt);
  return hasPath ? quickTail('', raw, 0, pathAt) : quickTail(`${raw.slice(0, pathAt)}/`, raw, pathAt, pathAt);
}

function quickRelative(raw: string, place: Place): CanonicalUrl | null | undefined {
  if (raw.startsWith('//')) return quickAbsolute(place.scheme + raw);
  if (raw.startsWith('/')) return quickTail(place.origin, raw, 0, 0);
  let { directory } = place;
  let at = 0;
  for (;;) {
    if (raw.startsWith('./', at)) {
      at += 2;
    } else if (raw.startsWith('../', at)) {
      directory = parentOf(directory);
      at += 3;
    } else {
      break;
    }
  }
  // Other text that begins with a dot may be a dot segment, and text with a colon may begin with a scheme.
  // Both need the full parser.
  if (raw.startsWith('.', at) || (at === 0 && !isPlainStart(raw))) return undefined;
  return quickTail(place.origin + directory, raw, at, at);
}

/** Returns false if `raw` is empty, is only a query or fragment, or may begin with a scheme; otherwise true. */
function isPlainStart(raw: string): boolean {
  return raw !== '' && !raw.startsWith('?') && !raw.startsWith('#') && !raw.includes(':');
}

/**
 * Returns the parent of a directory: the parent of `/a/b/` is `/a/`, and the parent of the root is the root.
 */
function parentOf(directory: string): string {
  return directory.slice(0, directory.lastIndexOf('/', directory.length - 2) + 1);
}

/**
 * Returns the text `prefix` followed by `raw` from offset `from` on. Returns undefined if the path and query,
 * which begin at offset `tailAt` of `raw`, are not certainly canonical.
 */
function quickTail(
  prefix: string,
  raw: string,
  from: number,
  tailAt: number,
): CanonicalUrl | null | undefined {
  const end = scanTail(raw, tailAt);
  if (end < 0) return undefined;
  const mark = raw.indexOf('?', tailAt);
  const url =
    mark < 0 || mark > end
      ? prefix + raw.slice(from, end)
      : prefix + raw.slice(from, mark) + canonicalQuery(raw.slice(mark, end));
  return bounded(url);
}

function parseFully(raw: string, base?: string): CanonicalUrl | null {
  const url = URL.parse(raw.trim(), base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const { host } = url;
  if (host === '' || host.startsWith('.') || host.includes('..')) return null;
  const name = host.replace(/\.(?=:|$)/, '');
  return bounded(`${url.protocol}//${name}${canonicalPath(url.pathname)}${canonicalQuery(url.search)}`);
}

function bounded(url: string): CanonicalUrl | null {
  return url.length > MAX_URL_LENGTH ? null : (url as CanonicalUrl);
}

/**
 * Removes session ids from a path. A segment that consists of dots and a session id becomes a dot segment,
 * which is then resolved.
 */
function canonicalPath(pathname: string): string {
  const path = normalizeEscapes(pathname);
  if (!path.includes(';')) return path;
  const stripped = path.replace(/;jsessionid=[^/;]*/gi, '');
  return stripped === path ? path : new URL(`http://host${stripped}`).pathname;
}

function canonicalQuery(search: string): string {
  if (search.length < 2) return '';
  const kept = withoutTracking(normalizeEscapes(search.slice(1)));
  return kept === '' ? '' : `?${kept}`;
}
