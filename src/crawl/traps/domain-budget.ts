/**
 * The budget of a registrable domain: hosts, pages and requests per second.
 *
 * Host names below a domain cost its owner nothing: a wildcard DNS record resolves all of them. A page budget
 * per host therefore limits nothing unless the domain has a budget, too. The budget of a domain grows with
 * evidence that its owner cannot produce alone, or that costs him pages of the budget:
 *
 *   linking domains   other registrable domains that link to this one. Four times as many allow about twice as
 *                     many hosts and requests; pages grow as in host-budget.ts.
 *   seeds             hosts that the operator named. Each adds one host, and the page budget of a domain once more.
 *   proven hosts      hosts with several useful pages. They count only for a domain that has a seed.
 *
 * A domain named in `crawl.domains` has no budget, because the operator wants all of it.
 */
import { type BudgetOptions, pageBudget } from './host-budget.ts';

interface DomainStanding {
  /** Number of other registrable domains that link to the domain. */
  linkingDomains: number;
  /** Number of hosts of the domain that are seeds. */
  seedHosts: number;
  /** Number of hosts of the domain with several useful pages (state/domain-counts.ts). */
  provenHosts: number;
  /**
   * `fetched` is the number of responses, and `useful` the number of responses that were documents of their
   * own.
   */
  fetched: number;
  useful: number;
}

export interface DomainBudget {
  hosts: number;
  pages: number;
  /**
   * Maximum number of requests per second to all hosts of the domain together, except seeds. It applies while other
   * domains have work.
   */
  requestsPerSecond: number;
}

export const UNLIMITED: DomainBudget = Object.freeze({
  hosts: Number.POSITIVE_INFINITY,
  pages: Number.POSITIVE_INFINITY,
  requestsPerSecond: Number.POSITIVE_INFINITY,
});

const BASE_HOSTS = 100;
const BASE_REQUESTS_PER_SECOND = 20;
/**
 * Number of additional hosts per proven host, for a domain with a seed. So a real domain can always grow, even if
 * most of its hosts are tiny.
 */
const HOSTS_PER_PROVEN = 4;
/** Number of additional pages per proven host, as a share of `basePages`. */
const PAGES_PER_PROVEN = 1 / 50;
/** Number of proven hosts that count as much as one linking domain in the limit of requests per second. */
const PROVEN_PER_LINK = 100;

export function domainBudget(domain: DomainStanding, options: BudgetOptions): DomainBudget {
  const { linkingDomains, seedHosts, fetched, useful } = domain;
  const provenHosts = seedHosts > 0 ? domain.provenHosts : 0;
  const pages = pageBudget({ importance: 0, linkingDomains, fetched, useful }, options);
  return {
    hosts: Math.round(
      seedHosts + BASE_HOSTS * Math.sqrt(1 + linkingDomains) + HOSTS_PER_PROVEN * provenHosts,
    ),
    pages: Math.round(pages * (1 + seedHosts) + PAGES_PER_PROVEN * options.basePages * provenHosts),
    requestsPerSecond:
      BASE_REQUESTS_PER_SECOND * Math.sqrt(1 + linkingDomains + provenHosts / PROVEN_PER_LINK),
  };
}
