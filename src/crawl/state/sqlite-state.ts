/**
 * The crawl state in one SQLite file, `crawl.db`, which any SQLite tool can read.
 *
 * The key of a URL is its fingerprint, whose first bits are the host's: pages of a host are neighbours in the
 * B-tree, and the key is also the seen set. The index that the frontier reads contains only ready URLs, so it
 * stays as small as the remaining work. `sqlite-hosts.ts` has hosts and counts, `sqlite-domains.ts` has
 * registrable domains.
 *
 * `host_note`, `verdict`, `sketch` and `claim` hold what the crawl has learned about hosts and pages:
 * `crawl-knowledge.ts` describes it, `sqlite-findings.ts` has the tables.
 */
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import {
  type Directory,
  GyreError,
  messageOf,
  parseSealedJson,
  sealJson,
  UsageError,
} from '../../base/mod.ts';
import { type CanonicalUrl, fingerprint, originOf } from '../../url/mod.ts';
import type {
  CanonicalClaim,
  HostNote,
  IdentityVerdict,
  NoteKind,
  Outcome,
  VerdictKind,
} from './crawl-knowledge.ts';
import {
  type CommitMarks,
  type CommitReport,
  type ContentOwner,
  type CrawlBatch,
  type CrawlCounts,
  type CrawlState,
  type DomainRow,
  type HostBudget,
  type HostRow,
  type LastCapture,
  type Owner,
  type Problem,
  type ReadyUrl,
  type ReasonCount,
  type SketchEntry,
  SOLE_OWNER,
  type Woken,
} from './crawl-state.ts';
import {
  checkDatabaseSeal,
  DOCTOR_ADVICE,
  MAX_SEALED_BYTES,
  markDatabaseOpen,
  sealDatabase,
} from './database-seal.ts';
import { decodeReason, type HostFailure, type ParkedReason } from './host-reasons.ts';
import { SqliteDomains } from './sqlite-domains.ts';
import { SqliteFindings } from './sqlite-findings.ts';
import { SqliteHosts } from './sqlite-hosts.ts';
import { SCHEMA_VERSION, schemaVersion, upgradeSchema } from './sqlite-schema.ts';

const FILE = 'crawl.db';

/** Large enough for the B-tree pages that a commit changes, so that each page is written once. */
const CACHE_KIB = 64 * 1024;
/**
 * With a high limit, a page changed by several commits is copied from the write-ahead log to the database
 * only once.
 */
const CHECKPOINT_PAGES = 8192;

const CAPTURE_COLUMNS = `said, etag, last_modified AS lastModified, robots_tag AS robotsTag, digest,
  payload_digest AS payloadDigest, archived_at AS archivedAt, is_document AS isDocument, sketch,
  gone_count AS goneCount, interval_ms AS intervalMs, due_at AS dueAt`;

/**
 * Opens the crawl state. With `readOnly`, another process can read the state of a running crawl. A database
 * of an older format is upgraded first, also with `readOnly`.
 */
interface CrawlStateOptions {
  readOnly?: boolean;
  owner?: Owner;
}

export function openCrawlState(directory: Directory, options: CrawlStateOptions = {}): CrawlState {
  const { owner = SOLE_OWNER } = options;
  const file = join(directory.path, FILE);
  const open = (readOnly: boolean) => new DatabaseSync(file, { readOnly, timeout: 5000 });
  try {
    if (!options.readOnly) return openForWriting(directory, file, owner);
    const database = open(true);
    if (schemaVersion(database) >= SCHEMA_VERSION) return new SqliteState(database, file, owner);
    database.close();
    openCrawlState(directory, { owner }).close();
    return new SqliteState(open(true), file, owner);
  } catch (cause) {
    if (cause instanceof GyreError) throw cause;
    const advice = 'gyre doctor says what can be done';
    throw new UsageError('crawl-state', `cannot open ${file}: ${messageOf(cause)}; ${advice}`, { cause });
  }
}

/** Checks the database against its seal or, after a crash, with SQLite's quick check. */
function openForWriting(directory: Directory, file: string, owner: Owner): CrawlState {
  const isSmall = !directory.has(FILE) || directory.sizeOf(FILE) <= MAX_SEALED_BYTES;
  const seal = checkDatabaseSeal(directory, FILE);
  const database = new DatabaseSync(file, { timeout: 5000 });
  if (seal === 'open' && isSmall) quickCheck(database, file);
  markDatabaseOpen(directory);
  return new SqliteState(database, file, owner, () => sealDatabase(directory, FILE));
}

function quickCheck(database: DatabaseSync, file: string): void {
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get()!;
  if (found === 'ok') return;
  database.close();
  throw damagedRow(file, 'a sound database', String(found).replaceAll('\n', ' '));
}

/** Returns an error like a `CorruptError` for a location that is not a byte offset. */
function damagedRow(place: string, expected: string, got: string): GyreError {
  return new GyreError('corrupt-file', `${place}: expected ${expected}, got ${got}; ${DOCTOR_ADVICE}`);
}

export function hasCrawlState(directory: Directory): boolean {
  return directory.has(FILE);
}

class SqliteState implements CrawlState {
  readonly #findings: SqliteFindings;
  readonly #owner: Owner;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #domains: SqliteDomains;
  readonly #hosts: SqliteHosts;
  readonly #file: string;
  readonly #seal: (() => void) | null;

  /** `seal` is called after a close that has moved everything into the one file; readers pass null. */
  constructor(database: DatabaseSync, file: string, owner: Owner, seal: (() => void) | null = null) {
    this.#database = database;
    this.#file = file;
    this.#owner = owner;
    this.#seal = seal;
    upgradeSchema(database, file);
    this.#findings = new SqliteFindings(database);
    database.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    this.#domains = new SqliteDomains(database);
    this.#hosts = new SqliteHosts(database, this.#domains);
  }

  async hostsWithWork(limit = Number.MAX_SAFE_INTEGER): Promise<HostRow[]> {
    return this.#hosts.withWork(limit);
  }

  async host(origin: string): Promise<HostRow | null> {
    return this.#hosts.byOrigin(origin);
  }

  async domain(name: string): Promise<DomainRow | null> {
    return this.#domains.byName(name);
  }

  async domainsHeldBack(limit: number): Promise<{ domain: DomainRow; example: string }[]> {
    const domains = this.#domains.heldBack(limit);
    return domains.map((domain) => ({ domain, example: this.#domains.exampleOf(domain) }));
  }

  async admitHosts(hostBudget: HostBudget): Promise<number> {
    return this.#domains.isHoldingBack ? this.#inTransaction(() => this.#domains.admit(hostBudget)) : 0;
  }

  async frontHosts(front: number, after: string, limit: number): Promise<HostRow[]> {
    return this.#hosts.inFront(front, after, limit);
  }

  async parkedHosts(after: number, until: number, limit: number): Promise<HostRow[]> {
    return this.#hosts.parked(after, until, limit);
  }

  async nextParkedUntil(after: number): Promise<number | null> {
    return this.#hosts.nextParkedUntil(after);
  }

  drained(origin: string): void {
    this.#hosts.drained(origin);
  }

  async readyUrls(origin: string, limit: number): Promise<ReadyUrl[]> {
    const sql = `SELECT url, depth, attempts, fingerprint >> 32 AS high, fingerprint & 0xffffffff AS low FROM url
      WHERE host = (SELECT id FROM host WHERE origin = ?) AND state = 'ready' ORDER BY depth, found LIMIT ?`;
    const rows = this.#run(sql).all(origin, limit) as unknown as (Omit<ReadyUrl, 'fingerprint'> & Halves)[];
    return rows.map(({ url, depth, attempts, high, low }) => {
      const key = this.#checked(url, (BigInt(high) << 32n) | BigInt(low));
      if (originOf(url) !== origin) throw this.#damaged('host', `the origin of ${url}`, origin);
      return { url, fingerprint: key, depth, attempts };
    });
  }

  async urlOf(fingerprint: bigint): Promise<CanonicalUrl | null> {
    const url = this.#run('SELECT url FROM url WHERE fingerprint = ?').get(fingerprint)?.url;
    if (url === undefined) return null;
    this.#checked(url as CanonicalUrl, fingerprint);
    return url as CanonicalUrl;
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
      const added = this.#hosts.discover(batch.discovered, batch);
      for (const [name, linking] of batch.domainLinks ?? []) this.#domains.link(name, linking);
      if (batch.findings) added.push(...this.#findings.write(batch.findings));
      const { warc, journal, seenBytes, seenCheck, sketches } = batch;
      this.#writeMarks({ warc, journal, seenBytes, seenCheck, sketches });
      if (batch.committedAt !== undefined) this.#writeClock(batch.committedAt);
      return { added };
    });
  }

  async lastCapture(fingerprint: bigint): Promise<LastCapture | null> {
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

  async pause(origin: string, nextFetchAt: number): Promise<void> {
    const update = this.#run('UPDATE host SET next_fetch_at = ? WHERE origin = ?');
    this.#inTransaction(() => update.run(Math.round(nextFetchAt), origin));
  }

  async unparkFailed(code: HostFailure['code']): Promise<void> {
    this.#run(
      `UPDATE host SET parked_reason = '', next_fetch_at = 0, failures = 0
        WHERE parked_reason <> '' AND parked_reason ->> '$.failure.code' = ?`,
    ).run(code);
  }

  async committedAt(): Promise<number | null> {
    const row = this.#run(`SELECT value FROM mark WHERE name = 'clock'`).get();
    return row ? Number(row.value) : null;
  }

  async moveTimes(byMs: number, now: number): Promise<void> {
    this.#inTransaction(() => {
      this.#run(
        `UPDATE host SET next_fetch_at = max(0, next_fetch_at + ?), robots_expires_at = robots_expires_at + ?`,
      ).run(byMs, byMs);
      this.#run('UPDATE capture SET due_at = max(1, due_at + ?) WHERE due_at > 0').run(byMs);
      this.#writeClock(now);
    });
  }

  #writeClock(now: number): void {
    this.#run(`INSERT OR REPLACE INTO mark VALUES ('clock', ?)`).run(String(now));
  }

  async marks(): Promise<CommitMarks | null> {
    return this.#marks();
  }

  async replaceSketches(entries: ReadonlyMap<bigint, SketchEntry>, count: number): Promise<void> {
    const keep = this.#run('INSERT INTO sketch VALUES (?, ?)');
    const own = this.#run('UPDATE capture SET sketch = ? WHERE fingerprint = ?');
    this.#inTransaction(() => {
      this.#database.exec('DELETE FROM sketch; UPDATE capture SET sketch = NULL WHERE sketch IS NOT NULL');
      for (const [fingerprint, { entry, isOwn }] of entries) {
        keep.run(fingerprint, entry);
        if (isOwn) own.run(entry, fingerprint);
      }
      const marks = this.#marks();
      if (marks) this.#writeMarks({ ...marks, sketches: count });
    });
  }

  async fingerprints(after: bigint | null, limit: number): Promise<bigint[]> {
    const where = after === null ? '' : 'WHERE fingerprint > ?';
    const statement = this.#run(`SELECT fingerprint FROM url ${where} ORDER BY fingerprint LIMIT ?`);
    statement.setReadBigInts(true);
    const rows = after === null ? statement.all(limit) : statement.all(after, limit);
    return rows.map(({ fingerprint }) => fingerprint as bigint);
  }

  async notesOf(origins: Iterable<string>, kind: NoteKind): Promise<HostNote[]> {
    return this.#findings.notesOf(origins, kind);
  }

  async notes(kind: NoteKind): Promise<HostNote[]> {
    return this.#findings.notes(kind);
  }

  async sketchesOf(fingerprints: Iterable<bigint>): Promise<Map<bigint, number>> {
    return this.#findings.sketchesOf(fingerprints);
  }

  async claims(after: bigint | null, limit: number): Promise<CanonicalClaim[]> {
    return this.#findings.claims(after, limit);
  }

  async outcomesOf(fingerprints: Iterable<bigint>): Promise<Map<bigint, Outcome>> {
    return this.#findings.outcomesOf(fingerprints);
  }

  async namesOf(url: CanonicalUrl): Promise<IdentityVerdict[]> {
    return this.#findings.namesOf(url);
  }

  async verdictOf(url: CanonicalUrl): Promise<IdentityVerdict | null> {
    return this.#findings.verdictOf(url);
  }

  async verdictCounts(): Promise<{ kind: VerdictKind; count: number }[]> {
    return this.#findings.verdictCounts();
  }

  async counts(): Promise<CrawlCounts> {
    return this.#hosts.counts();
  }

  async answers(): Promise<ReasonCount[]> {
    const sql = `SELECT iif(reason = 'page', coalesce(kind, 'page'), reason) AS reason, count(*) AS count
      FROM url LEFT JOIN verdict ON verdict.fingerprint = url.fingerprint
      WHERE state = 'done' GROUP BY 1 ORDER BY count DESC, 1`;
    return this.#run(sql).all() as unknown as ReasonCount[];
  }

  async problems(limit: number): Promise<Problem[]> {
    const sql = `SELECT reason, parked, count(*) AS count FROM (
        SELECT reason, '' AS parked FROM url WHERE state IN ('refused', 'failed')
        UNION ALL SELECT '', parked_reason FROM host WHERE parked_reason <> '')
      GROUP BY reason, parked ORDER BY count DESC, reason, parked LIMIT ?`;
    const rows = this.#run(sql).all(limit) as unknown as { reason: string; parked: string; count: number }[];
    return rows.map(({ reason, parked, count }) => {
      const parkedReason = decodeReason<ParkedReason>(parked);
      return parkedReason ? { parked: parkedReason, count } : { reason, count };
    });
  }

  close(): void {
    const isComplete = this.#seal !== null && this.#checkpoint();
    this.#database.close();
    if (!isComplete) return;
    try {
      this.#seal?.();
    } catch {
      // For example, the disk is full. The database stays marked as open, and SQLite checks it at the next
      // open.
    }
  }

  /** Moves the whole write-ahead log into the database; returns false if a reader blocks it or it fails. */
  #checkpoint(): boolean {
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } catch {
      return false;
    }
  }

  /** Rejects a URL whose fingerprint differs from the one under which it is stored. */
  #checked(url: CanonicalUrl, stored: bigint): bigint {
    const actual = fingerprint(url);
    if (actual === stored) return actual;
    throw this.#damaged('url', `a URL with the fingerprint ${hex(stored)}`, `${url} with ${hex(actual)}`);
  }

  #damaged(table: string, expected: string, got: string): GyreError {
    return damagedRow(`${this.#file}, table ${table}`, expected, got);
  }

  #marks(): CommitMarks | null {
    const row = this.#run(`SELECT value FROM mark WHERE name = 'commit'`).get();
    return row ? readMarks(row.value as string, this.#file) : null;
  }

  #writeMarks(marks: CommitMarks): void {
    this.#run(`INSERT OR REPLACE INTO mark VALUES ('commit', ?)`).run(sealJson(marks).toString());
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

  /** Refuses to write after another owner with a later epoch has written. Must run within a transaction. */
  #checkEpoch(): void {
    const { epoch } = this.#owner;
    const stored = Number(this.#run(`SELECT value FROM mark WHERE name = 'epoch'`).get()?.value ?? 0);
    if (stored === epoch) return;
    if (stored > epoch)
      throw new GyreError('stale-epoch', `${this.#file}: epoch ${stored} has begun, this is ${epoch}`);
    this.#run(`INSERT OR REPLACE INTO mark VALUES ('epoch', ?)`).run(String(epoch));
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#checkEpoch();
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

/** A fingerprint as two numbers, because reading BigInts can only be enabled for all columns of a statement. */
interface Halves {
  high: number;
  low: number;
}

function hex(fingerprint: bigint): string {
  return BigInt.asUintN(64, fingerprint).toString(16).padStart(16, '0');
}

const MARK_KEYS = ['warc', 'journal', 'seenBytes', 'seenCheck', 'sketches'];

/** Verifies the checksum, because archive and journal are truncated to these marks. */
export function readMarks(json: string, file: string): CommitMarks {
  const options = { file: `${file}, table mark`, keys: MARK_KEYS, advice: DOCTOR_ADVICE };
  return parseSealedJson(Buffer.from(json), options) as unknown as CommitMarks;
}
