import type { CanonicalUrl } from '../../url/mod.ts';
import { describeUrlReason } from '../describe-wait.ts';
import { isWanted, type Response, troubleOf } from '../fetch/mod.ts';
import type { HostQueue } from '../frontier/mod.ts';
import type { VisitServices } from './visit-services.ts';

export class ProbeVisits {
  readonly #services: VisitServices;

  constructor(services: VisitServices) {
    this.#services = services;
  }

  /**
   * Requests `url`, which cannot exist, to learn how the leased host responds to missing pages. Then releases the
   * host.
   */
  async visit(host: HostQueue, url: CanonicalUrl): Promise<void> {
    const { fetcher, clock, recorder, progress, responseHandler, leases } = this.#services;
    const outcome = await fetcher.fetch(url, (status, type) => isWanted(url, status, type));
    if (leases.isAbandoned) return;
    const trouble = troubleOf(outcome, clock.now());
    const bytes = trouble ? 0 : (outcome as Response).payload.length;
    const absent = trouble ? null : await responseHandler.takeAbsent(host.origin, url, outcome as Response);
    if (leases.isAbandoned) return;
    if (absent?.held) recorder.discard(absent.held);
    if (absent?.found) recorder.addDerivedRecords([absent.found]);
    const reason = trouble?.kind ?? describeUrlReason(absent!.reason);
    await leases.received(host, trouble, outcome.elapsedMs);
    const { status } = trouble ?? (outcome as Response);
    const time = new Date(clock.now()).toISOString();
    recorder.logged({ time, url, status, state: 'probe', reason, bytes, ms: outcome.elapsedMs });
    progress.fetched(false, bytes);
    leases.release(host);
  }
}
