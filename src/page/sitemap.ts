/**
 * Sitemaps: which pages a site has, in its own words. XML with `<urlset>` or `<sitemapindex>` (and
 * Google's extensions for news and for languages), a feed, or a list of addresses, any of them gzipped.
 *
 * Not a `Page`, since nobody searches for it. Which of the addresses may be crawled is for others to say.
 */
import { gunzipSync } from 'node:zlib';
import type { CanonicalUrl } from '../url/mod.ts';
import { AddressResolver } from './address-resolver.ts';
import { toUtf8 } from './charset.ts';
import { parseDate } from './dates.ts';
import { declaredEncoding, feedOf } from './feed.ts';
import { fold } from './folding.ts';
import { languageTag } from './language.ts';
import { MAX_ALTERNATES, MAX_TITLE } from './limits.ts';
import type { Alternate } from './page.ts';
import { readXml, type XmlDocument, type XmlRecord, type XmlShape } from './xml-records.ts';

export interface Sitemap {
  pages: SitemapPage[];
  /** Of an index: other sitemaps. */
  sitemaps: SitemapReference[];
}

export interface SitemapReference {
  url: CanonicalUrl;
  /** Milliseconds since 1970. */
  modifiedAt?: number;
}

export interface SitemapPage extends SitemapReference {
  /** From 0 to 1; a page without one counts as 0.5. */
  priority?: number;
  /** `hourly`, `daily`: how often the site thinks that the page changes. */
  changes?: string;
  /** The page in other languages. */
  alternates?: Alternate[];
  /** The page is a news article. */
  news?: { title: string; publishedAt?: number; language?: string };
}

/** As the protocol has it, https://www.sitemaps.org/protocol.html; what is behind is not read. */
const MAX_ENTRIES = 50_000;
const MAX_BYTES = 50 * 1024 * 1024;

const SHAPE: XmlShape = {
  records: new Set(['url', 'sitemap', 'item', 'entry']),
  markup: new Set(['description', 'content:encoded', 'content', 'summary']),
  attributes: ['href', 'rel', 'hreflang', 'ispermalink'],
  maxRecords: MAX_ENTRIES,
};
const CHANGES = new Set(['always', 'hourly', 'daily', 'weekly', 'monthly', 'yearly', 'never']);

/** Never throws; what is no sitemap is an empty one. `url` is where it was found. */
export function parseSitemap(bytes: Uint8Array, url: CanonicalUrl): Sitemap {
  const body = unzipped(bytes);
  const source = toUtf8(body.subarray(0, MAX_BYTES), '', declaredEncoding);
  const resolver = new AddressResolver(url);
  return source.subarray(0, 1024).includes('<') ? readSitemap(source, resolver) : readList(source, resolver);
}

/** By its bytes: servers may have unzipped a `.gz` on the way, or not. */
function unzipped(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  } catch {
    return new Uint8Array();
  }
}

function readSitemap(source: Buffer, resolver: AddressResolver): Sitemap {
  const document = readXml(source, SHAPE);
  if (feedOf(document)) return { pages: pagesOfFeed(document, resolver), sitemaps: [] };
  const sitemap: Sitemap = { pages: [], sitemaps: [] };
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
  const title = fold(record.text('news:title'), MAX_TITLE);
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

function pagesOfFeed(document: XmlDocument, resolver: AddressResolver): SitemapPage[] {
  return feedOf(document)!.items.flatMap(({ href, date }) => {
    const url = href === '' ? null : resolver.resolve(href);
    return url ? [{ url, ...dated(date) }] : [];
  });
}

/** An address a line. */
function readList(source: Buffer, resolver: AddressResolver): Sitemap {
  const lines = source.toString().split(/\r\n?|\n/, MAX_ENTRIES);
  const urls = lines
    .filter((line) => /^\s*https?:\/\//i.test(line))
    .map((line) => resolver.resolve(line.trim()));
  return { pages: urls.flatMap((url) => (url ? [{ url }] : [])), sitemaps: [] };
}

function dated(date: string): { modifiedAt?: number } {
  const modifiedAt = parseDate(date);
  return modifiedAt === null ? {} : { modifiedAt };
}
