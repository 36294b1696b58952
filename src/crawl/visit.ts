/** What an answer means for the crawl: from the outcome of a request to one of a few kinds of visit. */
import { type Page, parsePage, parseSitemap, readsContentType } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize, pathOf } from '../url/mod.ts';
import type { FetchOutcome, Response } from './fetcher.ts';

export type Visit =
  | { kind: 'page'; page: Page; response: Response }
  /** `to` is null when the target is no address that we could visit. */
  | { kind: 'redirect'; to: CanonicalUrl | null; response: Response }
  /** A list of the site's pages, and of further lists. */
  | { kind: 'sitemap'; urls: CanonicalUrl[]; response: Response }
  /** 404 and 410: the page is no more. */
  | { kind: 'gone'; response: Response }
  /** Any other answer that is final and has nothing to index. */
  | { kind: 'other'; reason: string; response: Response }
  /** 429 and 503: the host asks for a pause, `retryAfterMs` long if it says so. */
  | { kind: 'busy'; status: number; retryAfterMs: number | null }
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'failed'; status: number; reason: string; retry: boolean };

/** Bodies of a 200 are read only in types that `page/` can read; those of other answers are small talk. */
export function isWanted(url: CanonicalUrl, status: number, contentType: string): boolean {
  return status !== 200 || readsContentType(contentType) || mayBeZippedSitemap(url, contentType);
}

function mayBeZippedSitemap(url: CanonicalUrl, contentType: string): boolean {
  return /gzip|octet-stream/i.test(contentType) && /\.(?:xml|txt)\.gz$/i.test(pathOf(url).split('?', 1)[0]!);
}

export function interpret(url: CanonicalUrl, outcome: FetchOutcome, now: number): Visit {
  if (outcome.kind === 'failed') return { ...outcome, status: 0 };
  if (outcome.kind === 'abandoned')
    return { kind: 'refused', status: outcome.status, reason: outcome.reason };
  const { status } = outcome;
  if (status === 429 || status === 503) {
    return { kind: 'busy', status, retryAfterMs: retryAfterMs(header(outcome, 'retry-after'), now) };
  }
  if (status >= 500) return { kind: 'failed', status, reason: `HTTP ${status}`, retry: true };
  if (status === 404 || status === 410) return { kind: 'gone', response: outcome };
  const location = header(outcome, 'location');
  if (status >= 300 && status < 400 && location) {
    return { kind: 'redirect', to: canonicalize(location, url), response: outcome };
  }
  return status === 200
    ? readPage(url, outcome)
    : { kind: 'other', reason: `HTTP ${status}`, response: outcome };
}

function readPage(url: CanonicalUrl, response: Response): Visit {
  if (isSitemap(url, response)) {
    const { pages, sitemaps } = parseSitemap(response.body, url);
    return { kind: 'sitemap', urls: [...sitemaps, ...pages].map((entry) => entry.url), response };
  }
  const page = parsePage({
    url,
    contentType: header(response, 'content-type'),
    body: response.body,
    xRobotsTag: response.headers.get('x-robots-tag') ?? [],
    linkHeader: response.headers.get('link') ?? [],
    lastModified: header(response, 'last-modified'),
    contentLanguage: header(response, 'content-language'),
  });
  return page ? { kind: 'page', page, response } : { kind: 'other', reason: 'unreadable', response };
}

/** Told by how it begins, wherever it was found; one that is zipped, by its name. */
function isSitemap(url: CanonicalUrl, response: Response): boolean {
  const contentType = header(response, 'content-type');
  if (mayBeZippedSitemap(url, contentType)) return true;
  const opening = response.body.subarray(0, 2048).toString('latin1');
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

export function header(response: Response, name: string): string {
  return response.headers.get(name)?.[0] ?? '';
}

/** Seconds or an HTTP date (RFC 9110 § 10.2.3); null when it is neither. */
export function retryAfterMs(value: string, now: number): number | null {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
