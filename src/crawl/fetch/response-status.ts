/**
 * Decides from status and headers whether a response is received and parsed, and what a response without a page
 * means.
 */
import { type Extractor, mayBePage, mayBeZippedSitemap } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { FetchOutcome, Response } from './exchange.ts';

/** Reasons why a response is not parsed. */
export type ResponseTrouble =
  /** Status 429 or 503: the host asks for a pause, of `retryAfterMs` if the response has a Retry-After header. */
  | { kind: 'busy'; status: number; retryAfterMs: number | null }
  /** The response has a content type that the crawler does not parse. */
  | { kind: 'refused'; status: number; contentType: string }
  | { kind: 'failed'; status: number; reason: string; retry: boolean; isLasting?: boolean };

/**
 * Returns true if the body of a response is to be received. Bodies with status 200 are received only if `page/`
 * can parse their content type; bodies with other statuses are always received, because they are small.
 */
export function isWanted(
  url: CanonicalUrl,
  status: number,
  contentType: string,
  extractors: readonly Extractor[] = [],
): boolean {
  if (status !== 200 || mayBePage(url, contentType, extractors)) return true;
  return mayBeZippedSitemap(url, contentType);
}

/** Returns the reason why a response is not parsed, or null if it is to be parsed. */
export function troubleOf(outcome: FetchOutcome, now: number): ResponseTrouble | null {
  if (outcome.kind === 'failed') return { ...outcome, status: 0 };
  if (outcome.kind === 'abandoned')
    return { kind: 'refused', status: outcome.status, contentType: outcome.contentType };
  const { status } = outcome;
  if (status === 429 || status === 503) {
    return { kind: 'busy', status, retryAfterMs: retryAfterMs(header(outcome, 'retry-after'), now) };
  }
  return status >= 500 ? { kind: 'failed', status, reason: `HTTP ${status}`, retry: true } : null;
}

export function header(response: Response, name: string): string {
  return response.headers.get(name)?.[0] ?? '';
}

/** Parses a Retry-After header: seconds or an HTTP date (RFC 9110 § 10.2.3). Returns null for other text. */
export function retryAfterMs(value: string, now: number): number | null {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
