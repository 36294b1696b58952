/**
 * SURT, the sort-friendly form of a URL that web archives index by: `https://www.example.org/a?b` is
 * `org,example)/a?b`. The host is reversed, so that a domain's captures are neighbours.
 *
 * As other archives do, it forgets the scheme, a leading `www.`, the fragment, credentials, case and the
 * order of parameters. So it is a key to look under, not an identity: entries keep the URL itself.
 */

/** Never throws: what is no URL with a host is its own key. */
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
