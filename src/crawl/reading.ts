/**
 * What an answer says, read in a thread of its own: the body decoded and parsed, its links judged by the
 * URL rules, its text sketched, its digests taken. All that is pure and costs time is here; what depends on
 * the rest of the crawl (is it a duplicate? is the link new?) is decided by `intake.ts` from a `Reading`.
 *
 *   page       something to index, and links
 *   redirect   `to` is null when the target is no address that we could visit
 *   sitemap    a list of the site's pages, and of further lists
 *   unchanged  304: the page is as it was when we last had it
 *   gone       404 and 410: the page is no more
 *   other      any other answer that is final and has nothing to index
 *   failed     a body that cannot be decoded, or only to more than we hold
 */
import { crc32 } from 'node:zlib';
import { decodeBody } from '../archive/mod.ts';
import { sha1Base32 } from '../base/mod.ts';
import {
  mayBeFound,
  type Page,
  type ParseOptions,
  parsePage,
  parseSitemap,
  type RobotsDirectives,
} from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, fingerprint, originOf, type UrlRules } from '../url/mod.ts';
import { codingOf, headersOf, mayBeZippedSitemap } from './answer.ts';
import { contentRanges, type ParkedSign, parkedSigns, type Sketch, sketchOf } from './dedup/mod.ts';

/** An answer that came, for whoever reads it. */
export interface Answer {
  url: CanonicalUrl;
  /** Links between a seed and this URL. */
  depth: number;
  fetchedAt: number;
  status: number;
  statusText: string;
  /** Names and values in turn, as received. */
  rawHeaders: string[];
  /** Content coding kept. */
  payload: Uint8Array;
  requestHead: string;
  ipAddress: string;
}

/** Links to follow. They are many and come from another thread, so they travel in few pieces. */
export interface Links {
  /** One a line. */
  urls: string;
  /** One for each URL. */
  fingerprints: BigInt64Array;
  depth: number;
}

interface ReadingBase {
  /** Of the body, content coding undone: what tells exact duplicates. */
  digest: string;
  /** Of the body as received: what the archive calls it. */
  payloadDigest: string;
  links: Links;
}

export type Reading =
  | (ReadingBase & { kind: 'page'; page: PageFacts })
  | (ReadingBase & { kind: 'redirect'; to: CanonicalUrl | null })
  | (ReadingBase & { kind: 'sitemap' | 'unchanged' | 'gone' })
  | (ReadingBase & { kind: 'other'; reason: string })
  | { kind: 'failed'; reason: string };

/** What the crawl needs to know of a page; the page itself stays where it was read. */
export interface PageFacts {
  /** As the page and the URL rules have it. */
  robots: RobotsDirectives;
  kind?: NonNullable<Page['kind']>;
  canonical: CanonicalUrl | null;
  title: string;
  sketch: Sketch;
  /** Of title and text: what tells whether a page says something else than it did. */
  textKey: number;
  /** What makes it look like a parked domain. */
  parkedSigns: ParkedSign[];
  /** What it declares as the icon of its site. */
  icon?: string;
  /** All links to pages of the same site, followed or not; one a line. */
  ownLinks: string;
}

export interface ReadingOptions extends ParseOptions {
  urlRules: UrlRules;
  /** For a body, before and after decoding. */
  maxBodyBytes: number;
}

/** The reading, and the page for the journal if there is one. */
export interface Read {
  reading: Reading;
  page: Page | null;
}

export function readAnswer(answer: Answer, options: ReadingOptions): Read {
  const headers = headersOf(answer.rawHeaders);
  const payload = Buffer.from(answer.payload.buffer, answer.payload.byteOffset, answer.payload.length);
  const decoded = decodeBody(payload, codingOf(headers), options.maxBodyBytes);
  if (decoded.kind !== 'decoded') {
    const reason = decoded.kind === 'too-large' ? 'too large when decompressed' : decoded.reason;
    return { reading: { kind: 'failed', reason }, page: null };
  }
  const { body } = decoded;
  const digest = sha1Base32(body);
  const payloadDigest = body === payload ? digest : sha1Base32(payload);
  return interpret({ answer, headers, body, digest, payloadDigest }, options);
}

interface Opened {
  answer: Answer;
  headers: Map<string, string[]>;
  body: Buffer;
  digest: string;
  payloadDigest: string;
}

function interpret(opened: Opened, options: ReadingOptions): Read {
  const { urlRules } = options;
  const { answer, headers, digest, payloadDigest } = opened;
  const { url, status, depth } = answer;
  const base = (urls: Iterable<CanonicalUrl>) => ({
    digest,
    payloadDigest,
    links: wanted(urls, depth + 1, urlRules),
  });
  if (status === 404 || status === 410) return bare({ kind: 'gone', ...base([]) });
  if (status === 304) return bare({ kind: 'unchanged', ...base([]) });
  const location = headers.get('location')?.[0];
  if (status >= 300 && status < 400 && location) {
    const to = canonicalize(location, url);
    return bare({ kind: 'redirect', to, ...base(to ? [to] : []) });
  }
  if (status !== 200) return bare({ kind: 'other', reason: `HTTP ${status}`, ...base([]) });
  if (isSitemap(opened)) {
    const { pages, sitemaps } = parseSitemap(opened.body, url);
    return bare({ kind: 'sitemap', ...base([...sitemaps, ...pages].map((entry) => entry.url)) });
  }
  const parsed = parse(opened, options);
  if (!parsed) return bare({ kind: 'other', reason: 'unreadable', ...base([]) });
  const page = asDecided(answer, parsed, urlRules);
  return { reading: { kind: 'page', page: factsOf(url, page), ...base(followed(page)) }, page };
}

function bare(reading: Reading): Read {
  return { reading, page: null };
}

function parse({ answer, headers, body }: Opened, options: ParseOptions): Page | null {
  const input = {
    url: answer.url,
    contentType: headers.get('content-type')?.[0] ?? '',
    body,
    xRobotsTag: headers.get('x-robots-tag') ?? [],
    linkHeader: headers.get('link') ?? [],
    lastModified: headers.get('last-modified')?.[0] ?? '',
    contentLanguage: headers.get('content-language')?.[0] ?? '',
  };
  return parsePage(input, options);
}

/** A page that is only to be followed, or whose time is over, is journalled as one that asks not to be indexed. */
function asDecided({ url, depth, fetchedAt }: Answer, page: Page, urlRules: UrlRules): Page {
  if (mayBeFound(page.robots, fetchedAt) && urlRules.decide(url, depth).verb === 'index') return page;
  return { ...page, robots: { ...page.robots, index: false } };
}

function factsOf(url: CanonicalUrl, page: Page): PageFacts {
  const { robots, kind, canonical, title, text, links, favicon } = page;
  const site = `${originOf(url)}/`;
  const ownLinks = links.flatMap((link) => (link.url.startsWith(site) ? link.url : []));
  return {
    robots,
    ...(kind && { kind }),
    ...(favicon !== undefined && { icon: favicon }),
    canonical,
    title,
    sketch: sketchOf(text, contentRanges(page)),
    textKey: crc32(text, crc32(`${title}\n`)),
    parkedSigns: parkedSigns(page),
    ownLinks: ownLinks.join('\n'),
  };
}

/** Of a feed that a page names as another form of itself. */
const FEED_TYPE = /^application\/(?:rss\+xml|atom\+xml|rdf\+xml|feed\+json)$/;

/** A page's feeds are links too: they say first what is new on a site. */
function followed(page: Page): Set<CanonicalUrl> {
  const urls = new Set<CanonicalUrl>();
  if (!page.robots.follow) return urls;
  for (const link of page.links) if (!link.nofollow) urls.add(link.url);
  for (const { type = '', url } of page.alternates ?? []) if (FEED_TYPE.test(type)) urls.add(url);
  if (page.canonical) urls.add(page.canonical);
  return urls;
}

/** What the URL rules leave of these addresses. */
export function wanted(addresses: Iterable<CanonicalUrl>, depth: number, urlRules: UrlRules): Links {
  const urls: CanonicalUrl[] = [];
  for (const address of addresses) {
    const { verb, url } = urlRules.decide(address, depth);
    if (verb !== 'ignore') urls.push(url);
  }
  return linksTo(urls, depth);
}

export function linksTo(urls: readonly CanonicalUrl[], depth: number): Links {
  return { urls: urls.join('\n'), fingerprints: BigInt64Array.from(urls, fingerprint), depth };
}

/** The URLs of a list that has one a line. */
export function urlsOf(lines: string): CanonicalUrl[] {
  return lines === '' ? [] : (lines.split('\n') as CanonicalUrl[]);
}

/** Told by how it begins, wherever it was found; one that is zipped, by its name. */
function isSitemap({ answer, headers, body }: Opened): boolean {
  const contentType = headers.get('content-type')?.[0] ?? '';
  if (mayBeZippedSitemap(answer.url, contentType)) return true;
  const opening = body.subarray(0, 2048).toString('latin1');
  if (contentType.startsWith('text/plain')) return isListOfAddresses(opening);
  return contentType.includes('xml') && /<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(opening);
}

/** Nothing but addresses, one a line; the last line may have been cut. */
function isListOfAddresses(opening: string): boolean {
  const lines = opening
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => line.trim() !== '');
  return lines.length > 0 && lines.every((line) => /^\s*https?:\/\/\S+\s*$/i.test(line));
}
