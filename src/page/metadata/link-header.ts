/**
 * Parses the Link header (RFC 8288): `<https://example.org/de>; rel="alternate"; hreflang=de, <…>;
 * rel=canonical`.
 */

interface HeaderLink {
  href: string;
  /** The tokens of `rel` in lower case, separated by spaces. */
  rel: string;
  hreflang: string;
  type: string;
}

const MAX_HEADER = 8_000;
const MAX_LINKS = 50;
/**
 * Matches one link of the header: a target in angle brackets and its parameters. A comma inside quotes does
 * not end a link.
 */
const LINK = /<([^<>]{1,2048})>((?:[^",<]|"[^"]{0,500}")*)/g;
const PARAMETER = /;\s*([\w-]{1,20})\*?\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/g;

export function parseLinkHeader(values: readonly string[]): HeaderLink[] {
  const links: HeaderLink[] = [];
  for (const value of values) {
    for (const [, href, rest] of value.slice(0, MAX_HEADER).matchAll(LINK)) {
      if (links.length === MAX_LINKS) return links;
      links.push({ href: href!.trim(), ...parametersOf(rest!) });
    }
  }
  return links;
}

/** Parses the parameters of a link. If a parameter is repeated, its first value counts. */
function parametersOf(text: string): Omit<HeaderLink, 'href'> {
  const found = new Map<string, string>();
  for (const [, name, quoted, bare] of text.matchAll(PARAMETER)) {
    const key = name!.toLowerCase();
    if (!found.has(key)) found.set(key, quoted ?? bare ?? '');
  }
  return {
    rel: (found.get('rel') ?? '').toLowerCase(),
    hreflang: found.get('hreflang') ?? '',
    type: found.get('type') ?? '',
  };
}
