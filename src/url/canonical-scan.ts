/**
 * Recognises URLs that are already canonical, so that most links need no URL parser.
 *
 * Each character is examined once. A scanner returns -1 if it is not certain that the URL is canonical, and
 * the caller then uses the full parser. If a scanner accepts a URL, the full parser would return it
 * unchanged; tests check this with random input.
 *
 *   https://example.org:8443/a/b?c=1#d
 *   └───── scanOrigin ─────┘└scanTail┘      each returns the offset where its part ends
 */

const Kind = { path: 1, query: 2, host: 4 } as const;

/**
 * For each ASCII character, a bit set of the URL components (`Kind`) in which canonicalization leaves the
 * character unchanged. The bit set is 0 if the character always changes.
 */
const KINDS = new Uint8Array(128);
for (const character of 'abcdefghijklmnopqrstuvwxyz0123456789-_.') mark(character, Kind.host);
for (const character of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&()*+,=:@/|[]') {
  mark(character, Kind.path | Kind.query);
}
// A single quote stays unchanged in a path; in a query it is percent-encoded. A semicolon stays unchanged in a query; in
// a path it may begin a session id.
mark("'", Kind.path);
for (const character of '?;{}') mark(character, Kind.query);

const HASH = 0x23;
const PERCENT = 0x25;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const QUESTION = 0x3f;

function mark(character: string, kinds: number): void {
  KINDS[character.charCodeAt(0)]! |= kinds;
}

/**
 * Returns the offset after the scheme, host and port at the start of `text`; -1 if they are not certainly
 * canonical.
 */
export function scanOrigin(text: string): number {
  const start = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : -1;
  if (start < 0) return -1;
  const end = scanHost(text, start);
  return text.charCodeAt(end) === COLON ? scanPort(text, end + 1, start === 8 ? 443 : 80) : end;
}

/**
 * Returns the end of the host, or -1 if the host is not certainly canonical. Accepts lower-case ASCII names
 * without empty labels. Rejects punycode and names whose last label begins with a digit, because they might be
 * IP addresses.
 */
function scanHost(text: string, start: number): number {
  let label = start;
  let hyphens = false;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === SLASH || code === COLON || code === QUESTION || code === HASH) break;
    if (code > 127 || (KINDS[code]! & Kind.host) === 0) return -1;
    if (code === HYPHEN) hyphens = true;
    if (code !== DOT) continue;
    if (at === label) return -1;
    label = at + 1;
  }
  if (at === label || isDigit(text.charCodeAt(label))) return -1;
  return hyphens && text.slice(start, at).includes('xn--') ? -1 : at;
}

/**
 * Returns the end of the port, or -1 if the port is not canonical. Accepts a port without leading zeros that
 * is not the default port of the scheme.
 */
function scanPort(text: string, start: number, standard: number): number {
  let port = 0;
  let at = start;
  for (; at < text.length && isDigit(text.charCodeAt(at)); at++) {
    port = port * 10 + text.charCodeAt(at) - ZERO;
    if (port === 0 || port > 65_535) return -1;
  }
  const next = text.charCodeAt(at);
  const ends = at === text.length || next === SLASH || next === QUESTION || next === HASH;
  return ends && at > start && port !== standard ? at : -1;
}

/**
 * Returns the end of the path and query that start at `start`: the end of the text or a `#`. Returns -1 if
 * canonicalization would change any character. Query parameters are not checked. The function is long because
 * it is a hot loop.
 */
export function scanTail(text: string, start: number): number {
  let allowed: number = Kind.path;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 128 && (KINDS[code]! & allowed) !== 0) {
      const beginsDots = code === SLASH && allowed === Kind.path && text.charCodeAt(at + 1) === DOT;
      if (beginsDots) return -1;
    } else if (code === PERCENT) {
      if (!isCanonicalEscape(text, at)) return -1;
      at += 2;
    } else if (code === QUESTION) {
      allowed = Kind.query;
    } else {
      return code === HASH ? at : -1;
    }
  }
  return text.length;
}

/**
 * Returns true if the text at `at` has two upper-case hex digits, and the character that they encode has to be
 * escaped.
 */
function isCanonicalEscape(text: string, at: number): boolean {
  const high = hexValue(text.charCodeAt(at + 1));
  const low = hexValue(text.charCodeAt(at + 2));
  if (high < 0 || low < 0) return false;
  const code = high * 16 + low;
  const unreserved = isDigit(code) || isLetter(code) || code === DOT || code === HYPHEN;
  return !unreserved && code !== 0x5f && code !== 0x7e;
}

function hexValue(code: number): number {
  if (isDigit(code)) return code - ZERO;
  return code >= 0x41 && code <= 0x46 ? code - 0x37 : -1;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}
