/**
 * Requests to a host under the lease of another one: a robots.txt or an icon may be on another host. Such a
 * request is sent as a guest, without a lease of that host, but through its gates and under the same
 * conditions as with a lease.
 */
import type { Clock } from '../../base/mod.ts';
import type { HostRow } from '../state/mod.ts';
import type { Frontier } from './frontier.ts';
import { GRANTED, type HostGroups, type Permission } from './host-groups.ts';

interface ForeignRequestsOptions {
  frontier: Frontier;
  hostGroups: HostGroups;
  clock: Clock;
  /** The configured delay between requests to a host. */
  minDelayMs: number;
}

export class ForeignRequests {
  readonly #options: ForeignRequestsOptions;
  readonly #startedAt: number;

  constructor(options: ForeignRequestsOptions) {
    this.#options = options;
    this.#startedAt = options.clock.now();
  }

  /** Returns true if a lease of one host also permits requests to the other. */
  shareGroup(origin: string, other: string): boolean {
    return this.#options.hostGroups.shareGroup(origin, other);
  }

  /** Returns a copy of the row of a host; null if the crawl does not know it. */
  rowOf(origin: string): Promise<HostRow | null> {
    return this.#options.frontier.rowOf(origin);
  }

  /**
   * Requests permission for one request. If it is granted, the caller must call `finished` after the request.
   */
  async reserve(origin: string): Promise<Permission> {
    const { hostGroups, clock, minDelayMs } = this.#options;
    const row = await this.rowOf(origin);
    const place = { origin, address: row?.address ?? '' };
    // An earlier run may have sent a request to the host just before it crashed.
    const quietUntil = this.#startedAt + minDelayMs;
    const opensAt = Math.max(row?.nextFetchAt ?? 0, quietUntil, hostGroups.opensAt(place));
    if (opensAt > clock.now()) return { kind: 'wait', untilMs: opensAt };
    hostGroups.requestStarted(place);
    return GRANTED;
  }

  /** Ends a request; the host gets its next one after `delayMs` or more. */
  finished(origin: string, delayMs: number): void {
    this.#options.hostGroups.foreignRequestEnded({ origin, address: '' }, delayMs);
  }
}
