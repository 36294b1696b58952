/**
 * The crawl's memory in one SQLite file, `crawl.db`, which any SQLite tool can look into.
 *
 * A URL's key is its fingerprint, whose first bits are the host's: pages of a host are neighbours in
 * the B-tree, and the key is also the seen set. Only ready URLs are in the index that the frontier
 * reads, so it stays as small as the work that is left. `sqlite-hosts.ts` has what concerns hosts and counts.
 *
 * `host_note`, `verdict`, `sketch` and `claim` hold what was found out about hosts and pages: `findings.ts` says what,
 * `sqlite-findings.ts` has the tables.
 */
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Directory, GyreError, messageOf, UsageError } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import type {
  CommitMarks,
  CommitReport,
  ContentOwner,
  CrawlBatch,
  CrawlCounts,
  CrawlState,
  HostId,
  HostRow,
  LastCapture,
  Problem,
  ReadyUrl,
  Woken,
} from './crawl-state.ts';
import { SqliteFindings } from './sqlite-findings.ts';
import { SqliteHosts } from './sqlite-hosts.ts';
import { SCHEMA_VERSION, schemaVersion, upgradeSchema } from './sqlite-schema.ts';

const FILE = 'crawl.db';

/** The pages of the B-trees that a commit dirties fit into the cache, so that each is written once. */
const CACHE_KIB = 64 * 1024;
/** A page that several commits change is copied from the log to its place once for all of them. */
const CHECKPOINT_PAGES = 8192;

const CAPTURE_COLUMNS = `said, etag, last_modified AS lastModified, robots_tag AS robotsTag, digest,
  payload_digest AS payloadDigest, archived_at AS archivedAt, is_document AS isDocument, sketch,
  gone_count AS goneCount, interval_ms AS intervalMs, due_at AS dueAt`;

/**
 * Opens the crawl's memory; with `readOnly` a running crawl may be looked at from another process. A
 * database of an older format is brought up to date first, also for one who only looks.
 */
export function openCrawlState(directory: Directory, options: { readOnly?: boolean } = {}): CrawlState {
  const file = join(directory.path, FILE);
  const open = (readOnly: boolean) => new DatabaseSync(file, { readOnly, timeout: 5000 });
  try {
    if (!options.readOnly) return new SqliteState(open(false), file);
    const database = open(true);
    if (schemaVersion(database) >= SCHEMA_VERSION) return new SqliteState(database, file);
    database.close();
    openCrawlState(directory).close();
    return new SqliteState(open(true), file);
  } catch (cause) {
    if (cause instanceof GyreError) throw cause;
    throw new UsageError('crawl-state', `cannot open ${file}: ${messageOf(cause)}`, { cause });
  }
}

export function hasCrawlState(directory: Directory): boolean {
  return directory.has(FILE);
}

class SqliteState implements CrawlState {
  readonly findings: SqliteFindings;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #hosts: SqliteHosts;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    upgradeSchema(database, file);
    this.findings = new SqliteFindings(database);
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#hosts = new SqliteHosts(database);
  }

  async hostsWithWork(limit = Number.MAX_SAFE_INTEGER): Promise<HostRow[]> {
    return this.#hosts.withWork(limit);
  }

  async host(origin: string): Promise<HostRow | null> {
    return this.#hosts.byOrigin(origin);
  }

  iconOf(origin: string): string | null {
    return this.#hosts.byOrigin(origin)?.icon?.found || null;
  }

  async frontHosts(front: number, after: HostId, limit: number): Promise<HostRow[]> {
    return this.#hosts.inFront(front, after, limit);
  }

  async setAsideHosts(after: number, until: number, limit: number): Promise<HostRow[]> {
    return this.#hosts.setAside(after, until, limit);
  }

  async nextSetAsideAt(after: number): Promise<number | null> {
    return this.#hosts.nextSetAsideAt(after);
  }

  drained(host: HostId): void {
    this.#hosts.drained(host);
  }

  async readyUrls(host: HostId, limit: number): Promise<ReadyUrl[]> {
    const sql = `SELECT url, depth, attempts FROM url WHERE host = ? AND state = 'ready' ORDER BY depth, found LIMIT ?`;
    const rows = this.#run(sql).all(host, limit) as unknown as Omit<ReadyUrl, 'fingerprint'>[];
    return rows.map((row) => ({ ...row, fingerprint: fingerprint(row.url) }));
  }

  urlOf(fingerprint: bigint): CanonicalUrl | null {
    const row = this.#run('SELECT url FROM url WHERE fingerprint = ?').get(fingerprint);
    return (row?.url as CanonicalUrl | undefined) ?? null;
  }

  async contentOwner(digest: string): Promise<ContentOwner | null> {
    const sql =
      'SELECT url, fetched_at AS fetchedAt, payload_digest AS payloadDigest FROM content WHERE digest = ?';
    return (this.#run(sql).get(digest) as unknown as ContentOwner | undefined) ?? null;
  }

  async commit(batch: CrawlBatch): Promise<CommitReport> {
    return this.#inTransaction(() => {
      this.#writeResults(batch);
      this.#writeCaptures(batch);
      this.#hosts.write(batch.hosts);
      this.#writeContents(batch);
      const added = this.#hosts.discover(batch.discovered, batch.maxUrlsPerHost);
      if (batch.findings) added.push(...this.findings.write(batch.findings));
      const { warc, journal, seenBytes, sketches } = batch;
      const marks: CommitMarks = { warc, journal, seenBytes, sketches };
      this.#run(`INSERT OR REPLACE INTO mark VALUES ('commit', ?)`).run(JSON.stringify(marks));
      return { added };
    });
  }

  lastCapture(fingerprint: bigint): LastCapture | null {
    const row = this.#run(`SELECT ${CAPTURE_COLUMNS} FROM capture WHERE fingerprint = ?`).get(fingerprint);
    return row ? ({ ...row, isDocument: row.isDocument === 1 } as unknown as LastCapture) : null;
  }

  async wakeDue(now: number, limit: number): Promise<Woken> {
    const due = this.#run(
      'SELECT fingerprint FROM capture WHERE due_at > 0 AND due_at <= ? ORDER BY due_at LIMIT ?',
    );
    due.setReadBigInts(true);
    const wake = this.#run(
      `UPDATE url SET state = 'ready', attempts = 0 WHERE fingerprint = ? RETURNING host`,
    );
    const rest = this.#run('UPDATE capture SET due_at = 0 WHERE fingerprint = ?');
    const originOfHost = this.#run('SELECT origin FROM host WHERE id = ?');
    return this.#inTransaction(() => {
      const rows = due.all(now, limit);
      const origins = new Set<string>();
      for (const { fingerprint } of rows) {
        const woken = wake.get(fingerprint!);
        rest.run(fingerprint!);
        if (woken) origins.add(originOfHost.get(woken.host!)!.origin as string);
      }
      return { origins: [...origins], count: rows.length };
    });
  }

  pause(origin: string, nextFetchAt: number): void {
    this.#run('UPDATE host SET next_fetch_at = ? WHERE origin = ?').run(Math.round(nextFetchAt), origin);
  }

  async marks(): Promise<CommitMarks | null> {
    const row = this.#run(`SELECT value FROM mark WHERE name = 'commit'`).get();
    return row ? (JSON.parse(row.value as string) as CommitMarks) : null;
  }

  *fingerprints(): Generator<bigint> {
    const statement = this.#database.prepare('SELECT fingerprint FROM url');
    statement.setReadBigInts(true);
    for (const row of statement.iterate()) yield row.fingerprint as bigint;
  }

  async counts(): Promise<CrawlCounts> {
    return this.#hosts.counts();
  }

  async answers(): Promise<Problem[]> {
    const sql = `SELECT iif(reason = 'page', coalesce(kind, 'page'), reason) AS reason, count(*) AS count
      FROM url LEFT JOIN verdict ON verdict.fingerprint = url.fingerprint
      WHERE state = 'done' GROUP BY 1 ORDER BY count DESC, 1`;
    return this.#run(sql).all() as unknown as Problem[];
  }

  async problems(limit: number): Promise<Problem[]> {
    const sql = `SELECT reason, count(*) AS count FROM (
        SELECT reason FROM url WHERE state IN ('refused', 'failed')
        UNION ALL SELECT 'host set aside: ' || set_aside FROM host WHERE set_aside <> '')
      GROUP BY reason ORDER BY count DESC, reason LIMIT ?`;
    return this.#run(sql).all(limit) as unknown as Problem[];
  }

  close(): void {
    this.#database.close();
  }

  #writeResults(batch: CrawlBatch): void {
    const update = this.#run(
      'UPDATE url SET state = ?, attempts = ?, status = ?, reason = ?, fetched_at = ? WHERE fingerprint = ?',
    );
    for (const result of batch.results) {
      const { state, attempts, status, reason, fetchedAt } = result;
      update.run(state, attempts, status, reason, fetchedAt, result.fingerprint);
    }
  }

  #writeCaptures(batch: CrawlBatch): void {
    const write = this.#run('INSERT OR REPLACE INTO capture VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    for (const { fingerprint, last } of batch.results) {
      if (!last) continue;
      write.run(
        fingerprint,
        last.said,
        last.etag,
        last.lastModified,
        last.robotsTag,
        last.digest,
        last.payloadDigest,
        last.archivedAt,
        Number(last.isDocument),
        last.sketch,
        last.goneCount,
        Math.round(last.intervalMs),
        Math.round(last.dueAt),
      );
    }
  }

  #writeContents(batch: CrawlBatch): void {
    const release = this.#run('DELETE FROM content WHERE digest = ? AND url = ?');
    for (const [digest, url] of batch.released ?? []) release.run(digest, url);
    const insert = this.#run('INSERT OR IGNORE INTO content VALUES (?, ?, ?, ?)');
    for (const [digest, owner] of batch.contents) {
      insert.run(digest, owner.url, owner.fetchedAt, owner.payloadDigest);
    }
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #run(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
