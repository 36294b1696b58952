/**
 * Fetches a host's robots.txt, one step at a time, by RFC 9309 § 2.3.1: up to five redirects are followed, to
 * any host; a 4xx means that everything is allowed; a 5xx or no response means that nothing is allowed until a
 * response comes. A 429 means "not now", so it is treated like a 5xx.
 *
 * Each step is one request under one lease of the host, so redirects keep the usual politeness delay. A
 * request to another host, after a redirect, also obeys the delays and limits of that host
 * (foreign-requests.ts), so that a thousand hosts that share one robots.txt do not all request it at once.
 */

import type { Clock } from '../../base/mod.ts';
import { decodeBodyAside } from '../../page/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { ADDRESS_REFUSED, type Fetcher, header, type Response, retryAfterMs } from '../fetch/mod.ts';
import { contentCodingOf } from '../response-headers.ts';
import type { HostFailure, RobotsRow } from '../state/mod.ts';
import { ROBOTS_MAX_BYTES } from './robots-rules.ts';

const MAX_REDIRECTS = 5;
/** Size limit of a decompressed robots.txt; a larger body is not a robots.txt. */
const MAX_DECODED_BYTES = 16 * ROBOTS_MAX_BYTES;
const LIFETIME_MS = 24 * 3_600_000;

/** The next URL to request for a robots.txt, and the number of redirects so far. */
export interface RobotsStep {
  url: CanonicalUrl;
  hops: number;
}

export type RobotsAnswer = RobotsExchange & RobotsMeaning;

/** Values of a robots.txt request for the crawl log. The status is 0 if there was no response. */
interface RobotsExchange {
  status: number;
  bytes: number;
  elapsedMs: number;
}

type RobotsMeaning =
  | { kind: 'known'; robots: RobotsRow }
  | { kind: 'moved'; next: RobotsStep }
  | {
      kind: 'unknown';
      failure: HostFailure;
      retryAfterMs: number | null;
      /** True if there was no response at all. */
      unreachable: boolean;
      /** True if the failure is expected to last, so that the host is parked. */
      isLasting?: boolean;
    };

export function firstRobotsStep(origin: string): RobotsStep {
  return { url: canonicalize('/robots.txt', origin)!, hops: 0 };
}

/**
 * Returns true if a stored robots.txt need not be fetched again. An expiry date that is too far in the future was
 * stored with a wrong clock and does not count.
 */
export function isFresh({ expiresAt }: RobotsRow, now: number): boolean {
  return expiresAt > now && expiresAt <= now + LIFETIME_MS;
}

export async function fetchRobots(fetcher: Fetcher, step: RobotsStep, clock: Clock): Promise<RobotsAnswer> {
  const outcome = await fetcher.fetch(step.url, () => true, { cutBytes: ROBOTS_MAX_BYTES });
  const { elapsedMs } = outcome;
  if (outcome.kind !== 'response') {
    const isLasting = outcome.kind === 'failed' && outcome.isLasting === true;
    const failure = failureOf(outcome.kind === 'failed' ? outcome.reason : outcome.contentType);
    const unknown = { kind: 'unknown', failure, retryAfterMs: null, unreachable: true, isLasting } as const;
    return { status: 0, bytes: 0, elapsedMs, ...unknown };
  }
  const { status, payload } = outcome;
  return { status, bytes: payload.length, elapsedMs, ...(await meaningOf(outcome, step, clock.now())) };
}

function failureOf(cause: string): HostFailure {
  return cause === ADDRESS_REFUSED ? { code: 'address-refused' } : { code: 'no-response', cause };
}

async function meaningOf(response: Response, step: RobotsStep, now: number): Promise<RobotsMeaning> {
  const { status } = response;
  if (status >= 500 || status === 429) {
    const pause = retryAfterMs(header(response, 'retry-after'), now);
    const failure: HostFailure = { code: 'http-status', status };
    return { kind: 'unknown', failure, retryAfterMs: pause, unreachable: false };
  }
  const target = redirectTarget(status, header(response, 'location'), step.url);
  if (target && step.hops < MAX_REDIRECTS) {
    return { kind: 'moved', next: { url: target, hops: step.hops + 1 } };
  }
  const expiresAt = now + LIFETIME_MS;
  if (status < 200 || status >= 300) {
    return { kind: 'known', robots: { kind: 'allow-all', body: new Uint8Array(), expiresAt } };
  }
  const decoded = await decodeBodyAside(
    response.payload,
    contentCodingOf(response.headers),
    MAX_DECODED_BYTES,
  );
  if (decoded.kind !== 'decoded') {
    const failure: HostFailure = { code: 'unreadable', cause: 'unreadable' };
    return { kind: 'unknown', failure, retryAfterMs: null, unreachable: false };
  }
  const body = decoded.body.subarray(0, ROBOTS_MAX_BYTES);
  return { kind: 'known', robots: { kind: 'rules', body, expiresAt } };
}

function redirectTarget(status: number, location: string, from: CanonicalUrl): CanonicalUrl | null {
  return status >= 300 && status < 400 && location ? canonicalize(location, from) : null;
}
