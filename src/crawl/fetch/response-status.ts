/** Interprets a response by its status and headers alone, before it is parsed. */
import { type Extractor, mayBePage, mayBeZippedSitemap } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { FetchOutcome, Response } from './exchange.ts';

/** The reason why a response is not parsed. */
export type ResponseTrouble =
  /** 429 and 503: the host requests a pause, of `retryAfterMs` if it says how long. */
  | { kind: 'busy'; status: number; retryAfterMs: number | null }
  /** The content type is not one that is parsed. */
  | { kind: 'refused'; status: number; contentType: string }
  | { kind: 'failed'; status: number; reason: string; retry: boolean; isLasting?: boolean };

/**
 * Returns true if the body is to be received: a 200 only in types that `page/` can parse, other statuses
 * always, because their bodies are small.
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

/** Returns null if the response is to be parsed. */
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

/** Parses seconds or an HTTP date (RFC 9110 § 10.2.3); null if it is neither. */
export function retryAfterMs(value: string, now: number): number | null {
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
