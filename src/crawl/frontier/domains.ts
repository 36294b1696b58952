/**
 * Registrable domains in the crawl: the domain of a host, the budget of a domain, and the other domains that
 * link to it.
 *
 *   recorder   reports links between domains              -> `linked`, written every few seconds
 *   state      asks whether a new host has room           -> `hostBudget`
 *   visitor    asks whether the domain has all its pages  -> `usedPages`
 *   frontier   spaces the requests to one domain          -> `spacingMs`
 *
 * The counts are in the state (state/domain-counts.ts). `load` reads the counts of a host's domain before they
 * are used, and caches them for `FRESH_MS` (`FRESH_FEW_HOSTS_MS` if the domain has few hosts), so a budget may
 * be exceeded by the pages fetched within that time. The links of a fetched page count before they are
 * committed: otherwise a fast host would use up its basic budget and be parked while its links wait for a
 * commit.
 */
import { BoundedCache, type Clock } from '../../base/mod.ts';
import { type CanonicalUrl, domainOfOrigin, fingerprint, hostOf, registrableDomain } from '../../url/mod.ts';
import { type Links, urlsOf } from '../parsing/mod.ts';
import type { CrawlState, DomainRow, HostBudget } from '../state/mod.ts';
import { type BudgetOptions, type DomainBudget, domainBudget, UNLIMITED } from '../traps/mod.ts';

/** Time for which the counts of a domain are used before they are read from the state again. */
const FRESH_MS = 1_000;
/**
 * The same as FRESH_MS, but for domains with at most FEW_HOSTS hosts. Such a domain cannot exceed its budget by
 * much within this time.
 */
const FRESH_FEW_HOSTS_MS = 5_000;
const MAX_DOMAINS = 20_000;
const MAX_ORIGINS = 50_000;
/**
 * Maximum number of remembered pairs of a linking domain and a linked host. A remembered pair is not reported again.
 */
const MAX_PAIRS = 200_000;
/**
 * Linking domains are written to the state every LINKS_MS, or as soon as MAX_LINKS linked domains have new
 * linking domains.
 */
const LINKS_MS = 10_000;
const MAX_LINKS = 50_000;
/**
 * Maximum number of linking domains kept in memory per linked domain. If there are more, the count of the last commit
 * is accurate enough.
 */
const MAX_LINKING = 16;
/**
 * Requests to a domain with at most this many hosts are not spaced: the politeness delays of its hosts are enough.
 */
const FEW_HOSTS = 8;

interface Standing {
  hosts: number;
  linkingDomains: number;
  fetched: number;
  budget: DomainBudget;
}

interface Known extends Standing {
  readAt: number;
  freshUntil: number;
}

/** The counts that are used for a domain whose counts are not loaded. */
const UNKNOWN: Standing = { hosts: 0, linkingDomains: 0, fetched: 0, budget: UNLIMITED };

interface DomainsOptions {
  state: Pick<CrawlState, 'domain'>;
  clock: Clock;
  budget: BudgetOptions;
  /** Registrable domains named in the setting `crawl.domains`, which have no budget. */
  domains: readonly string[];
}

export class Domains {
  readonly #options: DomainsOptions;
  readonly #names = BoundedCache.clearedWhenFull<string, string>(MAX_ORIGINS);
  readonly #known = BoundedCache.clearedWhenFull<string, Known>(MAX_DOMAINS);
  readonly #unlimited: ReadonlySet<string>;
  /** For each registrable domain, the origins of its hosts that are seeds. */
  readonly #seedHosts = new Map<string, Set<string>>();
  readonly #pairs = new Set<number>();
  /**
   * For each linked domain, the linking domains that are not written to the state yet. A name may be listed
   * twice.
   */
  #links = new Map<string, string[]>();
  #linksDueAt = 0;
  /** For each linked domain, the linking domains found since the start of this run, committed or not. */
  readonly #linking = BoundedCache.clearedWhenFull<string, string[]>(MAX_DOMAINS);

  constructor(options: DomainsOptions) {
    this.#options = options;
    // An entry of `crawl.domains` that is above all registrable domains, such as `test`, matches no domain.
    this.#unlimited = new Set(options.domains.map((name) => registrableDomain(name.replace(/:\d+$/, ''))));
  }

  nameOf(origin: string): string {
    const known = this.#names.get(origin);
    if (known !== undefined) return known;
    const name = domainOfOrigin(origin);
    this.#names.set(origin, name);
    return name;
  }

  /** True if the counts of the host's domain are in memory and recent enough. */
  isLoaded(origin: string): boolean {
    const now = this.#options.clock.now();
    const known = this.#known.get(this.nameOf(origin));
    return known !== undefined && now < known.freshUntil && now >= known.readAt;
  }

  /** Reads the counts of the host's domain from the state. */
  async load(origin: string): Promise<void> {
    const { state, clock } = this.#options;
    const name = this.nameOf(origin);
    const row = this.#withSeenLinks(await state.domain(name));
    const budget = row ? this.#budgetOf(row) : UNLIMITED;
    const { hosts = 0, fetched = 0, linkingDomains = 0 } = row ?? {};
    const readAt = clock.now();
    const freshUntil = readAt + (hosts <= FEW_HOSTS ? FRESH_FEW_HOSTS_MS : FRESH_MS);
    this.#known.set(name, { hosts, fetched, linkingDomains, budget, readAt, freshUntil });
  }

  /** Exempts the host of a seed from the host budget of its domain. */
  addSeed(url: CanonicalUrl): void {
    const name = registrableDomain(hostOf(url));
    const hosts = this.#seedHosts.get(name) ?? new Set();
    this.#seedHosts.set(name, hosts.add(hostOf(url)));
  }

  /** Returns the number of hosts that a domain may have; unlimited for the host of a seed. */
  readonly hostBudget: HostBudget = (domain, origin) =>
    origin !== undefined && this.#isSeed(domain.name, origin)
      ? Number.POSITIVE_INFINITY
      : this.#budgetOf(domain).hosts;

  /** Returns the number of other domains that link to the domain of this origin. */
  linkingDomains(origin: string): number {
    return this.#standingOf(this.nameOf(origin)).linkingDomains;
  }

  /** Returns true if the operator named the domain in `crawl.domains`. */
  isUnlimited(origin: string): boolean {
    return this.#unlimited.has(this.nameOf(origin));
  }

  /** Returns the domain of the origin and its page budget if this budget is used up, otherwise null. */
  usedPages(origin: string): { name: string; pages: number } | null {
    const name = this.nameOf(origin);
    const { fetched, budget } = this.#standingOf(name);
    return fetched < budget.pages ? null : { name, pages: budget.pages };
  }

  /**
   * Returns the minimum time between the starts of two requests to any hosts of the domain to which the given
   * host belongs; 0 if requests to the domain are not spaced.
   */
  spacingMs(origin: string): number {
    const name = this.nameOf(origin);
    const { hosts, budget } = this.#standingOf(name);
    return hosts <= FEW_HOSTS || this.#isSeed(name, origin) ? 0 : 1000 / budget.requestsPerSecond;
  }

  /** Counts the links of a fetched page to other domains. The first 16 bits of a fingerprint identify the host. */
  linked(page: CanonicalUrl, links: Links): void {
    const { buffer, byteOffset, length } = links.fingerprints;
    const words = new Uint32Array(buffer, byteOffset, 2 * length);
    const ownHost = Number((fingerprint(page) >> 48n) & 0xffffn);
    let name = '';
    let key = 0;
    let list: CanonicalUrl[] | null = null;
    for (let at = 0; at < length; at++) {
      const host = words[2 * at + 1]! >>> 16;
      if (host === ownHost) continue;
      if (name === '') {
        name = registrableDomain(hostOf(page));
        key = Number(fingerprint(`http://${name}/` as CanonicalUrl) & 0xffffffffn) * 0x10000;
      }
      if (this.#pairs.has(key + host)) continue;
      list ??= urlsOf(links.urls);
      this.#keepLink(name, registrableDomain(hostOf(list[at]!)));
      if (this.#pairs.size >= MAX_PAIRS) this.#pairs.clear();
      this.#pairs.add(key + host);
    }
  }

  /**
   * Returns the linking domains of each linked domain that are to be written. They are written together every
   * LINKS_MS, because a popular domain gets links with every commit; a crash loses only the linking domains of
   * the last LINKS_MS.
   */
  takeLinks(isLast: boolean): Map<string, string[]> {
    const now = this.#options.clock.now();
    const isDue = isLast || now >= this.#linksDueAt || now < this.#linksDueAt - LINKS_MS;
    if (!isDue && this.#links.size < MAX_LINKS) return new Map();
    const links = this.#links;
    this.#links = new Map();
    this.#linksDueAt = now + LINKS_MS;
    return links;
  }

  get hasUnwrittenLinks(): boolean {
    return this.#links.size > 0;
  }

  #keepLink(from: string, to: string): void {
    if (from === to) return;
    const seen = this.#linking.peek(to);
    if (seen?.includes(from)) return;
    const waiting = this.#links.get(to);
    if (waiting) waiting.push(from);
    else this.#links.set(to, [from]);
    if (!seen) this.#linking.set(to, [from]);
    else if (seen.length < MAX_LINKING) seen.push(from);
    else return;
    const known = this.#known.peek(to);
    if (known) known.freshUntil = 0;
  }

  #isSeed(name: string, origin: string): boolean {
    return this.#seedHosts.get(name)?.has(hostOf(`${origin}/` as CanonicalUrl)) ?? false;
  }

  #standingOf(name: string): Standing {
    return this.#known.get(name) ?? UNKNOWN;
  }

  #withSeenLinks(row: DomainRow | null): DomainRow | null {
    const seen = row ? (this.#linking.peek(row.name)?.length ?? 0) : 0;
    return row && seen > row.linkingDomains ? { ...row, linkingDomains: seen } : row;
  }

  #budgetOf(domain: DomainRow): DomainBudget {
    if (this.#unlimited.has(domain.name)) return UNLIMITED;
    const seedHosts = this.#seedHosts.get(domain.name)?.size ?? 0;
    return domainBudget({ ...domain, seedHosts }, this.#options.budget);
  }
}
