/** What an answer means for the crawl: from the outcome of a request to one of a few kinds of visit. */
import { type Page, parsePage, readsContentType } from '../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import type { FetchOutcome, Response } from './fetcher.ts';

export type Visit =
  | { kind: 'page'; page: Page; response: Response }
  /** `to` is null when the target is no address that we could visit. */
  | { kind: 'redirect'; to: CanonicalUrl | null; response: Response }
  /** 404 and 410: the page is no more. */
  | { kind: 'gone'; response: Response }
  /** Any other answer that is final and has nothing to index. */
  | { kind: 'other'; reason: string; response: Response }
  /** 429 and 503: the host asks for a pause, `retryAfterMs` long if it says so. */
  | { kind: 'busy'; status: number; retryAfterMs: number | null }
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'failed'; status: number; reason: string; retry: boolean };

/** Bodies of a 200 are read only in types that `page/` can read; those of other answers are small talk. */
export function isWanted(status: number, contentType: string): boolean {
  return status !== 200 || readsContentType(contentType);
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

export function header(response: Response, name: string): string {
  return response.headers.get(name)?.[0] ?? '';
}

/** Seconds or an HTTP date (RFC 9110 § 10.2.3); null when it is neither. */
export function retryAfterMs(value: string, now: number): number | null {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
