/**
 * What the frontier reads and what a commit writes of hosts, so that nothing ever walks over all URLs.
 *
 *   work        1 while the host may have ready URLs, or its icon is wanted; set by whatever makes it so, cleared by `drained`
 *   front       its front queue (front-queues.ts), by how many others link to it
 *   host_front  hosts with work that are not set aside, by front queue and in the order of discovery
 *   host_aside  hosts that are set aside, by the moment at which they are tried again
 *   tally       how many URLs there are in each state, and the number of the last one found
 *
 * The tally and `work` follow changes of a URL's state by trigger: whoever changes one need not know.
 * Discovered URLs are inserted in the order of their keys, a host at a time: neighbours in the B-tree are
 * written once, and the row of a host is read and written once for all of its URLs (docs/decisions/0107).
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { originOf } from '../url/mod.ts';
import type { CrawlBatch, CrawlCounts, Discovered, HostId, HostRow, RobotsRow } from './crawl-state.ts';
import { frontOf } from './front-queues.ts';
import { isWanted, type SiteIcon } from './site-icon.ts';

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

const COLUMNS = `host.id, origin, next_fetch_at AS nextFetchAt, delay_ms AS delayMs, robots_kind AS robotsKind,
  robots_body AS robotsBody, robots_expires_at AS robotsExpiresAt, failures, set_aside AS setAside, address,
  links, fetched, useful, waits_for AS waitsFor, icon`;

/** A URL on its way into the table: `order` sorts as its fingerprint does, near enough, and cheaper. */
interface Numbered extends Discovered {
  found: number;
  order: number;
}

export class SqliteHosts {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** What is on disk as it is here: not written again with every visit to its host. */
  readonly #stored = new WeakSet<RobotsRow | SiteIcon>();
  #drained = new Set<HostId>();
  #found: number;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#found = this.#tally('found');
  }

  withWork(limit: number): HostRow[] {
    const sql = `SELECT ${COLUMNS} FROM host WHERE work = 1
      AND EXISTS (SELECT 1 FROM url WHERE url.host = host.id AND state = 'ready') LIMIT ?`;
    return this.#rows(sql, limit);
  }

  byOrigin(origin: string): HostRow | null {
    return this.#rows(`SELECT ${COLUMNS} FROM host WHERE origin = ?`, origin)[0] ?? null;
  }

  inFront(front: number, after: HostId, limit: number): HostRow[] {
    const sql = `SELECT ${COLUMNS} FROM host
      WHERE work = 1 AND set_aside = '' AND front = ? AND id > ? ORDER BY id LIMIT ?`;
    return this.#rows(sql, front, after, limit);
  }

  setAside(after: number, until: number, limit: number): HostRow[] {
    const sql = `SELECT ${COLUMNS} FROM host
      WHERE set_aside <> '' AND work = 1 AND next_fetch_at > ? AND next_fetch_at <= ?
      ORDER BY next_fetch_at LIMIT ?`;
    return this.#rows(sql, after, until, limit);
  }

  nextSetAsideAt(after: number): number | null {
    const sql = `SELECT next_fetch_at AS value FROM host
      WHERE set_aside <> '' AND work = 1 AND next_fetch_at > ? ORDER BY next_fetch_at LIMIT 1`;
    return (this.#run(sql).get(after)?.value as number | undefined) ?? null;
  }

  drained(host: HostId): void {
    this.#drained.add(host);
  }

  counts(): CrawlCounts {
    const [ready, done] = [this.#tally('ready'), this.#tally('done')];
    const [refused, failed] = [this.#tally('refused'), this.#tally('failed')];
    // No host is ever deleted, so the last number is the count.
    const hosts = this.#number('SELECT coalesce(max(id), 0) AS value FROM host');
    const setAside = this.#number(`SELECT count(*) AS value FROM host WHERE set_aside <> ''`);
    return { hosts, setAside, ready, done, refused, failed };
  }

  /** Within a transaction, before `discover`. */
  write(hosts: CrawlBatch['hosts']): void {
    const update = this.#run(`UPDATE host SET next_fetch_at = ?, delay_ms = ?, failures = ?, set_aside = ?,
      address = ?, fetched = ?, useful = ?, waits_for = ? WHERE origin = ?`);
    for (const host of hosts) {
      const { origin, failures, setAside, address, fetched, useful } = host;
      const [nextFetchAt, delayMs] = [Math.round(host.nextFetchAt), Math.round(host.delayMs)];
      const { waitsFor = '' } = host;
      update.run(nextFetchAt, delayMs, failures, setAside, address, fetched, useful, waitsFor, origin);
      if (!host.robots || !this.#stored.has(host.robots)) this.#writeRobots(origin, host.robots);
      if (host.icon && !this.#stored.has(host.icon)) this.#writeIcon(origin, host.icon);
    }
    const rest = this.#run(`UPDATE host SET work = 0 WHERE id = ? AND icon_wanted = 0
      AND NOT EXISTS (SELECT 1 FROM url WHERE url.host = host.id AND state = 'ready')`);
    for (const host of this.#drained) rest.run(host);
    this.#drained = new Set();
  }

  /**
   * Within a transaction: inserts what is new, wakes what was only imported so far, and returns both in the order of
   * discovery.
   */
  discover(discovered: readonly Discovered[], maxUrlsPerHost: number): Discovered[] {
    if (discovered.length === 0) return [];
    const sorted: Numbered[] = discovered.map((each) => ({
      ...each,
      found: ++this.#found,
      order: Number(each.fingerprint),
    }));
    sorted.sort((a, b) => a.order - b.order);
    const added: Numbered[] = [];
    const woken: Numbered[] = [];
    for (const [origin, urls] of Map.groupBy(sorted, ({ url }) => originOf(url))) {
      const inserted = this.#discoverOf(origin, urls, maxUrlsPerHost);
      added.push(...inserted);
      if (inserted.length < urls.length) woken.push(...this.#wakeImported(urls, inserted));
    }
    this.#add('found', discovered.length);
    this.#add('ready', added.length);
    return [...added, ...woken].sort((a, b) => a.found - b.found).map(plain);
  }

  #discoverOf(origin: string, urls: readonly Numbered[], maxUrlsPerHost: number): Numbered[] {
    const { id, known, links } = this.#hostNumbers(origin);
    const insert = this.#run(
      'INSERT OR IGNORE INTO url (fingerprint, url, host, depth, found) VALUES (?, ?, ?, ?, ?)',
    );
    const added = firstFound(urls, maxUrlsPerHost - known).filter(
      ({ fingerprint, url, depth, found }) => insert.run(fingerprint, url, id, depth, found).changes > 0,
    );
    const linking = new Set(urls.flatMap(({ from }) => from ?? [])).size;
    if (added.length + linking > 0) {
      this.#run(
        'UPDATE host SET known = ?, links = ?, front = ?, work = CASE WHEN ? THEN 1 ELSE work END WHERE id = ?',
      ).run(known + added.length, links + linking, frontOf(links + linking), added.length, id);
    }
    return added;
  }

  /** Nobody here has asked for them, and nothing would: what was fetched is due some day. */
  #wakeImported(urls: readonly Numbered[], inserted: readonly Numbered[]): Numbered[] {
    const wake = this.#run(`UPDATE url SET state = 'ready', depth = ? WHERE fingerprint = ? AND state = 'done'
      AND NOT EXISTS (SELECT 1 FROM capture WHERE capture.fingerprint = url.fingerprint AND due_at > 0)`);
    const isNew = new Set(inserted);
    return urls.filter((each) => !isNew.has(each) && wake.run(each.depth, each.fingerprint).changes > 0);
  }

  #hostNumbers(origin: string): { id: HostId; known: number; links: number } {
    const known = this.#run('SELECT id, known, links FROM host WHERE origin = ?').get(origin);
    if (known) return known as { id: HostId; known: number; links: number };
    const { lastInsertRowid } = this.#run('INSERT INTO host (origin) VALUES (?)').run(origin);
    return { id: Number(lastInsertRowid), known: 0, links: 0 };
  }

  #writeRobots(origin: string, robots: RobotsRow | null): void {
    this.#run('UPDATE host SET robots_kind = ?, robots_body = ?, robots_expires_at = ? WHERE origin = ?').run(
      robots?.kind ?? null,
      robots?.body ?? null,
      robots?.expiresAt ?? null,
      origin,
    );
    if (robots) this.#stored.add(robots);
  }

  #writeIcon(origin: string, icon: SiteIcon): void {
    const wanted = Number(isWanted(icon));
    this.#run('UPDATE host SET icon = ?, icon_wanted = ?, work = max(work, ?) WHERE origin = ?').run(
      JSON.stringify(icon),
      wanted,
      wanted,
      origin,
    );
    this.#stored.add(icon);
  }

  #rows(sql: string, ...values: (string | number)[]): HostRow[] {
    return this.#run(sql)
      .all(...values)
      .map((row) => {
        const host = toHost(row);
        if (host.robots) this.#stored.add(host.robots);
        if (host.icon) this.#stored.add(host.icon);
        return host;
      });
  }

  #tally(name: string): number {
    return this.#run('SELECT value FROM tally WHERE name = ?').get(name)?.value as number;
  }

  #add(name: string, count: number): void {
    this.#run('UPDATE tally SET value = value + ? WHERE name = ?').run(count, name);
  }

  #number(sql: string): number {
    return this.#run(sql).get()?.value as number;
  }

  #run(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function firstFound(urls: readonly Numbered[], count: number): readonly Numbered[] {
  if (urls.length <= count) return urls;
  return urls.toSorted((a, b) => a.found - b.found).slice(0, Math.max(0, count));
}

function plain({ found: _found, order: _order, ...discovered }: Numbered): Discovered {
  return discovered;
}

function toHost(row: Record<string, unknown>): HostRow {
  const { robotsKind, robotsBody, robotsExpiresAt, icon, ...host } = row;
  const robots =
    robotsKind === null
      ? null
      : ({ kind: robotsKind, body: robotsBody, expiresAt: robotsExpiresAt } as RobotsRow);
  return { ...host, robots, ...(icon !== '' && { icon: JSON.parse(icon as string) as SiteIcon }) } as HostRow;
}
