/**
 * Requests robots.txt under the lease of its host: one step per lease, and redirects one at a time
 * (robots-fetch.ts). A robots.txt on another host is requested as a guest of that host, through its gates.
 */
import type { Clock, Log } from '../../base/mod.ts';
import { type CanonicalUrl, originOf } from '../../url/mod.ts';
import type { CrawlProgress } from '../crawl-progress.ts';
import type { Fetcher } from '../fetch/mod.ts';
import {
  type Frontier,
  type HostQueue,
  type PolitenessOptions,
  politeDelayMs,
  rulesOf,
} from '../frontier/mod.ts';
import type { Recorder } from '../recorder.ts';
import { fetchRobots, firstRobotsStep, type RobotsAnswer, type RobotsStep } from '../robots/mod.ts';
import type { SlicedWork } from '../sliced-work.ts';
import type { HostLeases } from './host-leases.ts';
import type { ResponseHandler } from './response-handler.ts';

interface RobotsVisitOptions {
  fetcher: Fetcher;
  frontier: Frontier;
  recorder: Recorder;
  responseHandler: ResponseHandler;
  leases: HostLeases;
  progress: CrawlProgress;
  slices: SlicedWork;
  politeness: PolitenessOptions;
  productToken: string;
  clock: Clock;
  log: Log;
  onUnreachable(origin: string, reason: string): void;
}

export class RobotsVisits {
  readonly #options: RobotsVisitOptions;

  constructor(options: RobotsVisitOptions) {
    this.#options = options;
  }

  /** Uses the lease of `host` for one request of its robots.txt, and releases it. */
  async visit(host: HostQueue): Promise<void> {
    const { leases } = this.#options;
    const step = host.robotsStep ?? firstRobotsStep(host.origin);
    const answer = await this.#request(host, step);
    if (leases.isAbandoned) return;
    if (answer === null) return leases.release(host);
    this.#log(step.url, answer);
    if (answer.kind === 'unknown') return this.#failed(host, answer);
    if (answer.kind === 'moved') host.robotsMoved(answer.next);
    else {
      host.robotsRead(answer.robots);
      await this.#compile(host);
      if (leases.isAbandoned) return;
    }
    leases.responded(host, answer.elapsedMs);
    leases.release(host);
  }

  /** Returns null if robots.txt is on another host that may not get a request now; `host` then waits for it. */
  async #request(host: HostQueue, step: RobotsStep): Promise<RobotsAnswer | null> {
    const { fetcher, frontier, clock, politeness } = this.#options;
    const origin = originOf(step.url);
    if (frontier.shareGroup(origin, host.origin)) return fetchRobots(fetcher, step, clock);
    const permission = await frontier.reserveForeignRequest(origin);
    if (permission.kind === 'wait') {
      host.waitUntil(permission.untilMs, `its robots.txt is with ${origin}`);
      return null;
    }
    const answer = await fetchRobots(fetcher, step, clock);
    frontier.leaveAsGuest(origin, politeDelayMs(politeness, null, answer.elapsedMs));
    return answer;
  }

  async #compile(host: HostQueue): Promise<void> {
    const { productToken, slices, leases, log, responseHandler } = this.#options;
    const rules = await rulesOf(host, productToken, slices);
    if (leases.isAbandoned) return;
    host.rulesCompiled(rules);
    const simplified = rules?.rules.simplifiedCount ?? 0;
    if (simplified > 0) log.warn('robots.txt simplified', { origin: host.origin, rules: simplified });
    responseHandler.takeSitemaps(rules?.sitemaps ?? [], host.origin);
  }

  #failed(host: HostQueue, answer: Extract<RobotsAnswer, { kind: 'unknown' }>): void {
    const { leases, progress, onUnreachable } = this.#options;
    const reason = `robots.txt: ${answer.reason}`;
    host.robotsFailed();
    leases.failed(host, { reason, retryAfterMs: answer.retryAfterMs, isLasting: answer.setAside ?? false });
    progress.refused(reason);
    if (answer.unreachable) {
      onUnreachable(host.origin, answer.reason);
      leases.releaseAlone(host);
    } else leases.release(host);
  }

  #log(url: CanonicalUrl, answer: RobotsAnswer): void {
    const { status, bytes, elapsedMs: ms } = answer;
    const reason = answer.kind === 'unknown' ? answer.reason : answer.kind;
    const time = new Date(this.#options.clock.now()).toISOString();
    this.#options.recorder.logged({ time, url, status, state: 'robots', reason, bytes, ms });
  }
}
