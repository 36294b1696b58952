import { type CanonicalUrl, canonicalize, originOf } from '../../url/mod.ts';
import { describeFailure } from '../describe-wait.ts';
import { type HostQueue, politeDelayMs, rulesOf } from '../frontier/mod.ts';
import { wanted } from '../parsing/mod.ts';
import { fetchRobots, firstRobotsStep, type RobotsAnswer, type RobotsStep } from '../robots/mod.ts';
import type { VisitServices } from './visit-services.ts';

export class RobotsVisits {
  readonly #services: VisitServices;

  constructor(services: VisitServices) {
    this.#services = services;
  }

  /** Sends one request for the robots.txt of a leased host, then releases the host. */
  async visit(host: HostQueue): Promise<void> {
    const { leases } = this.#services;
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

  /**
   * Requests one URL of a robots.txt. Returns null if the URL is on another host that may not get a request now; the
   * leased host then waits.
   */
  async #request(host: HostQueue, step: RobotsStep): Promise<RobotsAnswer | null> {
    const { fetcher, foreign, clock, politeness } = this.#services;
    const origin = originOf(step.url);
    if (foreign.shareGroup(origin, host.origin)) return fetchRobots(fetcher, step, clock);
    const permission = await foreign.reserve(origin);
    if (permission.kind === 'wait') {
      host.waitUntil(permission.untilMs, { code: 'robots-elsewhere', origin });
      return null;
    }
    const answer = await fetchRobots(fetcher, step, clock);
    foreign.finished(origin, politeDelayMs(politeness, origin, null, answer.elapsedMs));
    return answer;
  }

  async #compile(host: HostQueue): Promise<void> {
    const { productToken, slices, leases, log } = this.#services;
    const rules = await rulesOf(host, productToken, slices);
    if (leases.isAbandoned) return;
    host.rulesCompiled(rules);
    const simplified = rules?.rules.simplifiedCount ?? 0;
    if (simplified > 0) log.warn('robots.txt simplified', { origin: host.origin, rules: simplified });
    await this.#queueSitemaps(rules?.sitemaps ?? [], host.origin);
  }

  async #queueSitemaps(addresses: readonly string[], origin: string): Promise<void> {
    const { recorder, urlRules } = this.#services;
    const urls = addresses.flatMap((address) => canonicalize(address, origin) ?? []);
    await recorder.discovered(wanted(urls, 0, urlRules), null);
  }

  async #failed(host: HostQueue, answer: Extract<RobotsAnswer, { kind: 'unknown' }>): Promise<void> {
    const { leases, progress, onUnreachable } = this.#services;
    const { failure, retryAfterMs, isLasting = false } = answer;
    const reason = describeFailure(failure);
    host.robotsFailed();
    await leases.failed(host, { request: 'robots', failure, retryAfterMs, isLasting });
    progress.refused(`robots.txt: ${reason}`);
    if (answer.unreachable) {
      onUnreachable(host.origin, reason);
      leases.releaseAlone(host);
    } else leases.release(host);
  }

  #log(url: CanonicalUrl, answer: RobotsAnswer): void {
    const { status, bytes, elapsedMs: ms } = answer;
    const reason = answer.kind === 'unknown' ? describeFailure(answer.failure) : answer.kind;
    const time = new Date(this.#services.clock.now()).toISOString();
    this.#services.recorder.logged({ time, url, status, state: 'robots', reason, bytes, ms });
  }
}
