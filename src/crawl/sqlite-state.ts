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
  Problem,
  ReadyUrl,
} from './crawl-state.ts';
import { FINDINGS_SCHEMA, SqliteFindings } from './sqlite-findings.ts';
import { FRONTIER_SCHEMA, SqliteHosts } from './sqlite-hosts.ts';

const FILE = 'crawl.db';
const SCHEMA = `
  CREATE TABLE host (
    id INTEGER PRIMARY KEY,
    origin TEXT NOT NULL UNIQUE,
    next_fetch_at INTEGER NOT NULL DEFAULT 0,
    delay_ms INTEGER NOT NULL DEFAULT 0,
    known INTEGER NOT NULL DEFAULT 0,
    robots_kind TEXT,
    robots_body BLOB,
    robots_expires_at INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    set_aside TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE TABLE url (
    fingerprint INTEGER PRIMARY KEY,
    url TEXT NOT NULL,
    host INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    found INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'ready',
    attempts INTEGER NOT NULL DEFAULT 0,
    status INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '',
    fetched_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX url_ready ON url (host, depth, found) WHERE state = 'ready';
  CREATE TABLE content (
    digest TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    payload_digest TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE mark (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

/** Each step leads from one version of the file to the next. */
const UPGRADES: readonly string[] = [SCHEMA, FINDINGS_SCHEMA, FRONTIER_SCHEMA];
const SCHEMA_VERSION = UPGRADES.length;

/** The pages of the B-trees that a commit dirties fit into the cache, so that each is written once. */
const CACHE_KIB = 64 * 1024;
/** A page that several commits change is copied from the log to its place once for all of them. */
const CHECKPOINT_PAGES = 8192;

/** Opens the crawl's memory; with `readOnly` a running crawl may be looked at from another process. */
export function openCrawlState(directory: Directory, options: { readOnly?: boolean } = {}): CrawlState {
  const file = join(directory.path, FILE);
  const { readOnly = false } = options;
  try {
    // An onlooker cannot bring an older file up to date, so that is done for it first.
    if (readOnly) new SqliteState(new DatabaseSync(file, { timeout: 5000 }), file).close();
    return new SqliteState(new DatabaseSync(file, { readOnly, timeout: 5000 }), file);
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
    this.#prepareSchema(file);
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
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#writeResults(batch);
      this.#hosts.write(batch.hosts);
      this.#writeContents(batch);
      const added = this.#hosts.discover(batch.discovered, batch.maxUrlsPerHost);
      if (batch.findings) added.push(...this.findings.write(batch.findings));
      const { warc, journal, seenBytes, sketches } = batch;
      const marks: CommitMarks = { warc, journal, seenBytes, sketches };
      this.#run(`INSERT OR REPLACE INTO mark VALUES ('commit', ?)`).run(JSON.stringify(marks));
      this.#database.exec('COMMIT');
      return { added };
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
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

  #prepareSchema(file: string): void {
    const version = this.#number('PRAGMA user_version', 'user_version');
    if (version > SCHEMA_VERSION) {
      throw new UsageError(
        'newer-format',
        `${file} was written by a newer Gyre (format ${version}, this one reads ${SCHEMA_VERSION}): upgrade Gyre or name another directory with --data`,
      );
    }
    if (version === SCHEMA_VERSION) return;
    this.#database.exec('PRAGMA journal_mode = WAL');
    const steps = UPGRADES.slice(version).join('');
    this.#database.exec(`BEGIN; ${steps} PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
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

  #writeContents(batch: CrawlBatch): void {
    const insert = this.#run('INSERT OR IGNORE INTO content VALUES (?, ?, ?, ?)');
    for (const [digest, owner] of batch.contents) {
      insert.run(digest, owner.url, owner.fetchedAt, owner.payloadDigest);
    }
  }

  #number(sql: string, column: string): number {
    return this.#run(sql).get()?.[column] as number;
  }

  #run(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
