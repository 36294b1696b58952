/**
 * Reads and writes the table of registrable domains: the counts that determine their budgets, and their
 * held-back hosts. A domain has one row per vnode. A domain has several rows only if some of its hosts belong
 * to a host group, because these hosts may be in another vnode.
 */
import {
  addLinkingDomains,
  countLinkingDomains,
  DOMAINS_PAGE,
  type DomainRow,
  type HostBudget,
  newDomain,
  placeHost,
  roomForHosts,
} from '../../crawl/mod.ts';
import { domainOfOrigin } from '../../url/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { jsonRows } from '../json-rows.ts';

interface StoredDomain extends Omit<DomainRow, 'linkingDomains'> {
  vnode: number;
  linkedFrom: Uint8Array;
}

/** The row of a new host. */
interface NewHost {
  origin: string;
  vnode: number;
  domain: string;
  isHeldBack: boolean;
}

const COLUMNS = `name, vnode, hosts, admitted, proven as "provenHosts", fetched::float8, useful::float8,
  linked_from as "linkedFrom"`;

export class PostgresDomains {
  readonly #sql: ClusterDatabase;
  readonly #held: HeldVnodes;
  /** The domain after which the next call of `admit` starts. */
  #after = { name: '', vnode: 0 };

  constructor(sql: ClusterDatabase, held: HeldVnodes) {
    this.#sql = sql;
    this.#held = held;
  }

  async byName(name: string): Promise<DomainRow | null> {
    const rows = await this.#sql<StoredDomain[]>`select ${this.#sql.unsafe(COLUMNS)} from gyre.crawl_domains
      where name = ${name} and vnode = any (${this.#held.numbers}::int[])`;
    return rows.length === 0 ? null : rows.map(domainOfRow).reduce(sumOf);
  }

  async heldBack(limit: number): Promise<{ domain: DomainRow; example: string }[]> {
    const rows = await this.#sql<(StoredDomain & { example: string | null })[]>`
      select ${this.#sql.unsafe(COLUMNS)}, (select origin from gyre.crawl_hosts h
        where h.domain = d.name and h.vnode = d.vnode and h.is_held_back limit 1) as example
      from gyre.crawl_domains d where hosts > admitted and vnode = any (${this.#held.numbers}::int[])
      order by hosts - admitted desc limit ${limit}`;
    return rows.map((row) => ({ domain: domainOfRow(row), example: row.example ?? '' }));
  }

  /** Counts new hosts, and decides whether their domains have room for them. Returns the hosts to store. */
  async place(tx: Transaction, origins: readonly string[], hostBudget?: HostBudget): Promise<NewHost[]> {
    const hosts = origins.map((origin) => ({
      origin,
      vnode: this.#held.vnodeOfOrigin(origin),
      domain: domainOfOrigin(origin),
    }));
    const names = [...new Set(hosts.map(({ domain }) => domain))];
    const known = await tx<StoredDomain[]>`select ${tx.unsafe(COLUMNS)} from gyre.crawl_domains
      where name = any (${names}::text[]) and vnode = any (${this.#held.numbers}::int[])`;
    const domains = new Map(known.map((row) => [keyOf(row), domainOfRow(row)]));
    const placed: NewHost[] = [];
    const changed = new Map<string, { name: string; vnode: number; hosts: number; admitted: number }>();
    for (const host of hosts) {
      const { origin, vnode, domain: name } = host;
      const domain = domains.get(keyOf({ name, vnode })) ?? newDomain(name);
      const place = placeHost(domain, origin, hostBudget);
      if (place === 'dropped') continue;
      const admitted = domain.admitted + Number(place === 'admitted');
      const next = { ...domain, hosts: domain.hosts + 1, admitted };
      domains.set(keyOf({ name, vnode }), next);
      changed.set(keyOf({ name, vnode }), { name, vnode, hosts: next.hosts, admitted });
      placed.push({ ...host, isHeldBack: place === 'held-back' });
    }
    await this.#writeCounts(tx, [...changed.values()]);
    return placed;
  }

  /** Records which other domains link to the domains. Unknown domains are left out. */
  async link(tx: Transaction, domainLinks: ReadonlyMap<string, Iterable<string>>): Promise<void> {
    if (domainLinks.size === 0) return;
    const known = await tx<{ name: string; vnode: number; linkedFrom: Uint8Array }[]>`
      select name, vnode, linked_from as "linkedFrom" from gyre.crawl_domains
      where name = any (${[...domainLinks.keys()]}::text[]) and vnode = any (${this.#held.numbers}::int[])
      order by name, vnode`;
    const changed = known.flatMap(({ name, vnode, linkedFrom }) => {
      const bits = addLinkingDomains(linkedFrom, domainLinks.get(name)!);
      return bits ? [{ name, vnode, bits: Buffer.from(bits).toString('hex') }] : [];
    });
    if (changed.length === 0) return;
    await tx`update gyre.crawl_domains d set linked_from = decode(r.bits, 'hex')
      from ${jsonRows(tx, changed, 'name text, vnode int, bits text')} where d.name = r.name and d.vnode = r.vnode`;
  }

  async isHoldingBack(): Promise<boolean> {
    // The order makes PostgreSQL read the index of domains with held-back hosts instead of the table.
    const rows = await this.#sql`select from gyre.crawl_domains
      where hosts > admitted and vnode = any (${this.#held.numbers}::int[]) order by name, vnode limit 1`;
    return rows.length > 0;
  }

  /** Admits held-back hosts whose domains now have room, and returns their number. */
  async admit(tx: Transaction, budgetOf: HostBudget): Promise<number> {
    const page = await tx<StoredDomain[]>`select ${tx.unsafe(COLUMNS)} from gyre.crawl_domains
      where hosts > admitted and vnode = any (${this.#held.numbers}::int[])
        and (name, vnode) > (${this.#after.name}, ${this.#after.vnode}::int)
      order by name, vnode limit ${DOMAINS_PAGE}`;
    this.#after = page.length < DOMAINS_PAGE ? { name: '', vnode: 0 } : page.at(-1)!;
    const open = page.flatMap((row) => {
      const domain = domainOfRow(row);
      const room = roomForHosts(domain, budgetOf(domain));
      return room > 0 ? [{ name: row.name, vnode: row.vnode, room }] : [];
    });
    if (open.length === 0) return 0;
    // Hosts that are linked from other domains come first.
    const [sum] = await tx<{ admitted: number }[]>`
      with chosen as (
        select h.number from ${jsonRows(tx, open, 'name text, vnode int, room bigint')} cross join lateral (
          select number from gyre.crawl_hosts where domain = r.name and vnode = r.vnode and is_held_back
          order by front desc, number limit r.room) as h
      ), admitted as (
        update gyre.crawl_hosts h set is_held_back = false from chosen where h.number = chosen.number
        returning h.domain, h.vnode
      ), counted as (
        update gyre.crawl_domains d set admitted = d.admitted + n.hosts
        from (select domain, vnode, count(*)::int as hosts from admitted group by domain, vnode) as n
        where d.name = n.domain and d.vnode = n.vnode
      )
      select count(*)::int as admitted from admitted`;
    return sum!.admitted;
  }

  async #writeCounts(
    tx: Transaction,
    counts: { name: string; vnode: number; hosts: number; admitted: number }[],
  ): Promise<void> {
    if (counts.length === 0) return;
    await tx`insert into gyre.crawl_domains (name, vnode, hosts, admitted)
      select name, vnode, hosts, admitted
      from ${jsonRows(tx, counts, 'name text, vnode smallint, hosts int, admitted int')} order by name, vnode
      on conflict (name, vnode) do update set hosts = excluded.hosts, admitted = excluded.admitted`;
  }
}

function keyOf({ name, vnode }: { name: string; vnode: number }): string {
  return `${vnode} ${name}`;
}

function domainOfRow({ name, hosts, admitted, provenHosts, fetched, useful, linkedFrom }: StoredDomain) {
  const linkingDomains = countLinkingDomains(linkedFrom);
  return { name, hosts, admitted, provenHosts, fetched, useful, linkingDomains };
}

/**
 * Adds up the counts of a domain in two vnodes. A domain that links to both parts must not count twice, so the
 * larger number of linking domains is used.
 */
function sumOf(a: DomainRow, b: DomainRow): DomainRow {
  return {
    name: a.name,
    hosts: a.hosts + b.hosts,
    admitted: a.admitted + b.admitted,
    provenHosts: a.provenHosts + b.provenHosts,
    fetched: a.fetched + b.fetched,
    useful: a.useful + b.useful,
    linkingDomains: Math.max(a.linkingDomains, b.linkingDomains),
  };
}
