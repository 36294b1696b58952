/** HTML and XHTML to a `Page`: what the reader found, resolved, folded and bounded. */
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import { declaredCharset, toUtf8 } from './charset.ts';
import type { ContentType } from './content-type.ts';
import { cut, fold } from './folding.ts';
import { type RawLink, readHtml } from './html-reader.ts';
import { MAX_DESCRIPTION, MAX_LINK_TEXT, MAX_LINKS, MAX_TEXT, MAX_TITLE } from './limits.ts';
import type { Link, Page } from './page.ts';
import type { PageInput } from './page-input.ts';
import { allowAll, applyRobotsHeader } from './robots-directives.ts';

const LANGUAGE_TAG = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,8}$/;

export function parseHtml(input: PageInput, { type, charset }: ContentType): Page {
  const source = toUtf8(input.body, charset, declaredCharset);
  const robots = allowAll();
  for (const value of input.xRobotsTag) applyRobotsHeader(robots, value);
  const isXml = type === 'application/xhtml+xml';
  const { text, marks, links, metadata } = readHtml(source, { isXml, maxTextUnits: MAX_TEXT, robots });
  const base = baseOf(input.url, metadata.base);
  return {
    contentType: type,
    title: fold(metadata.title, MAX_TITLE) || fold(metadata.openGraphTitle, MAX_TITLE),
    description:
      fold(metadata.description, MAX_DESCRIPTION) || fold(metadata.openGraphDescription, MAX_DESCRIPTION),
    language: languageTag(metadata.language),
    text,
    marks,
    links: resolveLinks(links, base, text),
    canonical: canonicalOf(metadata.canonical, base, input.url),
    robots,
  };
}

/** What addresses of the page are relative to. */
function baseOf(url: CanonicalUrl, href: string | null): string {
  const base = href === null ? null : URL.parse(href, url);
  return base && /^https?:$/.test(base.protocol) ? base.href : url;
}

function canonicalOf(href: string | null, base: string, url: CanonicalUrl): CanonicalUrl | null {
  const canonical = href ? canonicalize(href, base) : null;
  return canonical === url ? null : canonical;
}

/** `en_US` and `EN-us` are `en-us`; what is no language tag is the empty string. */
function languageTag(raw: string): string {
  const tag = raw.trim().toLowerCase().replaceAll('_', '-');
  return LANGUAGE_TAG.test(tag) ? tag : '';
}

/** Menus repeat their addresses, so each is resolved once. A bare fragment is no link to a page. */
function resolveLinks(raw: readonly RawLink[], base: string, text: string): Link[] {
  const resolved = new Map<string, CanonicalUrl | null>();
  const links: Link[] = [];
  for (const link of raw) {
    if (links.length === MAX_LINKS) break;
    const address = withoutFragment(link.href);
    if (address === '') continue;
    if (!resolved.has(address)) resolved.set(address, canonicalize(address, base));
    const url = resolved.get(address);
    if (url) links.push({ url, text: textOf(link, text), nofollow: link.nofollow });
  }
  return links;
}

function withoutFragment(href: string): string {
  const hash = href.indexOf('#');
  return (hash < 0 ? href : href.slice(0, hash)).trim();
}

/** The page's text is folded already, but for newlines and a separator at the start. */
function textOf(link: RawLink, text: string): string {
  if (link.text !== null) return fold(link.text, MAX_LINK_TEXT);
  const end = Math.min(link.end, link.start + MAX_LINK_TEXT + 1);
  return cut(text.slice(link.start, end).replaceAll('\n', ' ').trimStart(), MAX_LINK_TEXT).trimEnd();
}
