/**
 * Codes with values that state why a host waits, why a host is parked, and how a visit of a URL ended. The
 * state stores them as JSON; `describe-wait.ts` renders them as text.
 */
import type { DocumentFault } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';

/** Failure of a request, after which its host has to wait. */
export type HostFailure =
  | { code: 'http-status'; status: number }
  /** There was no complete response; `cause` is the failure, such as "timeout". */
  | { code: 'no-response'; cause: string }
  /** The IP address of the host is not allowed, so no request was sent. */
  | { code: 'address-refused' }
  /** The body could not be decoded, or too many pages were already waiting for a parser thread. */
  | { code: 'unreadable'; cause: string };

/** Type and failure of a request that failed. */
type FailedRequest = { request: 'page' | 'robots'; failure: HostFailure };

export type ParkedReason =
  | ({ code: 'failed' } & FailedRequest)
  | { code: 'long-delay'; delayMs: number }
  | { code: 'host-budget-used'; pages: number }
  | { code: 'domain-budget-used'; domain: string; pages: number }
  /** Number of pages that crashed their parser threads. */
  | { code: 'parser-deaths'; pages: number }
  /** An earlier version of Gyre parked the host and did not store the reason as a code. */
  | { code: 'unknown' };

export type WaitReason =
  | ({ code: 'failed'; failures: number } & FailedRequest)
  | ({ code: 'retry-after' } & FailedRequest)
  | { code: 'host-group'; group: string; isBusy: boolean }
  | { code: 'address'; address: string }
  | { code: 'domain-rate'; domain: string; requestsPerSecond: number }
  /** The host's robots.txt or icon is on another host, which may not get a request now. */
  | { code: 'robots-elsewhere'; origin: string }
  | { code: 'icon-elsewhere'; origin: string }
  | { code: 'slow-parsing'; parseMs: number };

/**
 * Outcome of the last visit of a URL: the type of its response, or the reason why there was none or why it was not
 * kept.
 */
export type UrlReason =
  /** The URL was not visited yet, or it became ready again. */
  | { code: '' }
  | { code: 'page' | 'duplicate' | 'near-duplicate' | 'canonical' | 'mirror' }
  /** The URL has a page, but searches do not find it. */
  | { code: 'noindex' | 'feed' | 'soft 404' | 'parked' }
  | { code: 'redirect' | 'sitemap' | 'truncated-sitemap' | 'gone' | 'unchanged' | 'no-page' }
  /** The response has the content type of a document, but cannot be read. It is in the archive. */
  | { code: 'broken-document'; fault: DocumentFault }
  | HostFailure
  | { code: 'unwanted-type'; type: string }
  | { code: 'url-rule'; rule: string }
  | { code: 'trap'; kind: string; pattern: string }
  /** robots.txt disallows the URL. `line` is the line of the rule; null if matching took too many steps. */
  | { code: 'robots'; line: number | null }
  | { code: 'mirrored'; primary: string }
  /** The operator has removed the URL. */
  | { code: 'removed' }
  /** An earlier version of Gyre stored the outcome as text, without a code. */
  | { code: 'unknown' };

/**
 * A summary of a response. If two successive responses of a URL have equal summaries, the URL counts as
 * unchanged. `changeKey` is a hash of the content of a page (sketch/change-key.ts).
 */
export type ResponseSummary =
  | { code: 'page'; changeKey: number }
  /** The key of an earlier version of Gyre, which included dates and menus. It cannot be compared. */
  | { code: 'page'; textKey: number }
  | { code: 'alias'; of: CanonicalUrl }
  | { code: 'sitemap'; digest: string }
  | { code: 'other'; reason: UrlReason }
  /** The URL is the target of the redirect of a page, and was not fetched yet. */
  | { code: 'moved' }
  /** The page was imported, not fetched. */
  | { code: 'imported' }
  /** An earlier version of Gyre stored the summary as text, without a code. */
  | { code: 'unknown' };

/** Returns the reason that is stored for a document that cannot be read. */
export function reasonOfFault(fault: DocumentFault): UrlReason {
  return fault === 'other-format' ? { code: 'no-page' } : { code: 'broken-document', fault };
}

export function isSameSummary(a: ResponseSummary, b: ResponseSummary): boolean {
  return a.code === b.code && JSON.stringify(a) === JSON.stringify(b);
}

/** Encodes a reason for the state: as its code if it has no values, otherwise as JSON. */
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

/** Encodes a reason as JSON; null becomes the empty string. */
export function encodeReason(reason: ParkedReason | WaitReason | null): string {
  return reason === null ? '' : JSON.stringify(reason);
}

export function decodeReason<Reason extends ParkedReason | WaitReason>(stored: string): Reason | null {
  return stored === '' ? null : (JSON.parse(stored) as Reason);
}
