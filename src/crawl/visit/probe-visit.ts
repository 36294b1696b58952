/** Requests a URL that cannot exist, to learn what a host sends for missing pages (missing-pages.ts). */
import type { Clock } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { CrawlProgress } from '../crawl-progress.ts';
import { type Fetcher, isWanted, type Response, troubleOf } from '../fetch/mod.ts';
import type { HostQueue } from '../frontier/mod.ts';
import type { Recorder } from '../recorder.ts';
import type { HostLeases } from './host-leases.ts';
import type { ResponseHandler } from './response-handler.ts';

interface ProbeVisitOptions {
  fetcher: Fetcher;
  recorder: Recorder;
  responseHandler: ResponseHandler;
  leases: HostLeases;
  progress: CrawlProgress;
  clock: Clock;
}

export class ProbeVisits {
  readonly #options: ProbeVisitOptions;

  constructor(options: ProbeVisitOptions) {
    this.#options = options;
  }

  /** Uses the lease of `host` for a request of `url`, and releases it. */
  async visit(host: HostQueue, url: CanonicalUrl): Promise<void> {
    const { fetcher, clock, recorder, progress, responseHandler, leases } = this.#options;
    const outcome = await fetcher.fetch(url, (status, type) => isWanted(url, status, type));
    if (leases.isAbandoned) return;
    const trouble = troubleOf(outcome, clock.now());
    const bytes = trouble ? 0 : (outcome as Response).payload.length;
    const reason = trouble?.kind ?? (await responseHandler.takeAbsent(host.origin, url, outcome as Response));
    if (leases.isAbandoned) return;
    leases.received(host, trouble, outcome.elapsedMs);
    const { status } = trouble ?? (outcome as Response);
    const time = new Date(clock.now()).toISOString();
    recorder.logged({ time, url, status, state: 'probe', reason, bytes, ms: outcome.elapsedMs });
    progress.fetched(false, bytes);
    leases.release(host);
  }
}
