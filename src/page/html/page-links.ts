/** Converts links as written to the links of a `Page`. */

import { MAX_LINK_TEXT, MAX_LINKS, MAX_REL } from '../limits.ts';
import type { Link } from '../page.ts';
import { cut, foldSpace } from '../text/mod.ts';
import type { AddressResolver } from './address-resolver.ts';
import { attributeTokensOf } from './html-metadata.ts';
import type { RawLink } from './html-reader.ts';

const SPACE = 0x20;
const NOT_FOLLOWED = new Set(['nofollow', 'ugc', 'sponsored']);
/** Tokens that tell a browser how to open the link and say nothing about the page. */
const FOR_BROWSERS = new Set(['noopener', 'noreferrer', 'opener', 'external', 'nofollow']);

/** A link that is only a fragment is left out. */
export function resolveLinks(raw: readonly RawLink[], resolver: AddressResolver, text: string): Link[] {
  const links: Link[] = [];
  for (const link of raw) {
    if (links.length === MAX_LINKS) break;
    const address = withoutFragment(link.href);
    const url = address === '' ? null : resolver.resolve(address);
    if (url) links.push({ url, text: textOf(link, text), ...relationOf(link.rel) });
  }
  return links;
}

function withoutFragment(href: string): string {
  const hash = href.indexOf('#');
  return (hash < 0 ? href : href.slice(0, hash)).trim();
}

/** The page's text is already folded, except for newlines and a separator at the start. */
function textOf(link: RawLink, text: string): string {
  if (link.text !== null) return foldSpace(link.text, MAX_LINK_TEXT);
  const start = text.charCodeAt(link.start) <= SPACE ? link.start + 1 : link.start;
  const raw = text.slice(start, Math.min(link.end, start + MAX_LINK_TEXT + 1));
  const line = raw.includes('\n') ? raw.replaceAll('\n', ' ') : raw;
  return line.length <= MAX_LINK_TEXT ? line : cut(line, MAX_LINK_TEXT).trimEnd();
}

function relationOf(raw: string | null): Pick<Link, 'nofollow' | 'rel'> {
  if (!raw) return { nofollow: false };
  const tokens = attributeTokensOf(raw.slice(0, MAX_REL));
  const nofollow = tokens.some((token) => NOT_FOLLOWED.has(token));
  const rel = tokens.filter((token) => !FOR_BROWSERS.has(token)).join(' ');
  return rel === '' ? { nofollow } : { nofollow, rel };
}
