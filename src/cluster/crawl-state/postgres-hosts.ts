/**
 * Reads and writes the table of hosts for the frontier and for commits (the columns are as in sqlite-hosts.ts).
 *
 * The hosts of all nodes are in one table, in order of discovery. A node reads its front queues and parked
 * hosts from an index that has the vnode as its last column: with n nodes it reads n index entries for each
 * host that it finds. This is cheaper than one range per vnode as long as a node has more than 16 of the 256
 * vnodes.
 */
import {
  type CrawlCounts,
  type HostFailure,
  type HostRow,
  hostOfRow,
  isIconWanted,
  PROVEN_PAGES,
  type RobotsRow,
  type SiteIcon,
  storedHost,
} from '../../crawl/mod.ts';
import type { ClusterDatabase, Transaction } from '../database.ts';
import type { HeldVnodes } from './held-vnodes.ts';
import { jsonRows, lastOfEach } from '../json-rows.ts';

const COLUMNS = `h.origin, h.next_fetch_at::float8 as "nextFetchAt", h.delay_ms::float8 as "delayMs",
  h.robots_kind as "robotsKind", h.robots_body as "robotsBody", h.robots_expires_at::float8 as "robotsExpiresAt",
  h.failures, h.parked_reason as "parkedReason", h.address, h.links, h.fetched, h.useful,
  h.wait_reason as "waitReason", h.icon, h.is_held_back as "heldBack"`;

const WRITTEN = `origin text, "nextFetchAt" bigint, "delayMs" bigint, failures int, "parkedReason" text,
  "waitReason" text, address text, fetched int, useful int`;

export class PostgresHosts {
  readonly #sql: ClusterDatabase;
  readonly #held: HeldVnodes;
  /**
   * The robots.txt rows and icon states that are unchanged since they were read or committed. They are not written
   * again with every visit of their host.
   */
  readonly #stored = new WeakSet<RobotsRow | SiteIcon>();

  constructor(sql: ClusterDatabase, held: HeldVnodes) {
    this.#sql = sql;
    this.#held = held;
  }

  async withWork(limit: number): Promise<HostRow[]> {
    return this.#read(
      this.#sql`h.has_work and h.vnode = any (${this.#held.numbers}::int[])
        and exists (select from gyre.crawl_urls u where u.host = h.number and u.state = 'ready')`,
      limit,
    );
  }

  async byOrigin(origin: string): Promise<HostRow | null> {
    return (await this.#read(this.#sql`h.origin = ${origin}`, 1))[0] ?? null;
  }

  async inFront(front: number, after: string, limit: number): Promise<HostRow[]> {
    return this.#read(
      this.#sql`h.has_work and h.parked_reason = '' and not h.is_held_back and h.front = ${front}
        and h.vnode = any (${this.#held.numbers}::int[])
        and h.number > coalesce((select number from gyre.crawl_hosts where origin = ${after}), 0) order by h.number`,
      limit,
    );
  }

  async parked(after: number, until: number, limit: number): Promise<HostRow[]> {
    return this.#read(
      this.#sql`h.parked_until > ${after}::float8 and h.parked_until <= ${until}::float8 and h.has_work
        and h.vnode = any (${this.#held.numbers}::int[]) order by h.parked_until`,
      limit,
    );
  }

  async nextParkedUntil(after: number): Promise<number | null> {
    const [row] = await this.#sql<{ until: number }[]>`
      select parked_until::float8 as until from gyre.crawl_hosts
      where parked_until > ${after}::float8 and has_work and vnode = any (${this.#held.numbers}::int[])
      order by parked_until limit 1`;
    return row?.until ?? null;
  }

  async counts(): Promise<CrawlCounts> {
    const held = this.#held.numbers;
    const rows = await this.#sql<{ counted: keyof CrawlCounts | 'host'; count: number }[]>`
      select counted, sum(count)::float8 as count from gyre.crawl_counts
      where vnode = any (${held}::int[]) group by counted
      union all
      select 'parked', count(*)::float8 from gyre.crawl_hosts
      where parked_until is not null and vnode = any (${held}::int[])`;
    const { host: hosts = 0, ...counts } = Object.fromEntries(
      rows.map(({ counted, count }) => [counted, count]),
    );
    return { ready: 0, done: 0, refused: 0, failed: 0, parked: 0, ...counts, hosts };
  }

  async pause(tx: Transaction, origin: string, nextFetchAt: number): Promise<void> {
    const changed = await tx<{ vnode: number }[]>`
      update gyre.crawl_hosts set next_fetch_at = ${Math.round(nextFetchAt)} where origin = ${origin}
      returning vnode`;
    this.#held.check(changed);
  }

  async unparkFailed(tx: Transaction, code: HostFailure['code']): Promise<void> {
    await tx`update gyre.crawl_hosts set parked_reason = '', next_fetch_at = 0, failures = 0
      where parked_until is not null and vnode = any (${this.#held.numbers}::int[])
        and parked_reason::json #>> '{failure,code}' = ${code}`;
  }

  /** Makes parked hosts of the held vnodes available at once, except hosts that wait for a long delay. */
  async endParking(tx: Transaction, origins: readonly string[]): Promise<void> {
    await tx`update gyre.crawl_hosts set parked_reason = '', wait_reason = '', failures = 0, next_fetch_at = 0
      where origin = any (${[...origins]}::text[]) and parked_until is not null
        and parked_reason::json ->> 'code' <> 'long-delay'
        and vnode = any (${this.#held.numbers}::int[])`;
  }

  /** Shifts the times of the next requests and of the expiry of robots.txt, for all hosts of the held vnodes. */
  async moveTimes(tx: Transaction, byMs: number): Promise<void> {
    await tx`update gyre.crawl_hosts set next_fetch_at = greatest(0, next_fetch_at + ${byMs}::bigint),
        robots_expires_at = robots_expires_at + ${byMs}::bigint
      where vnode = any (${this.#held.numbers}::int[])`;
  }

  /** Writes the rows of hosts, and adds their new pages to the counts of their domains. */
  async write(tx: Transaction, hosts: readonly HostRow[]): Promise<void> {
    if (hosts.length === 0) return;
    const rows = lastOfEach(hosts, ({ origin }) => origin);
    const changed = await tx<{ vnode: number }[]>`
      with given as (select * from ${jsonRows(tx, rows.map(storedHost), WRITTEN)}),
      pages as (
        select h.domain, h.vnode, sum(given.fetched - h.fetched) as fetched, sum(given.useful - h.useful) as useful,
          sum((given.useful >= ${PROVEN_PAGES})::int - (h.useful >= ${PROVEN_PAGES})::int) as proven
        from given join gyre.crawl_hosts h using (origin)
        where (given.fetched, given.useful) <> (h.fetched, h.useful) group by h.domain, h.vnode
      ), counted as (
        update gyre.crawl_domains d set fetched = d.fetched + pages.fetched, useful = d.useful + pages.useful,
          proven = d.proven + pages.proven
        from pages where d.name = pages.domain and d.vnode = pages.vnode
      )
      update gyre.crawl_hosts h set next_fetch_at = given."nextFetchAt", delay_ms = given."delayMs",
        failures = given.failures, parked_reason = given."parkedReason", wait_reason = given."waitReason",
        address = given.address, fetched = given.fetched, useful = given.useful
      from given where h.origin = given.origin returning h.vnode`;
    this.#held.check(changed);
    await this.#writeRobots(tx, rows);
    await this.#writeIcons(tx, rows);
  }

  /** Reports that these rows are committed. */
  committed(hosts: readonly HostRow[]): void {
    for (const { robots, icon } of hosts) {
      if (robots) this.#stored.add(robots);
      if (icon) this.#stored.add(icon);
    }
  }

  /** Removes hosts from the front queues if they have no ready URL and no wanted icon. */
  async removeDrained(tx: Transaction, origins: readonly string[]): Promise<void> {
    if (origins.length === 0) return;
    const changed = await tx<{ vnode: number }[]>`
      update gyre.crawl_hosts h set has_work = false where origin = any (${[...origins]}::text[]) and not is_icon_wanted
        and not exists (select from gyre.crawl_urls u where u.host = h.number and u.state = 'ready')
      returning vnode`;
    this.#held.check(changed);
  }

  async #writeRobots(tx: Transaction, hosts: readonly HostRow[]): Promise<void> {
    const rows = hosts
      .filter(({ robots }) => !robots || !this.#stored.has(robots))
      .map(({ origin, robots }) => ({
        origin,
        kind: robots?.kind ?? null,
        body: robots ? Buffer.from(robots.body).toString('hex') : null,
        expiresAt: robots?.expiresAt ?? null,
      }));
    if (rows.length === 0) return;
    await tx`update gyre.crawl_hosts h
      set robots_kind = r.kind, robots_body = decode(r.body, 'hex'), robots_expires_at = r."expiresAt"
      from ${jsonRows(tx, rows, 'origin text, kind text, body text, "expiresAt" bigint')}
      where h.origin = r.origin and (r.kind is not null or h.robots_kind is not null)`;
  }

  async #writeIcons(tx: Transaction, hosts: readonly HostRow[]): Promise<void> {
    const rows = hosts.flatMap(({ origin, icon }) =>
      icon && !this.#stored.has(icon)
        ? [{ origin, icon: JSON.stringify(icon), isWanted: isIconWanted(icon) }]
        : [],
    );
    if (rows.length === 0) return;
    await tx`update gyre.crawl_hosts h
      set icon = r.icon, is_icon_wanted = r."isWanted", has_work = h.has_work or r."isWanted"
      from ${jsonRows(tx, rows, 'origin text, icon text, "isWanted" boolean')} where h.origin = r.origin`;
  }

  async #read(condition: ReturnType<ClusterDatabase>, limit: number): Promise<HostRow[]> {
    const rows = await this.#sql`select ${this.#sql.unsafe(COLUMNS)} from gyre.crawl_hosts h
      where ${condition} limit ${Math.min(limit, Number.MAX_SAFE_INTEGER)}`;
    const hosts = rows.map(hostOfRow);
    this.committed(hosts);
    return hosts;
  }
}
