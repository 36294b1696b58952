/**
 * Reads sitemaps, the lists of pages that a site publishes: XML with `<urlset>` or `<sitemapindex>` (and
 * Google's extensions for news and languages), a feed, or a list of URLs, each optionally gzipped.
 *
 * A sitemap is not a `Page`, since it is not searched. The crawl decides which of the URLs may be fetched.
 */
import { constants, gunzipSync } from 'node:zlib';
import type { WorkBudget } from '../../base/mod.ts';
import { type CanonicalUrl, pathOf } from '../../url/mod.ts';
import { AddressResolver } from '../html/mod.ts';
import { languageTag } from '../language/mod.ts';
import { documentBudget, MAX_ALTERNATES, MAX_TITLE } from '../limits.ts';
import { parseDate } from '../metadata/mod.ts';
import type { Alternate } from '../page.ts';
import { foldSpace, toUtf8 } from '../text/mod.ts';
import { declaredEncoding, type Feed, feedOf } from './feed.ts';
import { readXml, type XmlRecord, type XmlShape } from './xml-records.ts';

export interface Sitemap {
  pages: SitemapPage[];
  sitemaps: SitemapReference[];
  /** True if the sitemap was too long or exceeded its work budget, so that its rest was not read. */
  incomplete?: true;
}

interface SitemapReference {
  url: CanonicalUrl;
  /** The modification date of the page in milliseconds since 1970. */
  modifiedAt?: number;
}

interface SitemapPage extends SitemapReference {
  /** The priority of the page from 0 to 1. A page without a priority counts as 0.5. */
  priority?: number;
  /** The change frequency that the sitemap states, such as `daily`. */
  changes?: string;
  /** The URLs of the page in other languages. */
  alternates?: Alternate[];
  news?: { title: string; publishedAt?: number; language?: string };
}

/**
 * The limits of the sitemap protocol (https://www.sitemaps.org/protocol.html). The rest of a sitemap above a
 * limit is not read.
 */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;
/**
 * A gzipped sitemap gets the work budget of a document of its decompressed size, but at most of ZIPPED_WORK
 * times its compressed size.
 */
const ZIPPED_WORK = 4;

const SHAPE: XmlShape = {
  records: new Set(['url', 'sitemap', 'item', 'entry']),
  markup: new Set(['description', 'content:encoded', 'content', 'summary']),
  attributes: ['href', 'rel', 'hreflang', 'ispermalink'],
  maxRecords: MAX_ENTRIES,
};
const CHANGES = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never']);

/**
 * Returns true if a response is a sitemap, by its first bytes or, if it is gzipped, by its file name. `body`
 * has no content coding.
 */
export function isSitemap(url: CanonicalUrl, contentType: string, body: Buffer): boolean {
  if (mayBeZippedSitemap(url, contentType)) return true;
  const opening = body.subarray(0, 2048).toString('latin1');
  if (contentType.startsWith('text/plain')) return isListOfAddresses(opening);
  return contentType.includes('xml') && /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(opening);
}

export function mayBeZippedSitemap(url: CanonicalUrl, contentType: string): boolean {
  return /gzip|octet-stream/i.test(contentType) && /\.(?:xml|txt)\.gz$/i.test(pathOf(url).split('?', 1)[0]!);
}

/** Returns true if every line is a URL. The last line may be truncated. */
function isListOfAddresses(opening: string): boolean {
  const lines = opening
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /^\s*https?:\/\/\S+\s*$/i.test(line));
}

/**
 * Parses a sitemap. Never throws: an input that is not a sitemap gives an empty result. `url` is the URL of
 * the sitemap.
 */
export function parseSitemap(bytes: Uint8Array, url: CanonicalUrl): Sitemap {
  const { body, isCut } = unzipped(bytes);
  const budget = documentBudget(Math.min(body.length, ZIPPED_WORK * bytes.length));
  const source = toUtf8(body.subarray(0, MAX_BYTES), '', declaredEncoding);
  const resolver = new AddressResolver(url);
  const isXml = source.subarray(0, 1024).includes('<');
  const sitemap = isXml ? readSitemap(source, resolver, budget) : readList(source, resolver);
  if (isCut || budget.isSpent || body.length > MAX_BYTES) sitemap.incomplete = true;
  return sitemap;
}

/**
 * Decompresses the body if it begins with the magic bytes of gzip. The file name `.gz` is not enough, because
 * some servers have already decompressed a `.gz` file.
 */
function unzipped(bytes: Uint8Array): { body: Uint8Array; isCut: boolean } {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return { body: bytes, isCut: false };
  // zlib discards all output when it exceeds the limit. Therefore a file that is too large is decompressed
  // again from the first half of its bytes, then the first quarter, and so on.
  for (let size = bytes.length; size > 0; size >>= 1) {
    try {
      const options = { maxOutputLength: MAX_BYTES, finishFlush: constants.Z_SYNC_FLUSH };
      return { body: gunzipSync(bytes.subarray(0, size), options), isCut: size < bytes.length };
    } catch (error) {
      if (!(error instanceof RangeError)) break;
    }
  }
  return { body: new Uint8Array(), isCut: false };
}

function readSitemap(source: Buffer, resolver: AddressResolver, budget: WorkBudget): Sitemap {
  const document = readXml(source, SHAPE, budget);
  const feed = feedOf(document, budget);
  if (feed) return { pages: pagesOfFeed(feed, resolver), sitemaps: [] };
  const sitemap: Sitemap = { pages: [], sitemaps: [] };
  if (document.records.length > MAX_ENTRIES) sitemap.incomplete = true;
  for (const record of document.records.slice(0, MAX_ENTRIES)) {
    const reference = referenceOf(record, resolver);
    if (reference && record.name === 'url') sitemap.pages.push(pageOf(record, reference, resolver));
    if (reference && record.name === 'sitemap') sitemap.sitemaps.push(reference);
  }
  return sitemap;
}

function referenceOf(record: XmlRecord, resolver: AddressResolver): SitemapReference | null {
  const address = record.text('loc');
  const url = address === '' ? null : resolver.resolve(address);
  return url && { url, ...dated(record.text('lastmod')) };
}

function pageOf(record: XmlRecord, reference: SitemapReference, resolver: AddressResolver): SitemapPage {
  const page: SitemapPage = reference;
  const priority = Number.parseFloat(record.text('priority'));
  if (priority >= 0 && priority <= 1) page.priority = priority;
  const changes = record.text('changefreq').toLowerCase();
  if (CHANGES.has(changes)) page.changes = changes;
  const alternates = alternatesOf(record, resolver);
  if (alternates.length > 0) page.alternates = alternates;
  const title = foldSpace(record.text('news:title'), MAX_TITLE);
  if (title !== '') page.news = { title, ...newsOf(record) };
  return page;
}

function newsOf(record: XmlRecord): { publishedAt?: number; language?: string } {
  const publishedAt = parseDate(record.text('news:publication_date'));
  const language = languageTag(record.text('news:language'));
  return { ...(publishedAt !== null && { publishedAt }), ...(language !== '' && { language }) };
}

function alternatesOf(record: XmlRecord, resolver: AddressResolver): Alternate[] {
  return record
    .all('xhtml:link')
    .slice(0, MAX_ALTERNATES)
    .flatMap(({ attributes }) => {
      const url = attributes.href ? resolver.resolve(attributes.href) : null;
      const language = languageTag(attributes.hreflang ?? '');
      return url && language !== '' && attributes.rel === 'alternate' ? [{ url, language }] : [];
    });
}

function pagesOfFeed({ items }: Feed, resolver: AddressResolver): SitemapPage[] {
  return items.flatMap(({ href, date }) => {
    const url = href === '' ? null : resolver.resolve(href);
    return url ? [{ url, ...dated(date) }] : [];
  });
}

function readList(source: Buffer, resolver: AddressResolver): Sitemap {
  const lines = source.toString().split(/\r\n?|\n/, MAX_ENTRIES + 1);
  const urls = lines
    .slice(0, MAX_ENTRIES)
    .filter((line) => /^\s*https?:\/\//i.test(line))
    .map((line) => resolver.resolve(line.trim()));
  const pages = urls.flatMap((url) => (url ? [{ url }] : []));
  const isCut = (lines[MAX_ENTRIES] ?? '') !== '';
  return { pages, sitemaps: [], ...(isCut && { incomplete: true as const }) };
}

function dated(date: string): { modifiedAt?: number } {
  const modifiedAt = parseDate(date);
  return modifiedAt === null ? {} : { modifiedAt };
}
