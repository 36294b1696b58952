/**
 * The crawl state of one node in PostgreSQL, for all vnodes that the node holds.
 *
 * One object has all vnodes of its node, because the frontier orders their hosts together and one commit has pages of
 * many vnodes. After a claim and before a release, `hold` changes the vnodes.
 *
 * Every write is one transaction of `VnodeOwner.write`, so it is refused (`stale-epoch`) if a vnode has a later epoch,
 * and also if it would change a row of a vnode that the node does not hold. Writes of one state run one after the
 * other, in the order of the calls.
 *
 *   postgres-urls.ts      URLs and their outcomes
 *   discovered-urls.ts    new URLs and their hosts
 *   postgres-hosts.ts     hosts and counts
 *   postgres-domains.ts   registrable domains
 *   postgres-captures.ts  last responses, owners of contents, sketches
 *   postgres-findings.ts  knowledge about hosts and pages (crawl-knowledge.ts)
 *   postgres-marks.ts     the marks of the node
 */
import { systemCode } from '../../base/mod.ts';
import type {
  CanonicalClaim,
  CommitMarks,
  CommitReport,
  ContentOwner,
  CrawlBatch,
  CrawlCounts,
  CrawlState,
  Discovered,
  DomainRow,
  HostBudget,
  HostFailure,
  HostNote,
  HostRow,
  IdentityVerdict,
  LastCapture,
  NoteKind,
  Outcome,
  Problem,
  ReadyUrl,
  ReasonCount,
  SketchEntry,
  VerdictKind,
  Woken,
} from '../../crawl/mod.ts';
import type { CanonicalUrl, HostGroup } from '../../url/mod.ts';
import { addCaptureBatch } from '../captures/mod.ts';
import { type ClusterDatabase, explainLostService, type Transaction } from '../database.ts';
import type { OwnedVnode, VnodeOwner } from '../vnode-owner.ts';
import { DiscoveredUrls } from './discovered-urls.ts';
import { keepHeldRows } from './held-batch.ts';
import { HeldVnodes } from './held-vnodes.ts';
import { PostgresCaptures } from './postgres-captures.ts';
import { PostgresDomains } from './postgres-domains.ts';
import { PostgresFindings } from './postgres-findings.ts';
import { PostgresHosts } from './postgres-hosts.ts';
import { PostgresMarks } from './postgres-marks.ts';
import { PostgresUrls } from './postgres-urls.ts';

/** The code of PostgreSQL for a transaction that it ended because of a deadlock. */
const DEADLOCK = '40P01';
const MAX_TRIES = 3;

interface PostgresCrawlStateOptions {
  /**
   * The host groups that the operator configured. They must be the same on all nodes, because they determine
   * the vnode of a host.
   */
  groups?: readonly HostGroup[];
  /** True if captures are objects. Then a commit adds its batch to the batches of the node's journal writer. */
  hasObjects?: boolean;
  /** The number in the database of the first sketch entry of this process (sketch-numbers.ts). */
  firstSketch?: number;
  /**
   * Called when a commit was refused because it has rows of other nodes, before it is repeated without these
   * rows. `lost` are the vnodes that the node has lost, and `others` the discovered URLs that their owners must
   * get.
   */
  onOthers?: (lost: readonly OwnedVnode[], others: readonly Discovered[]) => Promise<void>;
}

export class PostgresCrawlState implements CrawlState {
  readonly #sql: ClusterDatabase;
  readonly #owner: VnodeOwner;
  readonly #options: PostgresCrawlStateOptions;
  readonly #held: HeldVnodes;
  readonly #urls: PostgresUrls;
  readonly #hosts: PostgresHosts;
  readonly #domains: PostgresDomains;
  readonly #discovered: DiscoveredUrls;
  readonly #captures: PostgresCaptures;
  readonly #findings: PostgresFindings;
  readonly #marks: PostgresMarks;
  /** Hosts that seem to have no ready URL left. The next commit checks them. */
  #drained = new Set<string>();
  /** Ends when all writes so far have ended. */
  #written: Promise<unknown> = Promise.resolve();

  /** The database must outlive the state. */
  constructor(sql: ClusterDatabase, owner: VnodeOwner, options: PostgresCrawlStateOptions = {}) {
    const { groups = [], firstSketch = 0 } = options;
    this.#sql = sql;
    this.#owner = owner;
    this.#options = options;
    this.#held = new HeldVnodes(owner.node, groups);
    this.#urls = new PostgresUrls(sql, this.#held);
    this.#hosts = new PostgresHosts(sql, this.#held);
    this.#domains = new PostgresDomains(sql, this.#held);
    this.#discovered = new DiscoveredUrls(this.#held, this.#domains);
    this.#captures = new PostgresCaptures(sql, this.#held, firstSketch);
    this.#findings = new PostgresFindings(sql, this.#held, firstSketch);
    this.#marks = new PostgresMarks(sql, owner.node);
  }

  /**
   * Replaces the vnodes of this state, after the writes in progress. The caller calls `useRules` again after it has
   * claimed a vnode.
   */
  async hold(vnodes: readonly OwnedVnode[]): Promise<void> {
    await this.#inTurn(async () => this.#held.replace(vnodes));
  }

  hostsWithWork(limit = Number.MAX_SAFE_INTEGER): Promise<HostRow[]> {
    return this.#read(this.#hosts.withWork(limit));
  }

  host(origin: string): Promise<HostRow | null> {
    return this.#read(this.#hosts.byOrigin(origin));
  }

  frontHosts(front: number, after: string, limit: number): Promise<HostRow[]> {
    return this.#read(this.#hosts.inFront(front, after, limit));
  }

  parkedHosts(after: number, until: number, limit: number): Promise<HostRow[]> {
    return this.#read(this.#hosts.parked(after, until, limit));
  }

  nextParkedUntil(after: number): Promise<number | null> {
    return this.#read(this.#hosts.nextParkedUntil(after));
  }

  drained(origin: string): void {
    this.#drained.add(origin);
  }

  pause(origin: string, nextFetchAt: number): Promise<void> {
    return this.#write((tx) => this.#hosts.pause(tx, origin, nextFetchAt));
  }

  unparkFailed(code: HostFailure['code']): Promise<void> {
    return this.#write((tx) => this.#hosts.unparkFailed(tx, code));
  }

  counts(): Promise<CrawlCounts> {
    return this.#read(this.#hosts.counts());
  }

  domain(name: string): Promise<DomainRow | null> {
    return this.#read(this.#domains.byName(name));
  }

  domainsHeldBack(limit: number): Promise<{ domain: DomainRow; example: string }[]> {
    return this.#read(this.#domains.heldBack(limit));
  }

  async admitHosts(hostBudget: HostBudget): Promise<number> {
    if (!(await this.#read(this.#domains.isHoldingBack()))) return 0;
    return this.#write((tx) => this.#domains.admit(tx, hostBudget));
  }

  useRules(key: string): Promise<void> {
    return this.#write((tx) => this.#urls.useRules(tx, key));
  }

  readyUrls(origin: string, limit: number): Promise<ReadyUrl[]> {
    return this.#read(this.#urls.ready(origin, limit));
  }

  urlOf(fingerprint: bigint): Promise<CanonicalUrl | null> {
    return this.#read(this.#urls.byFingerprint(fingerprint));
  }

  fingerprints(after: bigint | null, limit: number): Promise<bigint[]> {
    return this.#read(this.#urls.fingerprints(after, limit));
  }

  answers(): Promise<ReasonCount[]> {
    return this.#read(this.#urls.answers());
  }

  problems(limit: number): Promise<Problem[]> {
    return this.#read(this.#urls.problems(limit));
  }

  contentOwner(digest: string): Promise<ContentOwner | null> {
    return this.#read(this.#captures.ownerOf(digest));
  }

  lastCapture(fingerprint: bigint): Promise<LastCapture | null> {
    return this.#read(this.#captures.ofUrl(fingerprint));
  }

  wakeDue(now: number, limit: number): Promise<Woken> {
    return this.#write((tx) => this.#captures.wakeDue(tx, now, limit));
  }

  wake(fingerprints: readonly bigint[]): Promise<Woken> {
    return this.#write((tx) => this.#captures.wake(tx, fingerprints));
  }

  wakeHosts(origins: readonly string[]): Promise<Woken> {
    return this.#write(async (tx) => {
      await this.#hosts.endParking(tx, origins);
      return this.#captures.wakeHosts(tx, origins);
    });
  }

  async commit(batch: CrawlBatch): Promise<CommitReport> {
    const drained = this.#drained;
    this.#drained = new Set();
    try {
      const added = await this.#commitHeld(batch, [...drained].sort());
      this.#hosts.committed(batch.hosts);
      return { added };
    } catch (error) {
      for (const origin of drained) this.#drained.add(origin);
      throw error;
    }
  }

  committedAt(): Promise<number | null> {
    return this.#read(this.#marks.committedAt());
  }

  moveTimes(byMs: number, now: number): Promise<void> {
    return this.#write(async (tx) => {
      await this.#hosts.moveTimes(tx, byMs);
      await this.#captures.moveTimes(tx, byMs);
      await this.#marks.write(tx, { now });
    });
  }

  marks(): Promise<CommitMarks | null> {
    return this.#read(this.#marks.read());
  }

  schedule(): Promise<string | null> {
    return this.#read(this.#marks.schedule());
  }

  async replaceSketches(entries: ReadonlyMap<bigint, SketchEntry>, count: number): Promise<void> {
    const marks = await this.marks();
    await this.#write(async (tx) => {
      await this.#captures.replaceSketches(tx, entries);
      if (marks) await this.#marks.write(tx, { marks: { ...marks, sketches: count } });
    });
  }

  notesOf(origins: Iterable<string>, kind: NoteKind): Promise<HostNote[]> {
    return this.#read(this.#findings.notesOf(origins, kind));
  }

  notes(kind: NoteKind): Promise<HostNote[]> {
    return this.#read(this.#findings.notes(kind));
  }

  sketchesOf(fingerprints: Iterable<bigint>): Promise<Map<bigint, number>> {
    return this.#read(this.#findings.sketchesOf(fingerprints));
  }

  claims(after: bigint | null, limit: number): Promise<CanonicalClaim[]> {
    return this.#read(this.#findings.claims(after, limit));
  }

  outcomesOf(fingerprints: Iterable<bigint>): Promise<Map<bigint, Outcome>> {
    return this.#read(this.#findings.outcomesOf(fingerprints));
  }

  namesOf(url: CanonicalUrl): Promise<IdentityVerdict[]> {
    return this.#read(this.#findings.namesOf(url));
  }

  verdictOf(url: CanonicalUrl): Promise<IdentityVerdict | null> {
    return this.#read(this.#findings.verdictOf(url));
  }

  verdicts(after: bigint | null, limit: number): Promise<IdentityVerdict[]> {
    return this.#read(this.#findings.verdicts(after, limit));
  }

  verdictCounts(): Promise<{ kind: VerdictKind; count: number }[]> {
    return this.#read(this.#findings.verdictCounts());
  }

  /** Does nothing: the caller ends the pool of connections. */
  close(): void {}

  /** Commits a batch. If it has rows of other nodes, commits it without them. */
  async #commitHeld(batch: CrawlBatch, drained: readonly string[]): Promise<Discovered[]> {
    const { onOthers } = this.#options;
    try {
      return await this.#write((tx) => this.#writeBatch(tx, batch, drained));
    } catch (error) {
      if (systemCode(error) !== 'stale-epoch' || !onOthers) throw error;
      const lost = this.#held.keepOnly(await this.#read(this.#owner.owned()));
      const rest = await this.#read(keepHeldRows(this.#sql, this.#held, batch));
      const heldDrained = drained.filter((origin) => this.#held.holds(`${origin}/` as CanonicalUrl));
      await onOthers(lost, rest.others);
      return await this.#write((tx) => this.#writeBatch(tx, rest.batch, heldDrained));
    }
  }

  async #writeBatch(tx: Transaction, batch: CrawlBatch, drained: readonly string[]) {
    await this.#urls.write(tx, batch.results);
    await this.#captures.write(tx, batch.results);
    await this.#hosts.write(tx, batch.hosts);
    await this.#hosts.removeDrained(tx, drained);
    await this.#captures.writeContents(tx, batch);
    const added = await this.#discovered.write(tx, batch.discovered, batch);
    await this.#captures.writeMoved(tx, batch.moved ?? []);
    await this.#captures.hint(tx, batch.hints ?? [], batch.committedAt ?? 0);
    await this.#domains.link(tx, batch.domainLinks ?? new Map());
    if (batch.findings) {
      added.push(...(await this.#findings.write(tx, batch.findings)));
      await this.#captures.writeSketches(tx, batch.findings.sketches);
    }
    const { warc, journal, seenBytes, seenCheck, sketches, committedAt, schedule } = batch;
    if (this.#options.hasObjects) await addCaptureBatch(tx, this.#owner.node, batch);
    const marks = { warc, journal, seenBytes, seenCheck, sketches };
    await this.#marks.write(tx, { marks, schedule, ...(committedAt !== undefined && { now: committedAt }) });
    return added;
  }

  async #read<Result>(reading: Promise<Result>): Promise<Result> {
    try {
      return await reading;
    } catch (error) {
      throw explainLostService(error, this.#sql);
    }
  }

  /** Runs `work` in a transaction that commits only if the node still owns its vnodes. */
  #write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return this.#inTurn(async () => {
      for (let tries = 1; ; tries++) {
        try {
          return await this.#owner.write(this.#held.vnodes, work);
        } catch (error) {
          if (systemCode(error) !== DEADLOCK || tries === MAX_TRIES)
            throw explainLostService(error, this.#sql);
        }
      }
    });
  }

  /** Runs `work` after all earlier work has ended, whether it succeeded or not. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#written.then(work);
    this.#written = result.catch(() => {});
    return result;
  }
}
