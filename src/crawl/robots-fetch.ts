/**
 * One step towards a host's robots.txt, as RFC 9309 § 2.3.1 has it: up to five redirects are followed,
 * wherever they lead; a 4xx means that everything is allowed; a 5xx or no answer that nothing is, until
 * one comes. A 429 says "not now", so it counts with the latter.
 *
 * Each step is one request under one lease of the host, so hops are as far apart as any requests. A hop
 * to another host passes that host's gate as well, and waits there like everybody (`enterAsGuest`): a
 * thousand hosts that share the robots.txt of another do not ask it all at once.
 */
import { decodeBody } from '../archive/mod.ts';
import type { Clock } from '../base/mod.ts';
import { type CanonicalUrl, canonicalize } from '../url/mod.ts';
import { codingOf, header, retryAfterMs } from './answer.ts';
import type { RobotsRow } from './crawl-state.ts';
import type { Fetcher, Response } from './fetcher.ts';
import { ROBOTS_MAX_BYTES } from './robots-rules.ts';

const MAX_REDIRECTS = 5;
/** One that unpacks to more is no robots.txt. */
const MAX_DECODED_BYTES = 16 * ROBOTS_MAX_BYTES;
const LIFETIME_MS = 24 * 3_600_000;

/** Where robots.txt is looked for next. */
export interface RobotsStep {
  url: CanonicalUrl;
  hops: number;
}

export type RobotsAnswer = RobotsExchange & RobotsMeaning;

/** As it is logged; the status is 0 when there was no answer. */
export interface RobotsExchange {
  status: number;
  bytes: number;
  elapsedMs: number;
}

type RobotsMeaning =
  | { kind: 'known'; robots: RobotsRow }
  | { kind: 'moved'; next: RobotsStep }
  | {
      kind: 'unknown';
      reason: string;
      retryAfterMs: number | null;
      unreachable: boolean;
      setAside?: boolean;
    };

export function firstRobotsStep(origin: string): RobotsStep {
  return { url: canonicalize('/robots.txt', origin)!, hops: 0 };
}

export async function fetchRobots(fetcher: Fetcher, step: RobotsStep, clock: Clock): Promise<RobotsAnswer> {
  const outcome = await fetcher.fetch(step.url, () => true, { cutBytes: ROBOTS_MAX_BYTES });
  const { elapsedMs } = outcome;
  if (outcome.kind !== 'response') {
    const setAside = outcome.kind === 'failed' && outcome.setAside === true;
    const { reason } = outcome;
    const unknown = { kind: 'unknown', reason, retryAfterMs: null, unreachable: true, setAside } as const;
    return { status: 0, bytes: 0, elapsedMs, ...unknown };
  }
  const { status, payload } = outcome;
  return { status, bytes: payload.length, elapsedMs, ...meaningOf(outcome, step, clock.now()) };
}

function meaningOf(response: Response, step: RobotsStep, now: number): RobotsMeaning {
  const { status } = response;
  if (status >= 500 || status === 429) {
    const pause = retryAfterMs(header(response, 'retry-after'), now);
    return { kind: 'unknown', reason: `HTTP ${status}`, retryAfterMs: pause, unreachable: false };
  }
  const target = redirectTarget(status, header(response, 'location'), step.url);
  if (target && step.hops < MAX_REDIRECTS) {
    return { kind: 'moved', next: { url: target, hops: step.hops + 1 } };
  }
  const expiresAt = now + LIFETIME_MS;
  if (status < 200 || status >= 300) {
    return { kind: 'known', robots: { kind: 'allow-all', body: new Uint8Array(), expiresAt } };
  }
  const decoded = decodeBody(response.payload, codingOf(response.headers), MAX_DECODED_BYTES);
  if (decoded.kind !== 'decoded') {
    return { kind: 'unknown', reason: 'unreadable', retryAfterMs: null, unreachable: false };
  }
  const body = decoded.body.subarray(0, ROBOTS_MAX_BYTES);
  return { kind: 'known', robots: { kind: 'rules', body, expiresAt } };
}

function redirectTarget(status: number, location: string, from: CanonicalUrl): CanonicalUrl | null {
  return status >= 300 && status < 400 && location ? canonicalize(location, from) : null;
}
