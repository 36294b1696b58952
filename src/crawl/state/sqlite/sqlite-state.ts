/**
 * The crawl state in one SQLite file, `crawl.db`, which any SQLite tool can read.
 *
 * The key of a URL is its fingerprint. The first bits of a fingerprint identify the host, so pages of a host
 * are neighbours in the B-tree. A look-up by this key also shows whether a URL is known. The index that the
 * frontier reads contains only ready URLs, so it stays as small as the remaining work.
 *
 *   sqlite-urls.ts       URLs and their outcomes
 *   sqlite-hosts.ts      hosts and counts
 *   sqlite-domains.ts    registrable domains
 *   sqlite-captures.ts   last responses and owners of contents
 *   sqlite-findings.ts   knowledge about hosts and pages (crawl-knowledge.ts)
 *   sqlite-marks.ts      the mark of the last commit
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Directory, GyreError, messageOf, UsageError } from '../../../base/mod.ts';
import type { CanonicalUrl } from '../../../url/mod.ts';
import type {
  CanonicalClaim,
  HostNote,
  IdentityVerdict,
  NoteKind,
  Outcome,
  VerdictKind,
} from '../crawl-knowledge.ts';
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
} from '../crawl-state.ts';
import type { HostFailure } from '../reasons.ts';
import { damagedRow } from '../stored-rows.ts';
import { checkDatabaseSeal, MAX_SEALED_BYTES, markDatabaseOpen, sealDatabase } from './database-seal.ts';
import { SqliteCaptures } from './sqlite-captures.ts';
import { SqliteDomains } from './sqlite-domains.ts';
import { SqliteFindings } from './sqlite-findings.ts';
import { SqliteHosts } from './sqlite-hosts.ts';
import { SqliteMarks } from './sqlite-marks.ts';
import { SCHEMA_VERSION, STATE_FILE, schemaVersion, upgradeSchema } from './sqlite-schema.ts';
import { statementsOf } from './sqlite-statements.ts';
import { SqliteUrls, sqlitePlace } from './sqlite-urls.ts';

/**
 * Memory for B-tree pages. It is large enough for the pages that a commit changes, so that each of them is written
 * once.
 */
const CACHE_BYTES = 64 * 1024 * 1024;
/**
 * Length of the write-ahead log at which SQLite copies it to the database. The limit is high, so that a B-tree
 * page that several commits change is copied only once.
 */
const CHECKPOINT_PAGES = 8192;

/**
 * Options of an opened crawl state. With `readOnly`, another process can read the state of a running crawl. A
 * database of an older format is upgraded first, also with `readOnly`.
 */
interface CrawlStateOptions {
  readOnly?: boolean;
  owner?: Owner;
  /** Memory limit of the cache of B-tree pages; by default CACHE_BYTES. */
  cacheBytes?: number;
}

export function openCrawlState(directory: Directory, options: CrawlStateOptions = {}): CrawlState {
  const { owner = SOLE_OWNER } = options;
  const file = join(directory.path, STATE_FILE);
  const open = (readOnly: boolean) => new DatabaseSync(file, { readOnly, timeout: 5000 });
  try {
    if (!options.readOnly) return openForWriting(directory, file, owner, options.cacheBytes);
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

/**
 * Opens the database for writing, after checking it against its seal or, after a crash, with SQLite's quick check.
 */
function openForWriting(directory: Directory, file: string, owner: Owner, cacheBytes?: number): CrawlState {
  const isSmall = !directory.has(STATE_FILE) || directory.sizeOf(STATE_FILE) <= MAX_SEALED_BYTES;
  const found = checkDatabaseSeal(directory, STATE_FILE);
  const database = new DatabaseSync(file, { timeout: 5000 });
  if (found === 'open' && isSmall) quickCheck(database, file);
  markDatabaseOpen(directory);
  const seal = () => sealDatabase(directory, STATE_FILE);
  return new SqliteState(database, file, owner, seal, cacheBytes);
}

function quickCheck(database: DatabaseSync, file: string): void {
  const { quick_check: found } = database.prepare('PRAGMA quick_check(1)').get()!;
  if (found === 'ok') return;
  database.close();
  throw damagedRow(sqlitePlace(file), '', 'a sound database', String(found).replaceAll('\n', ' '));
}

export function hasCrawlState(directory: Directory): boolean {
  return directory.has(STATE_FILE);
}

class SqliteState implements CrawlState {
  readonly #database: DatabaseSync;
  readonly #owner: Owner;
  readonly #hosts: SqliteHosts;
  readonly #domains: SqliteDomains;
  readonly #urls: SqliteUrls;
  readonly #captures: SqliteCaptures;
  readonly #findings: SqliteFindings;
  readonly #marks: SqliteMarks;
  readonly #seal: (() => void) | null;
  /**
   * Number of the last URL that was discovered before the current URL rules; for later URLs, the decision of
   * these rules is stored.
   */
  #decidedSince: number;

  /** `seal` is called when the database is closed and its write-ahead log is empty; it is null for readers. */
  constructor(
    database: DatabaseSync,
    file: string,
    owner: Owner,
    seal: (() => void) | null = null,
    cacheBytes = CACHE_BYTES,
  ) {
    this.#database = database;
    this.#owner = owner;
    this.#seal = seal;
    upgradeSchema(database, file);
    database.exec(
      `PRAGMA cache_size = -${Math.floor(cacheBytes / 1024)}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
    );
    const statements = statementsOf(database);
    this.#domains = new SqliteDomains(statements);
    this.#hosts = new SqliteHosts(statements, this.#domains);
    this.#urls = new SqliteUrls(statements, file);
    this.#captures = new SqliteCaptures(statements);
    this.#findings = new SqliteFindings(statements);
    this.#marks = new SqliteMarks(statements, file);
    this.#decidedSince = this.#marks.rules()?.since ?? 0;
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

  async pause(origin: string, nextFetchAt: number): Promise<void> {
    this.#inTransaction(() => this.#hosts.pause(origin, nextFetchAt));
  }

  async unparkFailed(code: HostFailure['code']): Promise<void> {
    this.#inTransaction(() => this.#hosts.unparkFailed(code));
  }

  async counts(): Promise<CrawlCounts> {
    return this.#hosts.counts();
  }

  async useRules(key: string): Promise<void> {
    if (this.#marks.rules()?.key === key) return;
    this.#decidedSince = this.#hosts.lastFound;
    this.#inTransaction(() => {
      this.#urls.reopenRefusedByRules();
      this.#marks.writeRules({ key, since: this.#decidedSince });
    });
  }

  async readyUrls(origin: string, limit: number): Promise<ReadyUrl[]> {
    return this.#urls.ready(origin, limit, this.#decidedSince);
  }

  async urlOf(fingerprint: bigint): Promise<CanonicalUrl | null> {
    return this.#urls.byFingerprint(fingerprint);
  }

  async fingerprints(after: bigint | null, limit: number): Promise<bigint[]> {
    return this.#urls.fingerprints(after, limit);
  }

  async answers(): Promise<ReasonCount[]> {
    return this.#urls.answers();
  }

  async problems(limit: number): Promise<Problem[]> {
    return this.#urls.problems(limit);
  }

  async contentOwner(digest: string): Promise<ContentOwner | null> {
    return this.#captures.ownerOf(digest);
  }

  async lastCapture(fingerprint: bigint): Promise<LastCapture | null> {
    return this.#captures.ofUrl(fingerprint);
  }

  async wakeDue(now: number, limit: number): Promise<Woken> {
    return this.#inTransaction(() => this.#captures.wakeDue(now, limit));
  }

  async wake(fingerprints: readonly bigint[]): Promise<Woken> {
    return this.#inTransaction(() => this.#captures.wake(fingerprints));
  }

  async wakeHosts(origins: readonly string[]): Promise<Woken> {
    return this.#inTransaction(() => {
      this.#hosts.endParking(origins);
      return this.#captures.wakeHosts(origins);
    });
  }

  async commit(batch: CrawlBatch): Promise<CommitReport> {
    return this.#inTransaction(() => {
      this.#urls.write(batch.results);
      this.#captures.write(batch.results);
      this.#hosts.write(batch.hosts);
      this.#captures.writeContents(batch);
      const added = this.#hosts.discover(batch.discovered, batch);
      for (const [name, linking] of batch.domainLinks ?? []) this.#domains.link(name, linking);
      this.#captures.writeMoved(batch.moved ?? []);
      this.#captures.hint(batch.hints ?? [], batch.committedAt ?? 0);
      if (batch.findings) added.push(...this.#findings.write(batch.findings));
      const { warc, journal, seenBytes, seenCheck, sketches } = batch;
      this.#marks.write({ warc, journal, seenBytes, seenCheck, sketches });
      if (batch.schedule !== undefined) this.#marks.writeSchedule(batch.schedule);
      if (batch.committedAt !== undefined) this.#marks.writeClock(batch.committedAt);
      return { added };
    });
  }

  async committedAt(): Promise<number | null> {
    return this.#marks.committedAt();
  }

  async moveTimes(byMs: number, now: number): Promise<void> {
    this.#inTransaction(() => {
      this.#hosts.moveTimes(byMs);
      this.#captures.moveTimes(byMs);
      this.#marks.writeClock(now);
    });
  }

  async marks(): Promise<CommitMarks | null> {
    return this.#marks.read();
  }

  async schedule(): Promise<string | null> {
    return this.#marks.schedule();
  }

  async replaceSketches(entries: ReadonlyMap<bigint, SketchEntry>, count: number): Promise<void> {
    this.#inTransaction(() => {
      this.#captures.replaceSketches(entries);
      const marks = this.#marks.read();
      if (marks) this.#marks.write({ ...marks, sketches: count });
    });
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

  async verdicts(after: bigint | null, limit: number): Promise<IdentityVerdict[]> {
    return this.#findings.verdicts(after, limit);
  }

  async verdictCounts(): Promise<{ kind: VerdictKind; count: number }[]> {
    return this.#findings.verdictCounts();
  }

  close(): void {
    const isComplete = this.#seal !== null && this.#checkpoint();
    this.#database.close();
    if (!isComplete) return;
    try {
      this.#seal?.();
    } catch {
      // An error here, such as a full disk, is ignored: the database stays marked as open, and SQLite checks it when
      // it is next opened.
    }
  }

  /**
   * Moves the whole write-ahead log into the database file. Returns false if a reader prevents this or an error
   * occurs.
   */
  #checkpoint(): boolean {
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
    } catch {
      return false;
    }
  }

  #inTransaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      this.#marks.checkEpoch(this.#owner);
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
