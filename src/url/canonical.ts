/**
 * The canonical form of a URL: two URLs with the same form are the same page to us.
 *
 * WHATWG parsing already lowers the case of scheme and host, drops default ports, resolves dot
 * segments and writes internationalised names in ASCII. On top of that:
 *
 *   - only http and https; credentials and the fragment are dropped
 *   - a trailing dot of the host is dropped: `example.org.` is `example.org`
 *   - percent-escapes of unreserved characters are decoded, the rest get upper-case digits (RFC 3986 § 6.2.2)
 *   - tracking and session parameters are removed; an empty query loses its `?`
 *   - `;jsessionid=…` is removed from the path
 */

export type CanonicalUrl = string & { readonly canonical: unique symbol };

export const MAX_URL_LENGTH = 2048;

const TRACKING =
  /^(?:utm_\w+|gclid|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(?:enc|mi)|ref_src)$/i;
const SESSION =
  /^(?:phpsessid|jsessionid|aspsessionid\w*|sessionid|session_id|sid|cfid|cftoken|osCsid|zenid)$/i;
const UNRESERVED = /^[A-Za-z0-9\-._~]$/;

/** The canonical form of `raw`, resolved against `base`; null when it is no web address of ours. */
export function canonicalize(raw: string, base?: string): CanonicalUrl | null {
  const url = URL.parse(raw.trim(), base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const host = url.host.replace(/\.(?=:|$)/, '');
  if (host === '' || host.startsWith('.') || host.includes('..')) return null;
  const path = normalizeEscapes(url.pathname.replace(/;jsessionid=[^/;]*/i, ''));
  const canonical = `${url.protocol}//${host}${path}${canonicalQuery(url.search)}`;
  return canonical.length > MAX_URL_LENGTH ? null : (canonical as CanonicalUrl);
}

function canonicalQuery(search: string): string {
  if (search.length < 2) return '';
  const kept = search.slice(1).split('&').filter(isWanted);
  return kept.length === 0 ? '' : `?${normalizeEscapes(kept.join('&'))}`;
}

function isWanted(parameter: string): boolean {
  const name = parameter.split('=', 1)[0]!;
  return parameter !== '' && !TRACKING.test(name) && !SESSION.test(name);
}

/**
 * Every percent-escape written alike: unreserved characters plain, the rest in upper-case digits. A
 * percent sign that begins no escape is escaped itself, so that decoding can never make a new one.
 */
export function normalizeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/%([0-9A-Fa-f]{2})?/g, (triplet, digits?: string) => {
    if (digits === undefined) return '%25';
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    return UNRESERVED.test(character) ? character : triplet.toUpperCase();
  });
}
