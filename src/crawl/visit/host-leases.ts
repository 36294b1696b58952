/**
 * Ends the leases of hosts: computes when the host may get its next request, and hands its row to the recorder.
 *
 *   responded   the politeness delay; a host with a long delay is parked
 *   failed      Retry-After or a growing backoff; after several failures in a row the host is parked
 *
 * `release` records the row synchronously with the result that the caller has just recorded. Both are
 * therefore always in one commit, and a host is never read back from disk with an older `nextFetchAt` than it
 * has.
 */
import type { Clock, Random } from '../../base/mod.ts';
import type { ResponseTrouble } from '../fetch/mod.ts';
import {
  backoffMs,
  delayCauseOf,
  type Frontier,
  type HostQueue,
  type PolitenessOptions,
  politeDelayMs,
} from '../frontier/mod.ts';
import type { PolitenessLedger } from '../politeness-ledger.ts';
import type { Recorder } from '../recorder.ts';
import type { CrawlState, HostFailure, UrlReason } from '../state/mod.ts';

/** Number of consecutive failures after which a host is parked. */
const MAX_HOST_FAILURES = 5;
export const PARK_MS = 3_600_000;
/**
 * Longest pause or delay for which a host stays in memory. A host that needs a longer one is parked for that time.
 */
const PATIENCE_MS = 120_000;
const MAX_PAUSE_MS = 24 * 3_600_000;

interface HostLeasesOptions {
  state: Pick<CrawlState, 'pause'>;
  frontier: Pick<Frontier, 'release'>;
  recorder: Pick<Recorder, 'hostChanged'>;
  ledger: Pick<PolitenessLedger, 'delayed'>;
  politeness: PolitenessOptions;
  clock: Clock;
  random: Random;
  /** A callback that is called after the lease of a host has ended. */
  onReleased(): void;
}

/** The reason of a failed request, and the wait that follows from it. */
interface FailedRequest {
  request: 'page' | 'robots';
  failure: HostFailure;
  /** Value of the Retry-After header of the response; null if there is none. */
  retryAfterMs?: number | null;
  /** True if the host is parked at once, without further attempts. */
  isLasting?: boolean;
}

export class HostLeases {
  readonly #options: HostLeasesOptions;
  #isAbandoned = false;

  constructor(options: HostLeasesOptions) {
    this.#options = options;
  }

  /** True after `abandon`. A visit then ends without recording anything and without releasing its host. */
  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Stops recording results, because the crawl ends: the URLs of aborted requests stay ready. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  responded(host: HostQueue, elapsedMs: number): void {
    const { clock, politeness, ledger } = this.#options;
    const crawlDelayMs = host.rules?.crawlDelayMs ?? null;
    const delayMs = politeDelayMs(politeness, host.origin, crawlDelayMs, elapsedMs);
    ledger.delayed(host.origin, delayCauseOf(politeness, host.origin, crawlDelayMs, delayMs), delayMs);
    host.responded(delayMs, clock.now());
    if (delayMs > PATIENCE_MS) host.park({ code: 'long-delay', delayMs }, host.nextFetchAt);
  }

  async failed(
    host: HostQueue,
    { request, failure, retryAfterMs = null, isLasting = false }: FailedRequest,
  ): Promise<void> {
    const { clock, politeness, random, state, ledger } = this.#options;
    const failures = host.failures + 1;
    const requestedMs = Math.min(retryAfterMs ?? backoffMs(failures, random), MAX_PAUSE_MS);
    const isParked = isLasting || failures >= MAX_HOST_FAILURES || requestedMs > PATIENCE_MS;
    const pauseMs = isParked ? Math.max(requestedMs, PARK_MS) : requestedMs;
    const delayMs = politeDelayMs(politeness, host.origin, host.rules?.crawlDelayMs ?? null, 0);
    const untilMs = clock.now() + Math.max(pauseMs, delayMs);
    const isRequested = retryAfterMs !== null;
    ledger.delayed(host.origin, isRequested ? 'retry-after' : 'failed', untilMs - clock.now());
    host.failed(
      isRequested
        ? { code: 'retry-after', request, failure }
        : { code: 'failed', failures, request, failure },
      delayMs,
      untilMs,
    );
    if (isParked) host.park({ code: 'failed', request, failure }, untilMs);
    if (isRequested) await state.pause(host.origin, untilMs);
  }

  /** Sets the time of the host's next request after the response to an icon request or a probe. */
  async received(host: HostQueue, trouble: ResponseTrouble | null, elapsedMs: number): Promise<void> {
    if (trouble?.kind === 'busy' || (trouble?.kind === 'failed' && trouble.retry)) {
      const retryAfterMs = trouble.kind === 'busy' ? trouble.retryAfterMs : null;
      await this.failed(host, { request: 'page', failure: hostFailureOf(trouble), retryAfterMs });
    } else this.responded(host, elapsedMs);
  }

  release(host: HostQueue, groupWaitsUntil = host.nextFetchAt): void {
    this.#options.recorder.hostChanged(host.snapshot());
    this.#options.frontier.release(host, groupWaitsUntil);
    this.#options.onReleased();
  }

  /**
   * Releases the host without delaying other origins of its group, because the cause, such as a closed port, concerns
   * only this origin.
   */
  releaseAlone(host: HostQueue): void {
    this.release(host, this.#options.clock.now() + host.delayMs);
  }
}

/** Returns the reason that is stored with a URL whose response was not parsed. */
export function reasonOfTrouble(trouble: ResponseTrouble): UrlReason {
  if (trouble.kind === 'refused') return { code: 'unwanted-type', type: trouble.contentType };
  return hostFailureOf(trouble);
}

/** Returns the reason that is stored with a host whose response was not parsed. */
export function hostFailureOf(trouble: Exclude<ResponseTrouble, { kind: 'refused' }>): HostFailure {
  const { status } = trouble;
  if (trouble.kind === 'busy' || status >= 500) return { code: 'http-status', status };
  const cause = trouble.reason;
  return status === 0 ? { code: 'no-response', cause } : { code: 'unreadable', cause };
}
