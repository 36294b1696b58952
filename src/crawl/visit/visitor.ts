import { type Domains, type HostQueue, rulesOf } from '../frontier/mod.ts';
import type { MissingPages } from '../identity/mod.ts';
import { ALLOW_ALL, isFresh, type RobotsOverrides } from '../robots/mod.ts';
import type { RevisitSchedule } from '../schedule/mod.ts';
import { forgottenIcon, type ParkedReason } from '../state/mod.ts';
import { type BudgetOptions, pageBudget, type TrapDetectors } from '../traps/mod.ts';
import { PARK_MS } from './host-leases.ts';
import type { IconVisits } from './icon-visit.ts';
import type { PageVisits } from './page-visit.ts';
import type { ParsingCosts } from './parsing-costs.ts';
import type { ProbeVisits } from './probe-visit.ts';
import type { RobotsVisits } from './robots-visit.ts';
import type { VisitServices } from './visit-services.ts';

interface VisitorOptions {
  robotsVisits: RobotsVisits;
  iconVisits: IconVisits;
  probeVisits: ProbeVisits;
  pageVisits: PageVisits;
  costs: ParsingCosts;
  traps: TrapDetectors;
  domains: Domains;
  missing: MissingPages;
  schedule: RevisitSchedule;
  robotsOverrides: RobotsOverrides;
  budget: BudgetOptions;
}

export class Visitor {
  readonly #services: VisitServices;
  readonly #options: VisitorOptions;

  constructor(services: VisitServices, options: VisitorOptions) {
    this.#services = services;
    this.#options = options;
  }

  /** Number of responses that are being parsed although their hosts are already released. */
  get parsingCount(): number {
    return this.#options.pageVisits.parsingCount;
  }

  /** Stops recording results, because the crawl ends: the URLs of aborted requests stay ready. */
  abandon(): void {
    this.#services.leases.abandon();
  }

  /** Sends at most one request to a leased host, then releases the host. */
  async visit(host: HostQueue): Promise<void> {
    const { leases, clock } = this.#services;
    const { robotsVisits, iconVisits, probeVisits, pageVisits, missing } = this.#options;
    if (this.#waitsForParsing(host)) return leases.releaseAlone(host);
    await this.#loadKnowledge(host.origin);
    if (leases.isAbandoned) return;
    if (this.#services.removed.coversHost(host.origin)) return this.#refuseAll(host);
    const usedBudget = this.#usedBudget(host);
    const isForIcon = this.#isForIcon(host, usedBudget !== null);
    if (usedBudget !== null && !isForIcon) {
      // The page budget may have grown when the parked host is tried again.
      host.park(usedBudget, clock.now() + PARK_MS);
      return leases.releaseAlone(host);
    }
    if (await this.#waitsForAddress(host)) return leases.release(host);
    const hasRules = await this.#prepareRules(host);
    if (leases.isAbandoned) return;
    if (!hasRules) return robotsVisits.visit(host);
    if (isForIcon) return iconVisits.visit(host);
    const probe = missing.probeFor(host.origin, host.rules!);
    return probe ? probeVisits.visit(host, probe) : pageVisits.visit(host);
  }

  /** Refuses all URLs of a host that the operator has removed. Sends no request, not even for robots.txt. */
  async #refuseAll(host: HostQueue): Promise<void> {
    if (host.icon) host.keepIcon(forgottenIcon(host.icon));
    await this.#options.pageVisits.visit(host);
  }

  /**
   * Loads the stored knowledge about the host and its domain from the state, unless it is in memory already.
   */
  async #loadKnowledge(origin: string): Promise<void> {
    const { traps, missing, domains, schedule } = this.#options;
    if (!traps.has(origin)) await traps.load([origin]);
    if (!missing.has(origin)) await missing.load(origin);
    if (!schedule.has(origin)) await schedule.load(origin);
    if (!domains.isLoaded(origin)) await domains.load(origin);
  }

  /**
   * Returns true if the host has to wait because its pages took long to parse. Parks a host whose pages crashed their
   * parser threads.
   */
  #waitsForParsing(host: HostQueue): boolean {
    const wait = this.#options.costs.waitOf(host.origin);
    if (wait.kind === 'none') return false;
    if (wait.kind === 'parked') host.park(wait.reason, wait.untilMs);
    else host.waitUntil(wait.untilMs, wait.reason);
    return true;
  }

  #isForIcon(host: HostQueue, hasAllPages: boolean): boolean {
    return host.isIconsTurn || (host.wantsIcon && (hasAllPages || this.#services.frontier.fetchesIconsOnly));
  }

  /**
   * Resolves the IP address of a new host, and returns true if the host has to wait, because another host at this
   * address has just had a request.
   */
  async #waitsForAddress(host: HostQueue): Promise<boolean> {
    const { fetcher, frontier } = this.#services;
    if (host.address !== '') return false;
    const address = await fetcher.locate(host.origin);
    return address !== '' && frontier.locate(host, address).kind === 'wait';
  }

  /** Compiles the host's robots rules; returns false if robots.txt must be fetched first. */
  async #prepareRules(host: HostQueue): Promise<boolean> {
    const { productToken, slices, clock, log } = this.#services;
    const { origin } = host;
    if (this.#options.robotsOverrides.includes(origin)) {
      if (host.rules !== ALLOW_ALL) log.info('robots.txt overridden', { origin });
      host.rulesCompiled(ALLOW_ALL);
      return true;
    }
    if (!host.rules) host.rulesCompiled(await rulesOf(host, productToken, slices));
    return host.robots !== null && isFresh(host.robots, clock.now());
  }

  /** Returns the page budget of the host or of its domain if it is used up; null if neither is. */
  #usedBudget(host: HostQueue): ParkedReason | null {
    const pages = this.#budgetOf(host);
    if (host.pageCounts.fetched >= pages) return { code: 'host-budget-used', pages };
    const used = this.#options.domains.usedPages(host.origin);
    return used && { code: 'domain-budget-used', domain: used.name, pages: used.pages };
  }

  #budgetOf({ origin, pageCounts: { fetched, useful } }: HostQueue): number {
    const { domains, traps, budget } = this.#options;
    const linkingDomains = domains.linkingDomains(origin);
    const isOpenEnded = traps.of(origin).isOpenEnded && !domains.isUnlimited(origin);
    return pageBudget({ importance: 0, linkingDomains, fetched, useful, isOpenEnded }, budget);
  }
}
