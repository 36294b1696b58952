/**
 * Why a host waits or is parked, and what a visit of a URL led to, as codes with their values. The state stores these
 * objects as JSON; `describe-wait.ts` renders them for people.
 */
import type { CanonicalUrl } from '../../url/mod.ts';

/** A failure of a request that makes its host wait. */
export type HostFailure =
  | { code: 'http-status'; status: number }
  /** No complete response; `cause` is the name of the failure, such as "timeout". */
  | { code: 'no-response'; cause: string }
  /** The configuration does not allow the address of the host, so nothing was sent. */
  | { code: 'address-refused' }
  /** The body could not be decoded, or there was no room to parse it. */
  | { code: 'unreadable'; cause: string };

/** The request that failed. */
type FailedRequest = { request: 'page' | 'robots'; failure: HostFailure };

export type ParkedReason =
  | ({ code: 'failed' } & FailedRequest)
  | { code: 'long-delay'; delayMs: number }
  | { code: 'host-budget-used'; pages: number }
  | { code: 'domain-budget-used'; domain: string; pages: number }
  /** Pages that ended their parser threads. */
  | { code: 'parser-deaths'; pages: number }
  /** Parked by a version that stored no code. */
  | { code: 'unknown' };

export type WaitReason =
  | ({ code: 'failed'; failures: number } & FailedRequest)
  | ({ code: 'retry-after' } & FailedRequest)
  | { code: 'host-group'; group: string; isBusy: boolean }
  | { code: 'address'; address: string }
  | { code: 'domain-rate'; domain: string; requestsPerSecond: number }
  /** Its robots.txt or its icon is on another host, which may not get a request now. */
  | { code: 'robots-elsewhere'; origin: string }
  | { code: 'icon-elsewhere'; origin: string }
  | { code: 'slow-parsing'; parseMs: number };

/**
 * The outcome of the last visit of a URL: the kind of its response, or why there was no response, or why it was
 * not kept.
 */
export type UrlReason =
  /** Not visited yet, or reopened. */
  | { code: '' }
  | { code: 'page' | 'duplicate' | 'near-duplicate' | 'canonical' | 'mirror' }
  /** Pages that are not searchable. */
  | { code: 'noindex' | 'feed' | 'soft 404' | 'parked' }
  | { code: 'redirect' | 'sitemap' | 'truncated-sitemap' | 'gone' | 'unchanged' | 'no-page' }
  | HostFailure
  | { code: 'unwanted-type'; type: string }
  | { code: 'url-rule'; rule: string }
  | { code: 'trap'; kind: string; pattern: string }
  /** `line` is that of the rule; null if matching took too many steps. */
  | { code: 'robots'; line: number | null }
  | { code: 'mirrored'; primary: string }
  /** Stored by a version that stored no code. */
  | { code: 'unknown' };

/**
 * The summary of a response. A response with an equal summary counts as unchanged. `textKey` identifies the words of a
 * page.
 */
export type ResponseSummary =
  | { code: 'page'; textKey: number }
  | { code: 'alias'; of: CanonicalUrl }
  | { code: 'sitemap'; digest: string }
  | { code: 'other'; reason: UrlReason }
  /** The page was imported, not fetched. */
  | { code: 'imported' }
  /** Stored by a version that stored no code. */
  | { code: 'unknown' };

export function isSameSummary(a: ResponseSummary, b: ResponseSummary): boolean {
  return a.code === b.code && JSON.stringify(a) === JSON.stringify(b);
}

/** Returns the code, or JSON if the reason has values. */
export function encodeUrlReason(reason: UrlReason): string {
  for (const key in reason) if (key !== 'code') return JSON.stringify(reason);
  return reason.code;
}

export function decodeUrlReason(stored: string): UrlReason {
  return stored.startsWith('{') ? (JSON.parse(stored) as UrlReason) : ({ code: stored } as UrlReason);
}

export function isSameWaitReason(a: WaitReason | null, b: WaitReason | null): boolean {
  if (a === null || b === null || a.code !== b.code) return a === b;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Returns JSON, or the empty string for null. */
export function encodeReason(reason: ParkedReason | WaitReason | null): string {
  return reason === null ? '' : JSON.stringify(reason);
}

export function decodeReason<Reason extends ParkedReason | WaitReason>(stored: string): Reason | null {
  return stored === '' ? null : (JSON.parse(stored) as Reason);
}
