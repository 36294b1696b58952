/**
 * Computes when a host may get its next request. After a response: not before the longest of the configured
 * delay, the Crawl-delay of robots.txt and a multiple of the response time. After an error: later each time,
 * with jitter, so that hosts which failed together do not come back together.
 */
import type { Random } from '../../base/mod.ts';
import { parseHostPattern } from '../../url/mod.ts';

export interface PolitenessOptions {
  /** Minimum time between the end of a response and the next request to the same host. */
  delayMs: number;
  /**
   * The politeness delay is also at least the response time multiplied by this factor, up to MAX_ADAPTIVE_DELAY_MS.
   */
  delayFactor: number;
  /** Hosts for which the operator chose another minimum than `delayMs`. */
  hostDelays?: HostDelays;
}

/** The reason for the delay of a host: the setting for all hosts or for this host, its robots.txt, or slow responses. */
export type PoliteDelayCause = 'setting' | 'host-setting' | 'robots' | 'slow';

const MAX_ADAPTIVE_DELAY_MS = 60_000;
const FIRST_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 15 * 60_000;

/** Delays of single hosts, from a map of host patterns (host-patterns.ts) to milliseconds. The first match counts. */
export class HostDelays {
  readonly #delays: { matches(origin: string): boolean; delayMs: number }[];

  /** Throws a UsageError that names the first invalid pattern. */
  constructor(delays: Readonly<Record<string, number>>) {
    this.#delays = Object.entries(delays).map(([pattern, delayMs]) => {
      const host = parseHostPattern(pattern, 'bad-setting');
      return { matches: (origin) => host.matches(origin), delayMs };
    });
  }

  /** Returns the delay that the operator chose for a host; null if there is none. */
  delayMsOf(origin: string): number | null {
    return this.#delays.find((each) => each.matches(origin))?.delayMs ?? null;
  }
}

/** Returns the delay of a host after a response. `origin` is the origin of the host. */
export function politeDelayMs(
  options: PolitenessOptions,
  origin: string,
  crawlDelayMs: number | null,
  elapsedMs: number,
): number {
  const chosenMs = options.hostDelays?.delayMsOf(origin) ?? options.delayMs;
  const adaptive = Math.min(options.delayFactor * elapsedMs, MAX_ADAPTIVE_DELAY_MS);
  return Math.max(chosenMs, crawlDelayMs ?? 0, adaptive);
}

/** Returns who asked for the last delay of a host. */
export function delayCauseOf(
  options: PolitenessOptions,
  origin: string,
  crawlDelayMs: number | null,
  delayMs: number,
): PoliteDelayCause {
  const ownMs = options.hostDelays?.delayMsOf(origin) ?? null;
  if (crawlDelayMs !== null && crawlDelayMs > 0 && Math.round(crawlDelayMs) === delayMs) return 'robots';
  if (delayMs > (ownMs ?? options.delayMs)) return 'slow';
  return ownMs === null ? 'setting' : 'host-setting';
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
