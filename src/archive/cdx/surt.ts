/**
 * SURT, the sortable form of a URL that web archives use as a key: `https://www.example.org/a?b` is
 * `org,example)/a?b`. The host is reversed, so that the captures of a domain are adjacent.
 *
 * As in other archives, it ignores the scheme, a leading `www.`, the fragment, credentials, case and the
 * order of parameters. Different URLs may therefore have the same SURT, so CDXJ entries also have the URL.
 */

/**
 * Returns the SURT of a URL. Never throws: text that is not a URL with a host is escaped, lower-cased and
 * used as the key.
 */
export function surtOf(raw: string): string {
  const url = URL.parse(raw);
  if (!url || url.hostname === '') return encodeURI(raw.toWellFormed()).toLowerCase();
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${reversedHost(url.hostname)}${port})${pathAndQuery(url)}`.toLowerCase();
}

function reversedHost(hostname: string): string {
  if (/^\[|^[\d.]+$/.test(hostname)) return hostname;
  const host = hostname.replace(/\.$/, '').replace(/^www\d*\.(?=.)/, '');
  return host.split('.').reverse().join(',');
}

function pathAndQuery(url: URL): string {
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : '/';
  if (url.search.length < 2) return path;
  return `${path}?${url.search.slice(1).split('&').sort().join('&')}`;
}
