/**
 * When a host may be asked again. After an answer: not before the longest of the configured delay,
 * the robots file's Crawl-delay and a multiple of the time the answer took. After trouble: later each
 * time, with jitter, so that many hosts which failed together do not come back together.
 */
import type { Random } from '../base/mod.ts';
import type { HostRow } from './crawl-state.ts';

export interface PolitenessOptions {
  /** At least this long between the end of an answer and the next request to the host. */
  delayMs: number;
  /** … and at least this many times as long as the answer took. */
  delayFactor: number;
}

const MAX_ADAPTIVE_DELAY_MS = 60_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15 * 60_000;

export function politeDelayMs(
  options: PolitenessOptions,
  crawlDelayMs: number | null,
  elapsedMs: number,
): number {
  const adaptive = Math.min(options.delayFactor * elapsedMs, MAX_ADAPTIVE_DELAY_MS);
  return Math.max(options.delayMs, crawlDelayMs ?? 0, adaptive);
}

/** 1 s, 2 s, 4 s … each up to half as long again. */
export function backoffMs(failures: number, random: Random): number {
  const base = Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1), MAX_BACKOFF_MS);
  return base * (1 + random.next() / 2);
}

/** Why a host with work is not being asked at this moment, for people. */
export function whyWaiting(host: HostRow, now: number): string {
  const seconds = Math.ceil((host.nextFetchAt - now) / 1000);
  if (host.setAside !== '' && seconds > 0) return `set aside for ${seconds} s: ${host.setAside}`;
  if (host.waitsFor && seconds > 0) return `waits ${seconds} s: ${host.waitsFor}`;
  if (seconds > 0) return `its delay of ${host.delayMs} ms ends in ${seconds} s`;
  return host.robots ? 'may be asked now' : 'may be asked for robots.txt now';
}
