/**
 * Computes when a host may get its next request. After a response: not before the longest of the configured
 * delay, the Crawl-delay of robots.txt and a multiple of the response time. After an error: later each time,
 * with jitter, so that hosts which failed together do not come back together.
 */
import type { Random } from '../../base/mod.ts';

export interface PolitenessOptions {
  /** Minimum time between the end of a response and the next request to the same host. */
  delayMs: number;
  /**
   * The politeness delay is also at least the response time multiplied by this factor, up to MAX_ADAPTIVE_DELAY_MS.
   */
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

/** Returns the delay for the time that parsing a page took, which counts like response time. */
export function parsingDelayMs({ delayFactor }: PolitenessOptions, parseMs: number): number {
  return Math.min(delayFactor * parseMs, MAX_ADAPTIVE_DELAY_MS);
}

/**
 * Returns the wait after a number of consecutive failures: 1 s, 2 s, 4 s and so on, plus a random amount of up to
 * half of it.
 */
export function backoffMs(failures: number, random: Random): number {
  const base = Math.min(FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1), MAX_BACKOFF_MS);
  return base * (1 + random.next() / 2);
}
