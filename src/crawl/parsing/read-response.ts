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

import { crc32 } from 'node:zlib';
import { sha1Base32 } from '../../base/mod.ts';
import {
  decodeBody,
  interpretResponse,
  type Page,
  type ParseOptions,
  parseSitemap,
  type RobotsDirectives,
} from '../../page/mod.ts';
import { contentKey, type Sketch, sketchOfPage } from '../../sketch/mod.ts';
import { type CanonicalUrl, fingerprint, originOf, type UrlRules } from '../../url/mod.ts';
import { type ParkedSign, parkedSigns } from '../duplicates/mod.ts';
import { contentCodingOf, headersOf } from '../response-headers.ts';

/** A received response, as input of the parser. */
export interface FetchedResponse {
  url: CanonicalUrl;
  /** Number of links between a seed and this URL. */
  depth: number;
  /** False if a URL rule keeps the page out of the index. */
  isIndexed: boolean;
  fetchedAt: number;
  status: number;
  statusText: string;
  /** Names and values in turn, as received. */
  rawHeaders: string[];
  /** With content coding. */
  payload: Uint8Array;
  requestHead: string;
  ipAddress: string;
}

/**
 * Links to follow. They are packed into two values, because a page may have many links and another thread sends
 * them.
 */
export interface Links {
  /** One URL per line. */
  urls: string;
  /** One fingerprint per URL. */
  fingerprints: BigInt64Array;
  depth: number;
  /** Positions in `urls` of the URLs that the URL rules keep out of the index; absent if there are none. */
  followOnly?: readonly number[];
}

interface ReadingBase {
  /** Digest of the decoded body, which identifies exact duplicates. */
  digest: string;
  /** Digest of the body as received, as used in the archive. */
  payloadDigest: string;
  links: Links;
}

export type Reading =
  | (ReadingBase & { kind: 'page'; page: PageFacts })
  | (ReadingBase & { kind: 'redirect'; to: CanonicalUrl | null })
  | (ReadingBase & { kind: 'sitemap'; isTruncated: boolean })
  | (ReadingBase & { kind: 'unchanged' | 'gone' })
  /** An error of the client or the server (`isError`), or a response that is not a page. */
  | (ReadingBase & { kind: 'other'; isError: boolean })
  | { kind: 'failed'; reason: string };

/** The facts about a page that the crawl needs; the page itself stays in shared memory. */
export interface PageFacts {
  /** Directives of the page, combined with the URL rules. */
  robots: RobotsDirectives;
  kind?: NonNullable<Page['kind']>;
  canonical: CanonicalUrl | null;
  /** The language of the text, even if the page declares another one. */
  language: string;
  /** The versions in other languages (`hreflang`). */
  alternates?: NonNullable<Page['alternates']>;
  title: string;
  sketch: Sketch;
  /** Distinguishes pages whose sketches are mostly that of their template. */
  contentKey: number;
  /** CRC-32 of title and text, to detect changed content. */
  textKey: number;
  /** Signs of a parked domain. */
  parkedSigns: ParkedSign[];
  /** The icon that the page declares for its site. */
  icon?: string;
  /** All links to pages of the same site, followed or not; one per line. */
  ownLinks: string;
}

export interface ReadingOptions extends ParseOptions {
  urlRules: UrlRules;
  /** Size limit of a body, before and after decoding. */
  maxBodyBytes: number;
}

/** The reading, and the page for the journal if there is one. */
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
  const base = (urls: Iterable<CanonicalUrl>) => ({
    digest,
    payloadDigest,
    links: wanted(urls, answer.depth + 1, options.urlRules),
  });
  switch (meaning.kind) {
    case 'page': {
      const page = answer.isIndexed ? meaning.page : withoutIndex(meaning.page);
      return { reading: { kind: 'page', page: factsOf(url, page), ...base(followed(page)) }, page };
    }
    case 'redirect':
      return { reading: { ...meaning, ...base(meaning.to ? [meaning.to] : []) }, page: null };
    case 'sitemap': {
      const { pages, sitemaps, incomplete: isTruncated = false } = parseSitemap(body, url);
      const urls = [...sitemaps, ...pages].map((entry) => entry.url);
      return { reading: { kind: 'sitemap', isTruncated, ...base(urls) }, page: null };
    }
    case 'gone':
    case 'unchanged':
      return { reading: { kind: meaning.kind, ...base([]) }, page: null };
    default: {
      const isError = meaning.kind === 'error';
      return { reading: { kind: 'other', isError, ...base([]) }, page: null };
    }
  }
}

/** A page that the URL rules only follow is journalled as noindex. */
function withoutIndex(page: Page): Page {
  return { ...page, robots: { ...page.robots, index: false } };
}

function factsOf(url: CanonicalUrl, page: Page): PageFacts {
  const { robots, kind, canonical, language, alternates, title, text, links, favicon } = page;
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
    textKey: crc32(text, crc32(`${title}\n`)),
    parkedSigns: parkedSigns(page),
    ownLinks: ownLinks.join('\n'),
  };
}

/** Content types of feeds that a page declares as alternates of itself. */
const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/;

/** The links to follow include the page's feeds, because they list a site's new pages first. */
function followed(page: Page): Set<CanonicalUrl> {
  const urls = new Set<CanonicalUrl>();
  if (!page.robots.follow) return urls;
  for (const link of page.links) if (!link.nofollow) urls.add(link.url);
  for (const { type = '', url } of page.alternates ?? []) if (FEED_TYPE.test(type)) urls.add(url);
  if (page.canonical) urls.add(page.canonical);
  return urls;
}

/** Returns the URLs that the URL rules do not ignore. */
export function wanted(addresses: Iterable<CanonicalUrl>, depth: number, urlRules: UrlRules): Links {
  const urls: CanonicalUrl[] = [];
  const followOnly: number[] = [];
  for (const address of addresses) {
    const { verb, url } = urlRules.decide(address, depth);
    if (verb === 'follow') followOnly.push(urls.length);
    if (verb !== 'ignore') urls.push(url);
  }
  const links = linksTo(urls, depth);
  return followOnly.length > 0 ? { ...links, followOnly } : links;
}

/** Returns links to URLs that the URL rules want in the index. */
export function linksTo(urls: readonly CanonicalUrl[], depth: number): Links {
  return { urls: urls.join('\n'), fingerprints: BigInt64Array.from(urls, fingerprint), depth };
}

/** Splits a list with one URL per line. */
export function urlsOf(lines: string): CanonicalUrl[] {
  return lines === '' ? [] : (lines.split('\n') as CanonicalUrl[]);
}
