/** What an answer means for the crawl before anybody has read it: by its status and its headers alone. */
import { type Extractor, isFeedName, readsContentType } from '../page/mod.ts';
import { type CanonicalUrl, pathOf } from '../url/mod.ts';
import type { FetchOutcome, Response } from './fetcher.ts';

/** Why there is nothing to read. */
export type Trouble =
  /** 429 and 503: the host asks for a pause, `retryAfterMs` long if it says so. */
  | { kind: 'busy'; status: number; retryAfterMs: number | null }
  | { kind: 'refused'; status: number; reason: string }
  | { kind: 'failed'; status: number; reason: string; retry: boolean; setAside?: boolean };

/** Bodies of a 200 are read only in types that `page/` can read; those of other answers are small talk. */
export function isWanted(
  url: CanonicalUrl,
  status: number,
  contentType: string,
  extractors: readonly Extractor[] = [],
): boolean {
  if (status !== 200 || readsContentType(contentType, extractors)) return true;
  return mayBeZippedSitemap(url, contentType) || isFeedName(url, contentType);
}

export function mayBeZippedSitemap(url: CanonicalUrl, contentType: string): boolean {
  return /gzip|octet-stream/i.test(contentType) && /\.(?:xml|txt)\.gz$/i.test(pathOf(url).split('?', 1)[0]!);
}

/** Null when the answer is to be read. */
export function troubleOf(outcome: FetchOutcome, now: number): Trouble | null {
  if (outcome.kind === 'failed') return { ...outcome, status: 0 };
  if (outcome.kind === 'abandoned')
    return { kind: 'refused', status: outcome.status, reason: outcome.reason };
  const { status } = outcome;
  if (status === 429 || status === 503) {
    return { kind: 'busy', status, retryAfterMs: retryAfterMs(header(outcome, 'retry-after'), now) };
  }
  return status >= 500 ? { kind: 'failed', status, reason: `HTTP ${status}`, retry: true } : null;
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

/** Names in lower case; of a repeated header all values, in order. */
export function headersOf(raw: readonly string[]): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at]!.toLowerCase();
    const values = headers.get(name);
    if (values) values.push(raw[at + 1]!);
    else headers.set(name, [raw[at + 1]!]);
  }
  return headers;
}

/** The content codings of a body, in the order in which they were applied. */
export function codingOf(headers: ReadonlyMap<string, string[]>): string {
  return headers.get('content-encoding')?.join(',') ?? '';
}
