/**
 * Reads and writes hosts for the frontier and for commits, without ever scanning all URLs.
 *
 *   work        1 while the host may have ready URLs or its icon is wanted; set by every change that adds work,
 *               cleared by `drained`
 *   front       its front queue (front-queues.ts), by the number of other hosts that link to it
 *   host_front  hosts with work that are neither parked nor held back, by front queue, in order of discovery
 *   host_parked parked hosts, by the moment of their next try
 *   tally       number of URLs in each state, and the number of the last URL found
 *
 * Triggers keep the tally and `work` up to date when the state of a URL changes, so that code which changes a
 * state need not do it. Discovered URLs are inserted in key order, one host at a time: neighbours in the
 * B-tree are written once, and the row of a host is read and written once for all of its URLs
 * (docs/decisions/0010).
 */
import { domainOfOrigin } from '../../../url/mod.ts';
import type { CrawlBatch, CrawlCounts, Discovered, HostRow, RobotsRow } from '../crawl-state.ts';
import {
  countLinkingHosts,
  type DiscoveryLimits,
  encodeVerb,
  firstFound,
  frontOf,
  groupDiscovered,
  inOrderOfDiscovery,
  type NumberedUrl,
} from '../discovery.ts';
import type { HostFailure } from '../reasons.ts';
import { isIconWanted, type SiteIcon } from '../site-icon.ts';
import { hostOfRow, storedHost } from '../stored-rows.ts';
import type { SqliteDomains } from './sqlite-domains.ts';
import type { Statements } from './sqlite-statements.ts';

export const FRONTIER_SCHEMA = `
  ALTER TABLE host ADD COLUMN work INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN front INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN address TEXT NOT NULL DEFAULT '';
  ALTER TABLE host ADD COLUMN links INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN fetched INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE host ADD COLUMN useful INTEGER NOT NULL DEFAULT 0;
  UPDATE host SET work = 1 WHERE EXISTS (SELECT 1 FROM url WHERE url.host = host.id AND state = 'ready');
  CREATE INDEX host_front ON host (front, id) WHERE work = 1 AND set_aside = '';
  CREATE INDEX host_aside ON host (next_fetch_at) WHERE set_aside <> '';
  CREATE INDEX url_problem ON url (reason) WHERE state IN ('refused', 'failed');
  CREATE TABLE tally (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO tally SELECT column1, (SELECT count(*) FROM url WHERE state = column1)
    FROM (VALUES ('ready'), ('done'), ('refused'), ('failed'));
  INSERT INTO tally SELECT 'found', coalesce(max(found), 0) FROM url;
  CREATE TRIGGER url_state AFTER UPDATE OF state ON url WHEN old.state <> new.state BEGIN
    UPDATE tally SET value = value - 1 WHERE name = old.state;
    UPDATE tally SET value = value + 1 WHERE name = new.state;
    UPDATE host SET work = 1 WHERE new.state = 'ready' AND id = new.host AND work = 0;
  END;
`;

export const HOST_COLUMNS = `origin, next_fetch_at AS nextFetchAt, delay_ms AS delayMs, robots_kind AS robotsKind,
  robots_body AS robotsBody, robots_expires_at AS robotsExpiresAt, failures, parked_reason AS parkedReason, address,
  links, fetched, useful, wait_reason AS waitReason, icon, held_back AS heldBack`;

interface HostNumbers {
  id: number;
  known: number;
  links: number;
}

export class SqliteHosts {
  readonly #statements: Statements;
  /**
   * The robots.txt rows and icon states that are unchanged since they were read or written. They are not
   * written again with every visit of their host.
   */
  readonly #stored = new WeakSet<RobotsRow | SiteIcon>();
  readonly #domains: SqliteDomains;
  #drained = new Set<string>();
  #found: number;

  constructor(statements: Statements, domains: SqliteDomains) {
    this.#statements = statements;
    this.#domains = domains;
    this.#found = this.#tally('found');
  }

  withWork(limit: number): HostRow[] {
    const sql = `SELECT ${HOST_COLUMNS} FROM host WHERE work = 1
      AND EXISTS (SELECT 1 FROM url WHERE url.host = host.id AND state = 'ready') LIMIT ?`;
    return this.#rows(sql, limit);
  }

  byOrigin(origin: string): HostRow | null {
    return this.#rows(`SELECT ${HOST_COLUMNS} FROM host WHERE origin = ?`, origin)[0] ?? null;
  }

  inFront(front: number, after: string, limit: number): HostRow[] {
    const sql = `SELECT ${HOST_COLUMNS} FROM host
      WHERE work = 1 AND parked_reason = '' AND held_back = 0 AND front = ?
        AND id > coalesce((SELECT id FROM host WHERE origin = ?), 0) ORDER BY id LIMIT ?`;
    return this.#rows(sql, front, after, limit);
  }

  parked(after: number, until: number, limit: number): HostRow[] {
    const sql = `SELECT ${HOST_COLUMNS} FROM host
      WHERE parked_reason <> '' AND work = 1 AND next_fetch_at > ? AND next_fetch_at <= ?
      ORDER BY next_fetch_at LIMIT ?`;
    return this.#rows(sql, after, until, limit);
  }

  nextParkedUntil(after: number): number | null {
    const sql = `SELECT next_fetch_at AS value FROM host
      WHERE parked_reason <> '' AND work = 1 AND next_fetch_at > ? ORDER BY next_fetch_at LIMIT 1`;
    return (this.#statements(sql).get(after)?.value as number | undefined) ?? null;
  }

  /** The number of the URL that was discovered last. URLs are numbered in the order of discovery. */
  get lastFound(): number {
    return this.#found;
  }

  drained(origin: string): void {
    this.#drained.add(origin);
  }

  counts(): CrawlCounts {
    const [ready, done] = [this.#tally('ready'), this.#tally('done')];
    const [refused, failed] = [this.#tally('refused'), this.#tally('failed')];
    // Hosts are never deleted, so the highest id is the number of hosts.
    const hosts = this.#number('SELECT coalesce(max(id), 0) AS value FROM host');
    const parked = this.#number(`SELECT count(*) AS value FROM host WHERE parked_reason <> ''`);
    return { hosts, parked, ready, done, refused, failed };
  }

  pause(origin: string, nextFetchAt: number): void {
    this.#statements('UPDATE host SET next_fetch_at = ? WHERE origin = ?').run(
      Math.round(nextFetchAt),
      origin,
    );
  }

  unparkFailed(code: HostFailure['code']): void {
    this.#statements(
      `UPDATE host SET parked_reason = '', next_fetch_at = 0, failures = 0
        WHERE parked_reason <> '' AND parked_reason ->> '$.failure.code' = ?`,
    ).run(code);
  }

  /** Makes parked hosts available at once, except hosts that wait for a long delay between requests. */
  endParking(origins: readonly string[]): void {
    const unpark = this.#statements(
      `UPDATE host SET parked_reason = '', wait_reason = '', failures = 0, next_fetch_at = 0
       WHERE origin = ? AND parked_reason <> '' AND parked_reason NOT LIKE '{"code":"long-delay"%'`,
    );
    for (const origin of origins) unpark.run(origin);
  }

  /** Shifts the times of the next requests and of the expiry of robots.txt, for all hosts. */
  moveTimes(byMs: number): void {
    this.#statements(
      `UPDATE host SET next_fetch_at = max(0, next_fetch_at + ?), robots_expires_at = robots_expires_at + ?`,
    ).run(byMs, byMs);
  }

  /** Writes the rows of hosts. Must run within a transaction, before `discover`. */
  write(hosts: CrawlBatch['hosts']): void {
    const update =
      this.#statements(`UPDATE host SET next_fetch_at = ?, delay_ms = ?, failures = ?, parked_reason = ?,
      address = ?, fetched = ?, useful = ?, wait_reason = ? WHERE origin = ?`);
    for (const host of hosts) {
      const row = storedHost(host);
      const { origin, nextFetchAt, delayMs, failures, parkedReason, address, fetched, useful } = row;
      const values = [nextFetchAt, delayMs, failures, parkedReason, address, fetched, useful, row.waitReason];
      update.run(...values, origin);
      if (!host.robots || !this.#stored.has(host.robots)) this.#writeRobots(origin, host.robots);
      if (host.icon && !this.#stored.has(host.icon)) this.#writeIcon(origin, host.icon);
    }
    const rest = this.#statements(`UPDATE host SET work = 0 WHERE origin = ? AND icon_wanted = 0
      AND NOT EXISTS (SELECT 1 FROM url WHERE url.host = host.id AND state = 'ready')`);
    for (const origin of this.#drained) rest.run(origin);
    this.#drained = new Set();
  }

  /**
   * Inserts new URLs, and makes known URLs ready that were only imported. Returns both in order of discovery. Must
   * run within a transaction.
   */
  discover(discovered: readonly Discovered[], limits: DiscoveryLimits): Discovered[] {
    if (discovered.length === 0) return [];
    const added: NumberedUrl[] = [];
    const woken: NumberedUrl[] = [];
    for (const [origin, urls] of groupDiscovered(discovered, this.#found)) {
      const inserted = this.#discoverOf(origin, urls, limits);
      added.push(...inserted);
      if (inserted.length < urls.length) woken.push(...this.#wakeImported(urls, inserted));
    }
    this.#found += discovered.length;
    this.#add('found', discovered.length);
    this.#add('ready', added.length);
    return inOrderOfDiscovery([...added, ...woken]);
  }

  #discoverOf(origin: string, urls: readonly NumberedUrl[], limits: DiscoveryLimits): NumberedUrl[] {
    const numbers = this.#hostNumbers(origin) ?? this.#addHost(origin, limits);
    if (!numbers) return [];
    const { id, known, links } = numbers;
    const insert = this.#statements(
      'INSERT OR IGNORE INTO url (fingerprint, url, host, depth, found, verb, relevance) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    const added = firstFound(urls, limits.maxUrlsPerHost - known).filter(
      ({ fingerprint, url, depth, found, verb, relevance = 0 }) =>
        insert.run(fingerprint, url, id, depth, found, encodeVerb(verb), relevance).changes > 0,
    );
    const linking = countLinkingHosts(urls);
    if (added.length + linking > 0) {
      this.#statements(
        'UPDATE host SET known = ?, links = ?, front = ?, work = CASE WHEN ? THEN 1 ELSE work END WHERE id = ?',
      ).run(known + added.length, links + linking, frontOf(links + linking), added.length, id);
    }
    return added;
  }

  /**
   * Makes imported URLs ready. This crawl has never fetched them and they have no revisit time, so nothing else would
   * make them ready.
   */
  #wakeImported(urls: readonly NumberedUrl[], inserted: readonly NumberedUrl[]): NumberedUrl[] {
    const wake =
      this.#statements(`UPDATE url SET state = 'ready', depth = ? WHERE fingerprint = ? AND state = 'done'
      AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.fingerprint = url.fingerprint AND due_at > 0)`);
    const isNew = new Set(inserted);
    return urls.filter((each) => !isNew.has(each) && wake.run(each.depth, each.fingerprint).changes > 0);
  }

  #hostNumbers(origin: string): HostNumbers | null {
    const known = this.#statements('SELECT id, known, links FROM host WHERE origin = ?').get(origin);
    return (known as unknown as HostNumbers | undefined) ?? null;
  }

  /** Inserts a new host; returns null if its domain already has too many held-back hosts. */
  #addHost(origin: string, { hostBudget }: DiscoveryLimits): HostNumbers | null {
    const place = this.#domains.addHost(domainOfOrigin(origin), origin, hostBudget);
    if (!place) return null;
    const { lastInsertRowid } = this.#statements(
      'INSERT INTO host (origin, domain, held_back) VALUES (?, ?, ?)',
    ).run(origin, place.domain, Number(place.isHeldBack));
    return { id: Number(lastInsertRowid), known: 0, links: 0 };
  }

  #writeRobots(origin: string, robots: RobotsRow | null): void {
    this.#statements(
      'UPDATE host SET robots_kind = ?, robots_body = ?, robots_expires_at = ? WHERE origin = ?',
    ).run(robots?.kind ?? null, robots?.body ?? null, robots?.expiresAt ?? null, origin);
    if (robots) this.#stored.add(robots);
  }

  #writeIcon(origin: string, icon: SiteIcon): void {
    const wanted = Number(isIconWanted(icon));
    this.#statements('UPDATE host SET icon = ?, icon_wanted = ?, work = max(work, ?) WHERE origin = ?').run(
      JSON.stringify(icon),
      wanted,
      wanted,
      origin,
    );
    this.#stored.add(icon);
  }

  #rows(sql: string, ...values: (string | number)[]): HostRow[] {
    return this.#statements(sql)
      .all(...values)
      .map((row) => {
        const host = hostOfRow(row);
        if (host.robots) this.#stored.add(host.robots);
        if (host.icon) this.#stored.add(host.icon);
        return host;
      });
  }

  #tally(name: string): number {
    return this.#statements('SELECT value FROM tally WHERE name = ?').get(name)?.value as number;
  }

  #add(name: string, count: number): void {
    this.#statements('UPDATE tally SET value = value + ? WHERE name = ?').run(count, name);
  }

  #number(sql: string): number {
    return this.#statements(sql).get()?.value as number;
  }
}
