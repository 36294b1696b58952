/**
 * Sends requests to a host under the lease of another host, for example when a robots.txt or an icon is on another
 * host. The request is sent without a lease of the target host, but obeys the same delays and limits as a leased
 * request.
 */
import type { Clock } from '../../base/mod.ts';
import type { HostRow } from '../state/mod.ts';
import type { Frontier } from './frontier.ts';
import { GRANTED, type HostGroups, type Permission } from './host-groups.ts';

interface ForeignRequestsOptions {
  frontier: Frontier;
  hostGroups: HostGroups;
  clock: Clock;
  /** The configured politeness delay between requests to a host. */
  minDelayMs: number;
}

export class ForeignRequests {
  readonly #options: ForeignRequestsOptions;
  readonly #startedAt: number;

  constructor(options: ForeignRequestsOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /**
   * Returns true if both origins are in one host group, so that a lease of one also permits requests to the other.
   */
  shareGroup(origin: string, other: string): boolean {
    return this.#options.hostGroups.shareGroup(origin, other);
  }

  /** Returns a copy of the row of a host; null if the crawl does not know it. */
  rowOf(origin: string): Promise<HostRow | null> {
    return this.#options.frontier.rowOf(origin);
  }

  /**
   * Asks for permission to send one request to the host. If it is granted, the caller must call `finished` after the
   * request.
   */
  async reserve(origin: string): Promise<Permission> {
    const { hostGroups, clock, minDelayMs } = this.#options;
    const row = await this.rowOf(origin);
    const place = { origin, address: row?.address ?? '' };
    // A host gets no request within one delay after the start, because an earlier run may have sent it one just
    // before it crashed.
    const quietUntil = this.#startedAt + minDelayMs;
    const opensAt = Math.max(row?.nextFetchAt ?? 0, quietUntil, hostGroups.opensAt(place));
    if (opensAt > clock.now()) return { kind: 'wait', untilMs: opensAt };
    hostGroups.requestStarted(place);
    return GRANTED;
  }

  /** Reports the end of a request. The host gets its next request after at least `delayMs`. */
  finished(origin: string, delayMs: number): void {
    this.#options.hostGroups.foreignRequestEnded({ origin, address: '' }, delayMs);
  }
}
