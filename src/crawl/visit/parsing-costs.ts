/**
 * Charges each host for the parsing time of its pages:
 *
 *     slow page     the next pages of the host go to the slow lane, and the host waits as after a slow response
 *   death         the same; after MAX_DEATHS of them the host is parked
 *
 * A death is a page that ended its thread or would never have finished. The costs are in memory only: after a
 * restart a host may cost MAX_DEATHS pages again. A parked host stays parked, because that is in its row.
 */
import { BoundedCache, type Clock, type Lane } from '../../base/mod.ts';
import { type PolitenessOptions, parsingDelayMs } from '../frontier/mod.ts';
import type { ParkedReason, WaitReason } from '../state/mod.ts';

/** A page that takes longer than SLOW_MS to parse moves its host to the slow lane for SLOW_HOST_MS. */
const SLOW_MS = 250;
const SLOW_HOST_MS = 10 * 60_000;
/** The minimum parsing time that delays the host. Shorter times vary by chance. */
const MIN_CHARGED_MS = 50;
const MAX_DEATHS = 2;
const PARK_MS = 24 * 3_600_000;
const MAX_HOSTS = 10_000;
/**
 * Bodies larger than LARGE_BYTES are parsed in the slow lane. For content types that are expensive to parse, the
 * limit is LARGE_EXPENSIVE_BYTES.
 */
const LARGE_BYTES = 512 * 1024;
const LARGE_EXPENSIVE_BYTES = 64 * 1024;
const EXPENSIVE_TYPE = /markdown|text\/plain|json/i;
const SLOW_TYPE = /pdf|octet-stream|officedocument|opendocument|ms-?(?:word|excel|powerpoint)|\bzip/i;

interface HostCosts {
  slowUntilMs: number;
  notBeforeMs: number;
  /** Parsing time in milliseconds of the last expensive page of the host. */
  parseMs: number;
  deaths: number;
  parkedUntilMs: number;
}

type ParsingWait =
  | { kind: 'none' }
  /** The host must not get a request before `untilMs`. */
  | { kind: 'wait'; untilMs: number; reason: WaitReason }
  | { kind: 'parked'; untilMs: number; reason: ParkedReason };

export class ParsingCosts {
  readonly #clock: Clock;
  readonly #politeness: PolitenessOptions;
  readonly #hosts = BoundedCache.ofEntries<string, HostCosts>(MAX_HOSTS);

  constructor({ clock, politeness }: { clock: Clock; politeness: PolitenessOptions }) {
    this.#clock = clock;
    this.#politeness = politeness;
  }

  /** Returns the lane in which a response of this host is parsed. */
  laneOf(origin: string, contentType: string, sizeBytes: number): Lane {
    if (sizeBytes > LARGE_BYTES || SLOW_TYPE.test(contentType)) return 'slow';
    if (sizeBytes > LARGE_EXPENSIVE_BYTES && EXPENSIVE_TYPE.test(contentType)) return 'slow';
    return (this.#hosts.peek(origin)?.slowUntilMs ?? 0) > this.#clock.now() ? 'slow' : 'fast';
  }

  /** Reports that a page of the host was moved to the slow lane. Its parsing time is not known yet. */
  slowed(origin: string): void {
    this.#costsOf(origin).slowUntilMs = this.#clock.now() + SLOW_HOST_MS;
  }

  parsed(origin: string, parseMs: number): void {
    if (parseMs < MIN_CHARGED_MS) return;
    const costs = this.#costsOf(origin);
    const now = this.#clock.now();
    if (parseMs > SLOW_MS) costs.slowUntilMs = now + SLOW_HOST_MS;
    costs.notBeforeMs = now + parsingDelayMs(this.#politeness, parseMs);
    costs.parseMs = parseMs;
  }

  died(origin: string, parseMs: number): void {
    this.parsed(origin, parseMs);
    this.slowed(origin);
    const costs = this.#costsOf(origin);
    if (++costs.deaths >= MAX_DEATHS) costs.parkedUntilMs = this.#clock.now() + PARK_MS;
  }

  /** Returns whether the host has to wait, or is parked, because its pages are expensive to parse. */
  waitOf(origin: string): ParsingWait {
    const costs = this.#hosts.peek(origin);
    const now = this.#clock.now();
    if (!costs) return { kind: 'none' };
    const { parkedUntilMs, deaths, notBeforeMs, parseMs } = costs;
    if (parkedUntilMs > now)
      return { kind: 'parked', untilMs: parkedUntilMs, reason: { code: 'parser-deaths', pages: deaths } };
    if (notBeforeMs <= now) return { kind: 'none' };
    return { kind: 'wait', untilMs: notBeforeMs, reason: { code: 'slow-parsing', parseMs } };
  }

  #costsOf(origin: string): HostCosts {
    const known = this.#hosts.get(origin);
    if (known) return known;
    const costs = { slowUntilMs: 0, notBeforeMs: 0, parseMs: 0, deaths: 0, parkedUntilMs: 0 };
    this.#hosts.set(origin, costs);
    return costs;
  }
}
