/**
 * The page budget of a host, which also ends the traps that no detector recognizes.
 *
 * Every host gets the base. The budget grows exponentially with importance, up to the maximum for the most
 * important host. A host whose links have no end (open-ends.ts) starts at `OPEN_ENDED_PAGES`. If many pages
 * of a host are duplicates, soft 404s and the like, its budget shrinks with its share of useful pages, down
 * to `LEAST_PAGES`: a large site earns its budget by useful pages, not by its size.
 */
export interface BudgetOptions {
  /** The page budget of a host without links from other domains. */
  basePages: number;
  maxPages: number;
}

export const BUDGET_DEFAULTS: BudgetOptions = { basePages: 2000, maxPages: 1_000_000 };

interface HostStanding {
  /** Rank of the host on a logarithmic scale, from 0 (lowest) to 1 (highest); 0 while it is unknown. */
  importance: number;
  /** Number of other registrable domains that link to the host. It is used as importance until ranks are known. */
  linkingDomains: number;
  /**
   * `fetched` is the number of fetched pages, and `useful` the number of fetched pages that were not
   * duplicates, soft 404s or parked pages.
   */
  fetched: number;
  useful: number;
  /** True if the links of the host seem to have no end (open-ends.ts). */
  isOpenEnded?: boolean;
}

/** Number of linking domains from which a host has the highest importance. */
const MANY_DOMAINS = 1e5;
/** Minimum number of fetched pages before the share of useful pages changes the budget. */
const MIN_FETCHED = 200;
/** Share of useful pages from which a host has its full budget. */
const USEFUL_ENOUGH = 0.5;
/** The page budget of a host whose pages are all useless. */
const LEAST_PAGES = 1000;
const OPEN_ENDED_PAGES = 4000;

export function pageBudget(host: HostStanding, options: BudgetOptions = BUDGET_DEFAULTS): number {
  const linked = Math.log1p(host.linkingDomains) / Math.log1p(MANY_DOMAINS);
  const importance = Math.min(1, Math.max(host.importance, linked));
  const base = Math.min(options.basePages, host.isOpenEnded ? OPEN_ENDED_PAGES : Number.POSITIVE_INFINITY);
  const grown = base * (options.maxPages / base) ** importance;
  if (host.fetched < MIN_FETCHED) return Math.round(grown);
  const share = Math.min(1, host.useful / host.fetched / USEFUL_ENOUGH);
  return Math.round(Math.max(Math.min(base, LEAST_PAGES), grown * share));
}
