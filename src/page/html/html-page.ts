/**
 * Converts HTML and XHTML to a `Page`: takes the text, links and metadata from `html-reader.ts`, resolves
 * URLs, folds white space and applies limits.
 */
import type { WorkBudget } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { ContentType } from '../content-type.ts';
import { languageTag } from '../language/mod.ts';
import {
  MAX_ALTERNATES,
  MAX_DESCRIPTION,
  MAX_GRAPH_VALUE,
  MAX_LINK_TEXT,
  MAX_LINKS,
  MAX_REL,
  MAX_TEXT,
  MAX_TITLE,
} from '../limits.ts';
import { chooseIcon, findStatedDates, firstDate, firstValue, parseLinkHeader } from '../metadata/mod.ts';
import { newPage, setDates, setLanguage } from '../new-page.ts';
import { type Alternate, headingLevel, type Image, type Link, type Page, type Range } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { cut, declaredCharset, foldSpace, toUtf8, trimmed } from '../text/mod.ts';
import { AddressResolver } from './address-resolver.ts';
import { findBoilerplate } from './boilerplate.ts';
import { attributeTokensOf, type HtmlMetadata, type RawAlternate } from './html-metadata.ts';
import { type HtmlContent, readHtml } from './html-reader.ts';
import { describeImage, type RawImage } from './image-collector.ts';
import type { RawLink } from './link-collector.ts';

/** Matches titles that programs set if the author gives none, such as `Untitled document`. */
const NO_TITLE = /^(?:untitled(?: document| page)?|no title|new page(?: \d+)?|document)$/i;
const SPACE = 0x20;
const NOT_FOLLOWED = new Set(['nofollow', 'ugc', 'sponsored']);
/** The tokens of `rel` that tell a browser how to open the link and say nothing about the linked page. */
const FOR_BROWSERS = new Set(['noopener', 'noreferrer', 'opener', 'external', 'nofollow']);

export function parseHtml(input: PageInput, { type, charset }: ContentType, budget: WorkBudget): Page {
  const source = toUtf8(input.body, charset, declaredCharset);
  return pageOfHtml(source, input, type, type !== 'text/html', budget);
}

/** Converts markup to a page. The markup may have been generated from another format, such as Markdown. */
export function pageOfHtml(
  source: Buffer,
  input: PageInput,
  contentType: string,
  isXml: boolean,
  budget: WorkBudget,
): Page {
  const page = newPage(input, contentType);
  const content = readHtml(source, { isXml, maxTextUnits: MAX_TEXT, robots: page.robots, budget });
  const { metadata, text, marks, regions, structured } = content;
  page.title = titleOf(content);
  page.description =
    foldSpace(metadata.description, MAX_DESCRIPTION) ||
    foldSpace(metadata.graph.get('description') ?? '', MAX_DESCRIPTION);
  page.text = text;
  page.marks = marks;
  const boilerplate = findBoilerplate(content, page.title);
  if (boilerplate.length > 0) page.boilerplate = boilerplate;
  const noSnippet = trimmed(regions.noSnippet, text);
  if (noSnippet.length > 0) page.noSnippet = noSnippet;
  if (structured.length > 0) page.structured = structured;
  if (metadata.rating) page.rating ??= metadata.rating;
  const code = content.code.filter(({ start }) => !isWithin(boilerplate, start));
  if (code.length > 0) page.code = code;
  setAddresses(page, content, input);
  setLanguage(page, metadata.language, input);
  setDatesOf(page, metadata, input);
  return page;
}

/** Returns the title of the page or, if it has none, its first heading. */
function titleOf({ metadata, text, marks }: HtmlContent): string {
  const declared =
    foldSpace(metadata.title, MAX_TITLE) || foldSpace(metadata.graph.get('title') ?? '', MAX_TITLE);
  if (declared !== '' && !NO_TITLE.test(declared)) return declared;
  const heading = marks.find(({ kind }) => headingLevel(kind) > 0);
  return (heading && foldSpace(text.slice(heading.start, heading.end), MAX_TITLE)) || declared;
}

/**
 * Sets the fields of the page that contain URLs, such as its links. The URLs are resolved against the base
 * URL of the page.
 */
function setAddresses(page: Page, { metadata, links, images, text }: HtmlContent, input: PageInput): void {
  const resolver = new AddressResolver(input.url, metadata.base);
  const headers = new HeaderAddresses(input);
  page.links = resolveLinks(links, resolver, text);
  const shown = resolveImages(images, resolver, page);
  if (shown.length > 0) page.images = shown;
  const canonical = metadata.canonical ? resolver.resolve(metadata.canonical) : headers.canonical;
  page.canonical = canonical === input.url ? null : canonical;
  const alternates = [...resolveAlternates(metadata.alternates, resolver), ...headers.alternates];
  if (alternates.length > 0) page.alternates = alternates.slice(0, MAX_ALTERNATES);
  const favicon = chooseIcon(metadata.icons, (href) => resolver.resolve(href));
  if (favicon !== null) page.favicon = favicon;
  const graph = openGraphOf(metadata, page, resolver);
  if (Object.keys(graph).length > 0) page.openGraph = graph;
}

/** Resolves the links of a page. Links that are only a fragment (`#top`) are left out. */
function resolveLinks(raw: readonly RawLink[], resolver: AddressResolver, text: string): Link[] {
  const links: Link[] = [];
  for (const link of raw) {
    if (links.length === MAX_LINKS) break;
    const address = withoutFragment(link.href);
    const url = address === '' ? null : resolver.resolve(address);
    if (url) links.push({ url, text: linkTextOf(link, text), ...relationOf(link.rel) });
  }
  return links;
}

/**
 * Resolves the pictures of a page. Leaves out pictures in boilerplate, and further copies of the same picture.
 */
function resolveImages(
  raw: readonly RawImage[],
  resolver: AddressResolver,
  { text, boilerplate = [] }: Page,
): Image[] {
  const known = new Map<string, Image>();
  for (const image of raw) {
    const url = isWithin(boilerplate, image.at) ? null : resolver.resolve(image.src);
    const described = url && !known.has(url) ? describeImage(image, url, text) : null;
    if (described) known.set(described.url, described);
  }
  return [...known.values()];
}

function isWithin(ranges: readonly Range[], at: number): boolean {
  return ranges.some(([start, end]) => start <= at && at < end);
}

function withoutFragment(href: string): string {
  const hash = href.indexOf('#');
  return (hash < 0 ? href : href.slice(0, hash)).trim();
}

/**
 * Returns the text of a link. The text of the page is already folded, so only newlines and a separator at the
 * start have to be replaced.
 */
function linkTextOf(link: RawLink, text: string): string {
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

/** Resolves URLs in response headers. They are relative to the URL of the page, not to its `<base>`. */
class HeaderAddresses {
  readonly canonical: CanonicalUrl | null = null;
  readonly alternates: Alternate[] = [];

  constructor({ url, linkHeader = [] }: PageInput) {
    if (linkHeader.length === 0) return;
    const resolver = new AddressResolver(url);
    const links = parseLinkHeader(linkHeader);
    const canonical = links.find(({ rel }) => rel.split(' ').includes('canonical'));
    if (canonical) this.canonical = resolver.resolve(canonical.href);
    const alternates = links.filter(({ rel }) => rel.split(' ').includes('alternate'));
    this.alternates = resolveAlternates(alternates, resolver);
  }
}

function resolveAlternates(raw: readonly RawAlternate[], resolver: AddressResolver): Alternate[] {
  return raw.flatMap(({ href, hreflang, type }) => {
    const url = resolver.resolve(href);
    const language = languageTag(hreflang);
    const kind = type.trim().toLowerCase();
    if (url === null || (language === '' && kind === '')) return [];
    return [{ url, ...(language !== '' && { language }), ...(kind !== '' && { type: kind.slice(0, 100) }) }];
  });
}

/** Returns the Open Graph properties, except for values that only repeat the title or the description. */
function openGraphOf({ graph }: HtmlMetadata, page: Page, resolver: AddressResolver): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, raw] of graph) {
    const isAddress = name === 'url' || name === 'image';
    const value = isAddress ? resolver.resolve(raw) : foldSpace(raw, MAX_GRAPH_VALUE);
    const repeats = name === 'title' ? page.title : name === 'description' ? page.description : '';
    const isKept = value && value !== repeats.slice(0, MAX_GRAPH_VALUE).trimEnd() && name.length <= 40;
    if (isKept && name !== '__proto__') kept[name] = value;
  }
  return kept;
}

function setDatesOf(page: Page, metadata: HtmlMetadata, input: PageInput): void {
  const structured = page.structured ?? [];
  const stated = findStatedDates(page.text);
  const published = [firstValue(structured, 'datePublished'), ...metadata.published, ...stated.published];
  const modified = [firstValue(structured, 'dateModified'), ...metadata.modified, ...stated.modified];
  setDates(page, firstDate(published), firstDate(modified), input);
}
