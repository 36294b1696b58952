/**
 * Why a host waits or is parked, as a code with its values. The state stores these objects as JSON;
 * `describe-wait.ts` renders them for people.
 */

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
