/**
 * Parses one response, in a worker thread: decodes and parses the body, filters its links by the URL rules,
 * sketches its text and computes its digests. All pure and expensive work is here. `response-handler.ts`
 * decides from the `Reading` what depends on the rest of the crawl, such as duplicates and new links.
 *
 *   page       content to index, and links
 *   redirect   `to` is null if the target is not a URL that we could visit
 *   sitemap    a list of the site's pages, and of further sitemaps
 *   unchanged  304: the page has not changed since the last visit
 *   gone       404 and 410: the page no longer exists
 *   other      any other final response without content to index
 *   failed     a body that cannot be decoded, or decodes to more than the size limit
 */

import { sha1Base32 } from '../../base/mod.ts';
import {
  decodeBody,
  type DocumentFault,
  interpretResponse,
  type Page,
  type ParseOptions,
  parseSitemap,
  readFeedEntries,
  type RobotsDirectives,
} from '../../page/mod.ts';
import { changeKey, contentKey, type Sketch, sketchOfPage } from '../../sketch/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, type UrlRules } from '../../url/mod.ts';
import { type ParkedSign, parkedSigns } from '../duplicates/mod.ts';
import { contentCodingOf, headersOf } from '../response-headers.ts';
import { linkRelevances, type TopicClassifier } from '../topics/mod.ts';

/** A received response, the input of the parser. */
export interface FetchedResponse {
  url: CanonicalUrl;
  /** Number of links between a seed and this URL. */
  depth: number;
  /** Estimated relevance of the URL to the topic of the crawl; absent if unknown. */
  relevance?: number;
  /** False if a URL rule excludes the page from the index. */
  isIndexed: boolean;
  /** True if the URL had no page before, for the journal. */
  isNew?: true;
  fetchedAt: number;
  status: number;
  statusText: string;
  /** Response headers as received: name, value, name, value, and so on. */
  rawHeaders: string[];
  /** The body as received, before content codings such as gzip are decoded. */
  payload: Uint8Array;
  requestHead: string;
  ipAddress: string;
}

/**
 * Links of a page that are to be followed. They are packed into a string and an array, which are cheap to send to
 * another thread.
 */
export interface Links {
  /** The URLs, one per line. */
  urls: string;
  /** The fingerprint of each URL, in the order of `urls`. */
  fingerprints: BigInt64Array;
  depth: number;
  /** Indexes of the URLs in `urls` that are followed but, by a URL rule, not indexed; absent if there are none. */
  followOnly?: readonly number[];
  /** Estimated relevance of each URL in `urls` to the topic of the crawl; absent if the crawl has no topic. */
  relevances?: Uint8Array;
}

/** The dates of changes that a sitemap or feed lists for its pages. */
export interface ListedPages {
  isFeed: boolean;
  /** The pages with a date or a frequency of change. */
  pages: ListedPage[];
}

interface ListedPage {
  url: CanonicalUrl;
  modifiedAt?: number;
  /** The frequency of change that a sitemap states, such as `daily`. */
  changes?: string;
}

/** Maximum number of pages of a sitemap or feed whose dates are used; the latest dates come first. */
const MAX_LISTED = 5_000;

interface ReadingBase {
  /** Digest of the decoded body, which identifies exact duplicates. */
  digest: string;
  /** Digest of the body as received, which the archive uses. */
  payloadDigest: string;
  links: Links;
}

export type Reading =
  | (ReadingBase & { kind: 'page'; page: PageFacts; listed?: ListedPages })
  | (ReadingBase & { kind: 'redirect'; to: CanonicalUrl | null })
  | (ReadingBase & { kind: 'sitemap'; isTruncated: boolean; listed: ListedPages })
  | (ReadingBase & { kind: 'unchanged' | 'gone' })
  /**
   * Response without a page: an error of the client or the server (`isError`), or another response that has nothing
   * to index. `fault` is the reason why a document cannot be read.
   */
  | (ReadingBase & { kind: 'other'; isError: boolean; fault?: DocumentFault })
  | { kind: 'failed'; reason: string };

/** Properties of a parsed page that the crawl thread needs; the page itself stays in shared memory. */
export interface PageFacts {
  /** Robots directives of the page, combined with the URL rules. */
  robots: RobotsDirectives;
  kind?: NonNullable<Page['kind']>;
  canonical: CanonicalUrl | null;
  /** Detected language of the text, which may differ from the language that the page declares. */
  language: string;
  /** URLs of the page in other languages (`hreflang`). */
  alternates?: NonNullable<Page['alternates']>;
  title: string;
  sketch: Sketch;
  /**
   * Hash of the title and, if the text is short, of the text without menus. It distinguishes pages that share a
   * template, whose sketches are nearly equal.
   */
  contentKey: number;
  /** Hash of title and content without dates and the like, to detect that the page has changed. */
  changeKey: number;
  /** Signs that the domain of the page is parked. */
  parkedSigns: ParkedSign[];
  /** URL of the icon that the page declares for its site. */
  icon?: string;
  /** All links to pages of the same site, one per line, including links that are not followed. */
  ownLinks: string;
}

export interface ReadingOptions extends ParseOptions {
  urlRules: UrlRules;
  /** Size limit of a body, before and after decoding. */
  maxBodyBytes: number;
  /** The topic of the crawl, if it has one. */
  topic?: TopicClassifier;
}

/** The result of parsing a response, and the page for the journal if there is one. */
export interface Read {
  reading: Reading;
  page: Page | null;
}

export function readResponse(answer: FetchedResponse, options: ReadingOptions): Read {
  const headers = headersOf(answer.rawHeaders);
  const payload = Buffer.from(answer.payload.buffer, answer.payload.byteOffset, answer.payload.length);
  const decoded = decodeBody(payload, contentCodingOf(headers), options.maxBodyBytes);
  if (decoded.kind !== 'decoded') {
    const reason = decoded.kind === 'too-large' ? 'too large when decompressed' : decoded.reason;
    return { reading: { kind: 'failed', reason }, page: null };
  }
  const { body } = decoded;
  const digest = sha1Base32(body);
  const payloadDigest = body === payload ? digest : sha1Base32(payload);
  const { status, url, fetchedAt } = answer;
  const meaning = interpretResponse({ status, headers, body }, url, fetchedAt, options);
  const base = (urls: Iterable<CanonicalUrl>, relevanceOf?: (url: CanonicalUrl) => number) => ({
    digest,
    payloadDigest,
    links: wanted(urls, answer.depth + 1, options.urlRules, relevanceOf),
  });
  switch (meaning.kind) {
    case 'page': {
      const page = answer.isIndexed ? meaning.page : withoutIndex(meaning.page);
      const listed = page.kind === 'feed' ? { listed: listedInFeed(url, headers, body) } : {};
      const relevanceOf = options.topic && linkRelevances(page, answer.relevance ?? 0, options.topic);
      const reading = { kind: 'page' as const, page: factsOf(url, page), ...listed };
      return { reading: { ...reading, ...base(followed(page), relevanceOf) }, page };
    }
    case 'redirect': {
      const relevanceOf = options.topic && (() => answer.relevance ?? 0);
      return { reading: { ...meaning, ...base(meaning.to ? [meaning.to] : [], relevanceOf) }, page: null };
    }
    case 'sitemap': {
      const { pages, sitemaps, incomplete: isTruncated = false } = parseSitemap(body, url);
      const urls = [...sitemaps, ...pages].map((entry) => entry.url);
      const listed = { isFeed: false, pages: latest(pages) };
      return { reading: { kind: 'sitemap', isTruncated, listed, ...base(urls) }, page: null };
    }
    case 'gone':
    case 'unchanged':
      return { reading: { kind: meaning.kind, ...base([]) }, page: null };
    default: {
      const isError = meaning.kind === 'error';
      const fault = meaning.kind === 'unreadable' ? { fault: meaning.fault } : {};
      return { reading: { kind: 'other', isError, ...fault, ...base([]) }, page: null };
    }
  }
}

function listedInFeed(
  url: CanonicalUrl,
  headers: ReadonlyMap<string, readonly string[]>,
  body: Buffer,
): ListedPages {
  const contentType = headers.get('content-type')?.[0] ?? '';
  const entries = readFeedEntries({ url, contentType, body, xRobotsTag: [] });
  const pages = entries.map(({ url: page, publishedAt }) => {
    return { url: page, ...(publishedAt !== undefined && { modifiedAt: publishedAt }) };
  });
  return { isFeed: true, pages: latest(pages) };
}

/** Returns the pages with a date or a frequency, the latest first. */
function latest(pages: readonly ListedPage[]): ListedPage[] {
  return pages
    .filter(({ modifiedAt, changes }) => modifiedAt !== undefined || changes !== undefined)
    .sort((a, b) => (b.modifiedAt ?? 0) - (a.modifiedAt ?? 0))
    .slice(0, MAX_LISTED)
    .map(({ url, modifiedAt, changes }) => ({
      url,
      ...(modifiedAt !== undefined && { modifiedAt }),
      ...(changes !== undefined && { changes }),
    }));
}

/** Marks a page as noindex in the journal, because a URL rule excludes it from the index. */
function withoutIndex(page: Page): Page {
  return { ...page, robots: { ...page.robots, index: false } };
}

function factsOf(url: CanonicalUrl, page: Page): PageFacts {
  const { robots, kind, canonical, language, alternates, title, links, favicon } = page;
  const versions = alternates?.filter((alternate) => alternate.language !== undefined) ?? [];
  const site = `${originOf(url)}/`;
  const ownLinks = links.flatMap((link) => (link.url.startsWith(site) ? link.url : []));
  return {
    robots,
    ...(kind && { kind }),
    ...(favicon !== undefined && { icon: favicon }),
    canonical,
    language,
    ...(versions.length > 0 && { alternates: versions }),
    title,
    sketch: sketchOfPage(page),
    contentKey: contentKey(page),
    changeKey: changeKey(page),
    parkedSigns: parkedSigns(page),
    ownLinks: ownLinks.join('\n'),
  };
}

/** Content types of feeds that a page declares as alternates of itself. */
const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/;

/** Returns the links to follow. They include the page's feeds, because feeds list new pages of a site first. */
function followed(page: Page): Set<CanonicalUrl> {
  const urls = new Set<CanonicalUrl>();
  if (!page.robots.follow) return urls;
  for (const link of page.links) if (!link.nofollow) urls.add(link.url);
  for (const { type = '', url } of page.alternates ?? []) if (FEED_TYPE.test(type)) urls.add(url);
  if (page.canonical) urls.add(page.canonical);
  return urls;
}

/** Returns the URLs that the URL rules allow to be fetched. */
export function wanted(
  addresses: Iterable<CanonicalUrl>,
  depth: number,
  urlRules: UrlRules,
  relevanceOf?: (url: CanonicalUrl) => number,
): Links {
  const urls: CanonicalUrl[] = [];
  const followOnly: number[] = [];
  const relevances: number[] = [];
  for (const address of addresses) {
    const { verb, url } = urlRules.decide(address, depth);
    if (verb === 'follow') followOnly.push(urls.length);
    if (verb === 'ignore') continue;
    urls.push(url);
    if (relevanceOf) relevances.push(relevanceOf(address));
  }
  const links = linksTo(urls, depth);
  if (relevanceOf) links.relevances = Uint8Array.from(relevances);
  return followOnly.length > 0 ? { ...links, followOnly } : links;
}

/** Packs links to URLs that the URL rules allow to be indexed. */
export function linksTo(urls: readonly CanonicalUrl[], depth: number): Links {
  return { urls: urls.join('\n'), fingerprints: BigInt64Array.from(urls, fingerprint), depth };
}

/** Splits a list with one URL per line. */
export function urlsOf(lines: string): CanonicalUrl[] {
  return lines === '' ? [] : (lines.split('\n') as CanonicalUrl[]);
}
