/**
 * How many pages a host may have: the end of every trap that nothing else sees.
 *
 * Everyone gets the base. From there it grows with importance, by the same factor for each step, up to the
 * maximum for the most important host. A host whose pages turn out to be duplicates, soft 404s and the like
 * keeps only its share of useful ones: a large site earns its budget by what it shows, not by its size.
 */
export interface BudgetOptions {
  /** For a host that nobody links to. */
  basePages: number;
  maxPages: number;
}

export const BUDGET_DEFAULTS: BudgetOptions = { basePages: 2000, maxPages: 1_000_000 };

export interface HostStanding {
  /** 0 to 1: the host's rank on a logarithmic scale from the least to the best; 0 while it is unknown. */
  importance: number;
  /** Other registrable domains with a link to it, which stand in for importance until ranks are known. */
  linkingDomains: number;
  /** Pages that came, and those of them that were no duplicate, soft 404 or parked page. */
  fetched: number;
  useful: number;
}

/** A host with so many linking domains is as important as can be. */
const MANY_DOMAINS = 1e5;
/** Before so many pages, usefulness is a matter of chance. */
const MIN_FETCHED = 200;
/** A host with this share of useful pages has all of its budget. */
const USEFUL_ENOUGH = 0.5;

export function pageBudget(host: HostStanding, options: BudgetOptions = BUDGET_DEFAULTS): number {
  const linked = Math.log1p(host.linkingDomains) / Math.log1p(MANY_DOMAINS);
  const importance = Math.min(1, Math.max(host.importance, linked));
  const grown = options.basePages * (options.maxPages / options.basePages) ** importance;
  if (host.fetched < MIN_FETCHED) return Math.round(grown);
  const share = Math.min(1, host.useful / host.fetched / USEFUL_ENOUGH);
  return Math.round(Math.max(options.basePages, grown * share));
}
