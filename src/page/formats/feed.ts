/**
 * Converts RSS, Atom and JSON Feed to a `Page`. The items of a feed become its links, and its text is their
 * titles and summaries. Links of a feed are followed, but the feed itself is not a search result: see
 * `isListed`.
 */
import type { WorkBudget } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type ContentType, parseContentType } from '../content-type.ts';
import { AddressResolver, readHtml } from '../html/mod.ts';
import { documentBudget, MAX_DESCRIPTION, MAX_LINK_TEXT, MAX_LINKS, MAX_TEXT, MAX_TITLE } from '../limits.ts';
import { allowAll, parseDate } from '../metadata/mod.ts';
import { newPage, setDates, setLanguage } from '../new-page.ts';
import { MarkKind, type Page } from '../page.ts';
import type { PageInput } from '../page-input.ts';
import { ComposedText, foldSpace, toUtf8 } from '../text/mod.ts';
import { readXml, type XmlDocument, type XmlRecord, type XmlShape } from './xml-records.ts';

export interface Feed {
  title: string;
  description: string;
  language: string;
  /** The URL of the site to which the feed belongs. */
  home: string;
  modified: string;
  items: FeedItem[];
}

interface FeedItem {
  href: string;
  title: string;
  /** The summary of the item as HTML. */
  summary: string;
  date: string;
}

const SHAPE: XmlShape = {
  records: new Set(['item', 'entry']),
  markup: new Set(['description', 'content:encoded', 'content', 'summary', 'subtitle', 'tagline']),
  attributes: ['href', 'rel', 'type', 'xml:lang', 'ispermalink'],
  maxRecords: MAX_LINKS,
};
const ROOTS = new Set(['rss', 'feed', 'rdf:rdf']);
const MAX_SUMMARY = 20_000;

/** Converts an XML feed to a page. Returns null if the XML is not a feed. */
export function parseXmlFeed(
  input: PageInput,
  { type, charset }: ContentType,
  budget: WorkBudget,
): Page | null {
  const document = readXml(toUtf8(input.body, charset, declaredEncoding), SHAPE, budget);
  const feed = feedOf(document, budget);
  return feed && pageOf(feed, input, type, budget);
}

/** Converts a JSON feed to a page. Returns null if the JSON is not a feed. */
export function parseJsonFeed(
  input: PageInput,
  { type, charset }: ContentType,
  budget: WorkBudget,
): Page | null {
  const feed = readJsonFeed(toUtf8(input.body, charset).toString());
  return feed && pageOf(feed, input, type, budget);
}

export interface FeedEntry {
  url: CanonicalUrl;
  title: string;
  /** The publication date in milliseconds since 1970; absent if the feed gives no date. */
  publishedAt?: number;
}

/** Returns the pages that a feed announces, in its order; empty if the input is not a feed. */
export function readFeedEntries(input: PageInput): FeedEntry[] {
  const { type, charset } = parseContentType(input.contentType);
  const source = toUtf8(input.body, charset, declaredEncoding);
  const budget = documentBudget(input.body.byteLength);
  const feed = type.includes('json')
    ? readJsonFeed(source.toString())
    : feedOf(readXml(source, SHAPE, budget), budget);
  const resolver = new AddressResolver(input.url);
  return (feed?.items ?? []).flatMap(({ href, title, date }) => {
    const url = href === '' ? null : resolver.resolve(href.split('#', 1)[0]!);
    const publishedAt = parseDate(date);
    if (!url || title === '') return [];
    return [{ url, title: foldSpace(title, MAX_TITLE), ...(publishedAt !== null && { publishedAt }) }];
  });
}

/** Reads the feed in an XML document. Returns null if the document is not a feed. */
export function feedOf({ root, head, records }: XmlDocument, budget: WorkBudget): Feed | null {
  if (!ROOTS.has(root)) return null;
  const language = head.text('language', 'dc:language') || (head.all(root)[0]?.attributes['xml:lang'] ?? '');
  return {
    title: plainOf(head.text('title'), budget),
    description: plainOf(head.text('description', 'subtitle', 'tagline'), budget),
    language,
    home: addressOf(head),
    modified: head.text('lastbuilddate', 'updated', 'pubdate', 'dc:date', 'modified'),
    items: records.map((record) => ({
      href: addressOf(record),
      title: plainOf(record.text('title'), budget),
      summary: record.text('content:encoded', 'content', 'description', 'summary'),
      date: record.text('pubdate', 'published', 'updated', 'dc:date', 'issued', 'modified'),
    })),
  };
}

/** Returns the encoding that the XML declares: `<?xml encoding="…"?>`. */
export function declaredEncoding(opening: string): string {
  return /^\s*<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}["']([^"'>]{1,40})/i.exec(opening)?.[1] ?? '';
}

/**
 * Returns the URL of an item, from the content or an attribute of its `<link>`. Without a `<link>`, returns the
 * identifier of the item if it is a URL.
 */
function addressOf(record: XmlRecord): string {
  const links = record.all('link');
  const alternate = links.find(({ attributes }) => (attributes.rel ?? 'alternate') === 'alternate');
  const href = links.find(({ text }) => text.trim() !== '')?.text.trim() ?? alternate?.attributes.href ?? '';
  if (href !== '') return href;
  const id = record.all('guid').find(({ attributes }) => attributes.ispermalink !== 'false');
  const candidate = id?.text.trim() ?? record.text('id');
  return /^https?:\/\//i.test(candidate) ? candidate : '';
}

function readJsonFeed(json: string): Feed | null {
  const root = parseObject(json);
  if (!root || !/^https?:\/\/jsonfeed\.org\/version\//.test(stringOf(root.version))) return null;
  const items = Array.isArray(root.items) ? root.items.slice(0, MAX_LINKS).filter(isObject) : [];
  return {
    title: stringOf(root.title),
    description: stringOf(root.description),
    language: stringOf(root.language),
    home: stringOf(root.home_page_url),
    modified: '',
    items: items.map((item) => ({
      href: stringOf(item.url) || stringOf(item.external_url),
      title: stringOf(item.title),
      summary: stringOf(item.content_html) || escaped(stringOf(item.content_text) || stringOf(item.summary)),
      date: stringOf(item.date_published) || stringOf(item.date_modified),
    })),
  };
}

function pageOf(feed: Feed, input: PageInput, contentType: string, budget: WorkBudget): Page {
  const page = newPage(input, contentType);
  page.kind = 'feed';
  page.title = foldSpace(feed.title, MAX_TITLE);
  page.description = foldSpace(feed.description, MAX_DESCRIPTION);
  const text = new ComposedText(MAX_TEXT);
  for (const { title, summary } of feed.items) {
    text.addBlock(title, MarkKind.heading2);
    if (!text.isFull) text.addBlock(plainOf(summary, budget));
  }
  Object.assign(page, text.finish());
  addLinks(page, feed, new AddressResolver(input.url));
  setLanguage(page, feed.language, input);
  setDates(page, null, newestOf(feed), input);
  return page;
}

function addLinks(page: Page, feed: Feed, resolver: AddressResolver): void {
  const items = feed.items.map(({ href, title }) => ({ href, title }));
  for (const { href, title } of [...items, { href: feed.home, title: feed.title }]) {
    const url = href === '' ? null : resolver.resolve(href.split('#', 1)[0]!);
    if (url && page.links.length < MAX_LINKS) {
      page.links.push({ url, text: foldSpace(title, MAX_LINK_TEXT), nofollow: false });
    }
  }
}

function newestOf(feed: Feed): number | null {
  const dates = [feed.modified, ...feed.items.map(({ date }) => date)].map(parseDate);
  const newest = Math.max(...dates.map((date) => date ?? -Infinity));
  return Number.isFinite(newest) ? newest : null;
}

/** Returns the text of a fragment that may be HTML or plain text, as summaries in feeds are. */
function plainOf(html: string, budget: WorkBudget): string {
  if (!/[<&]/.test(html)) return html;
  const source = Buffer.from(html.slice(0, 4 * MAX_SUMMARY));
  return readHtml(source, { isXml: false, maxTextUnits: MAX_SUMMARY, robots: allowAll(), budget }).text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
