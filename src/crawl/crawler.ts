/**
 * The crawl: leases hosts from the frontier, has each visited, and commits what came of it.
 *
 *   frontier -> visitor (robots.txt, fetch) -> intake (read in threads, decide) -> recorder
 *            -> commit -> frontier
 *
 * A commit happens every `COMMIT_MS`, or at once when `COMMIT_RESULTS` wait; links become fetchable
 * with it. Every `JOURNAL_MS` the journal is handed to the stages that follow. While
 * `MAX_PENDING` results wait for their commit, or `MAX_HELD_BYTES` of bodies do, no new request is sent: the
 * crawl's back-pressure.
 */
import { JournalWriter, WarcWriter } from '../archive/mod.ts';
import { type Clock, type Directory, type Log, type Random, sleep } from '../base/mod.ts';
import { type Extractor, loadExtractors } from '../page/mod.ts';
import { type CanonicalUrl, rulesOfPlan, type UrlRules, type UrlRulesPlan } from '../url/mod.ts';
import { AddressGuard } from './address-guard.ts';
import { CanonicalClaims } from './canonical-claims.ts';
import { openMarks } from './commit-marks.ts';
import { CrawlLog } from './crawl-log.ts';
import { CrawlProgress, type CrawlSnapshot } from './crawl-progress.ts';
import type { CrawlState, UrlResult } from './crawl-state.ts';
import { type NearDuplicateOptions, NearDuplicates } from './dedup/mod.ts';
import { Fetcher } from './fetcher.ts';
import { Findings } from './findings.ts';
import { Frontier } from './frontier.ts';
import { type GateOptions, Gates } from './gates.ts';
import type { HostAccess } from './host-access.ts';
import { Importance } from './importance.ts';
import { Intake } from './intake.ts';
import { MirrorHosts } from './mirror-hosts.ts';
import { MissingPages } from './missing-pages.ts';
import { PageIdentity } from './page-identity.ts';
import type { PolitenessOptions } from './politeness.ts';
import { Readers } from './readers.ts';
import { linksTo } from './reading.ts';
import { Recorder } from './recorder.ts';
import { Resolver } from './resolver.ts';
import type { RevisitOptions } from './revisits.ts';
import type { RobotsOverrides } from './robots-overrides.ts';
import { SeenLog, SeenSet } from './seen-set.ts';
import { openTraps } from './trap-notes.ts';
import type { BudgetOptions, TrapDetectors } from './traps/mod.ts';
import { Visitor } from './visitor.ts';

const COMMIT_MS = 250;
/** Pages of the usual size that are being written leave room for as many that are being fetched. */
const COMMIT_RESULTS = 128;
const MAX_PENDING = 2048;
const MAX_HELD_BYTES = 12 * 1024 * 1024;
const JOURNAL_MS = 3_000;
/** How long requests under way may take to finish when the crawl is stopped. */
const STOP_GRACE_MS = 2_000;
/** How often to look for what is due, and how many URLs to take up at once. */
const WAKE_MS = 1_000;
const WAKE_URLS = 4_096;
const CRAWL_LOG_BYTES = 64 * 1024 * 1024;

/** The product token for robots.txt. */
export const PRODUCT_TOKEN = 'gyre';

export interface CrawlOptions {
  state: CrawlState;
  /** Of the crawl's own files. */
  directory: Directory;
  archive: Directory;
  journal: Directory;
  urlRules: UrlRulesPlan;
  robotsOverrides: RobotsOverrides;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Product and version, for the archive. */
  software: string;
  politeness: PolitenessOptions;
  gates: Pick<GateOptions, 'addressDelayMs' | 'groups'>;
  /** Threads that read what was fetched. */
  readerThreads: number;
  /** For reading one page; a thread that takes longer is replaced. */
  readLimitMs: number;
  /** Requests under way at once, over all hosts. */
  concurrency: number;
  maxPages: number;
  maxUrlsPerHost: number;
  /** Pages of a host, by its importance. */
  budget: BudgetOptions;
  /** Whether to fetch an icon for each site. */
  icons: boolean;
  maxBodyBytes: number;
  timeLimitMs: number;
  nearDuplicates: NearDuplicateOptions;
  warcBytes: number;
  warcCompression: 'gzip' | 'zstd';
  allowAddresses: readonly string[];
  resolve: Record<string, string>;
  proxy: string;
  /** In PEM. */
  authorities: readonly string[];
  access: HostAccess;
  /** Stay when nothing is left to do, for hosts that are set aside and for new seeds. */
  keepRunning: boolean;
  /** The paths of modules with extractors. */
  extractors: readonly string[];
  /** When to fetch again what was fetched. */
  revisits: RevisitOptions;
  /** Whether to: what is due when the crawl starts, and with `keepRunning` as it becomes due. */
  revisit: boolean;
  onUnreachable(origin: string, reason: string): void;
}

/** What is opened before the crawler itself. */
interface Parts {
  recorder: Recorder;
  readers: Readers;
  urlRules: UrlRules;
  importance: Importance;
  intake: Intake;
  traps: TrapDetectors;
  extractors: readonly Extractor[];
  missing: MissingPages;
  claims: CanonicalClaims;
  mirrors: MirrorHosts;
}

export class Crawler {
  readonly #options: CrawlOptions;
  readonly #frontier: Frontier;
  readonly #recorder: Recorder;
  readonly #readers: Readers;
  readonly #urlRules: UrlRules;
  readonly #fetcher: Fetcher;
  readonly #visitor: Visitor;
  readonly #importance: Importance;
  readonly #parts: Parts;
  readonly #progress = new CrawlProgress();
  readonly #stop = new AbortController();
  #failure: unknown = null;
  #paused = false;
  #heldBack = false;
  #committedAll = true;
  #notify: () => void = () => {};

  static async open(options: CrawlOptions): Promise<Crawler> {
    const { state, archive, software, clock, maxUrlsPerHost } = options;
    const extractors = await loadExtractors(options.extractors);
    const marks = await openMarks(state, [archive, options.journal]);
    const rotateBytes = options.warcBytes;
    const warc = new WarcWriter({
      directory: archive,
      mark: marks.warc,
      rotateBytes,
      software,
      clock,
      compression: options.warcCompression,
    });
    const journal = new JournalWriter(options.journal, marks.journal);
    const importance = new Importance();
    const { seen, seenLog } = openSeen(options, marks.seenBytes);
    const crawlLog = new CrawlLog(options.directory, CRAWL_LOG_BYTES);
    const near = new NearDuplicates(
      options.directory.directory('dedup'),
      marks.sketches,
      options.nearDuplicates,
    );
    const findings = new Findings(state.findings);
    const traps = openTraps(clock, findings);
    const urlRules = rulesOfPlan(options.urlRules);
    const readers = new Readers({
      urlRules: options.urlRules,
      maxBodyBytes: options.maxBodyBytes,
      threads: options.readerThreads,
      extractors: options.extractors,
      limitMs: options.readLimitMs,
      log: options.log,
    });
    const files = { warc, journal, seenLog, near, crawlLog };
    const known = { ...options, urlRules, findings, near, traps };
    const recorder = new Recorder({ ...known, ...files, readers, seen, importance, maxUrlsPerHost });
    const missing = new MissingPages(known);
    const claims = new CanonicalClaims(known);
    const mirrors = new MirrorHosts(known);
    const identity = new PageIdentity({ ...known, recorder, missing, claims, mirrors });
    const intake = new Intake({ ...known, recorder, readers, identity, missing });
    const judges = { traps, missing, claims, mirrors };
    const parts = { recorder, readers, importance, intake, urlRules, extractors, ...judges };
    const crawler = new Crawler(options, parts);
    recorder.follows(claims.resume());
    crawler.#progress.queued = (await state.counts()).ready;
    await crawler.#frontier.resume(options.politeness.delayMs);
    for (let more = options.revisit; more; ) more = await crawler.#wake();
    return crawler;
  }

  private constructor(options: CrawlOptions, parts: Parts) {
    const { recorder, readers, importance, urlRules } = parts;
    this.#options = options;
    this.#parts = parts;
    const { state, clock, userAgent, timeLimitMs, maxBodyBytes } = options;
    const guard = new AddressGuard(options.allowAddresses);
    const resolver = new Resolver(options.resolve, guard, clock);
    this.#recorder = recorder;
    this.#readers = readers;
    this.#urlRules = urlRules;
    this.#importance = importance;
    const gates = new Gates({ ...options.gates, clock });
    this.#frontier = new Frontier({ state, importance, gates, clock, productToken: PRODUCT_TOKEN });
    const { proxy, authorities, access } = options;
    const reach = { guard, resolver, proxy, authorities, access };
    this.#fetcher = new Fetcher({ ...reach, userAgent, clock, timeLimitMs, maxBodyBytes });
    this.#visitor = new Visitor({
      ...options,
      ...parts,
      fetcher: this.#fetcher,
      frontier: this.#frontier,
      progress: this.#progress,
      productToken: PRODUCT_TOKEN,
      onReleased: () => this.#notify(),
    });
  }

  addSeeds(urls: readonly CanonicalUrl[]): void {
    for (const seed of urls) {
      const { verb, rule, url } = this.#urlRules.decide(seed, 0);
      if (verb === 'ignore') this.#options.log.warn('seed ignored', { seed, rule });
      else this.#recorder.discovered(linksTo([url], 0), null);
    }
    this.#notify();
  }

  /** Ranks flow back: URLs that wait are weighed by them, relative to the average page. */
  useRanks(relativeRankOf: (fingerprint: bigint) => number): void {
    this.#importance.useRanks(relativeRankOf);
  }

  snapshot(): CrawlSnapshot {
    const { waitingCount, leasedCount } = this.#frontier;
    const hosts = { activeHosts: waitingCount + leasedCount, underWay: leasedCount };
    return this.#progress.snapshot(hosts, this.#recorder.journalFiles);
  }

  /** Resolves when nothing is left to do, or after `stop`; rejects when the disk or the state fails. */
  async run(): Promise<void> {
    const commits = this.#commitLoop().catch((error: unknown) => this.#fail(error));
    try {
      await this.#leaseLoop();
      await this.#drain();
    } finally {
      this.stop();
      await commits;
    }
    if (this.#failure) throw this.#failure;
    await this.#commit();
    this.#recorder.rotateJournal();
    this.#recorder.close();
    await this.#fetcher.close();
  }

  /** No new requests until `resume`; those under way finish and are committed. */
  pause(): void {
    this.#paused = true;
    if (this.#progress.state === 'running') this.#progress.state = 'paused';
  }

  resume(): void {
    this.#paused = false;
    if (this.#progress.state === 'paused') this.#progress.state = 'running';
    this.#notify();
  }

  /** While it is true no request is sent: a stage that comes after has too much to do. */
  holdBack(isHeldBack: boolean): void {
    this.#heldBack = isHeldBack;
    if (!isHeldBack) this.#notify();
  }

  /** Ends the crawl softly: no new requests, then a last commit. Safe to call at any time. */
  stop(): void {
    if (this.#stop.signal.aborted) return;
    // One that keeps running has more to do as soon as a page is due: it is only done when it is told to be.
    if (this.#progress.state !== 'done' || this.#options.keepRunning) this.#progress.state = 'stopped';
    this.#stop.abort();
    this.#notify();
  }

  async #leaseLoop(): Promise<void> {
    while (!this.#stop.signal.aborted && this.#failure === null) {
      if (this.#paused || this.#heldBack || this.#isFull()) {
        await this.#change();
        continue;
      }
      const next = await this.#frontier.next();
      if (next.kind === 'lease') {
        void this.#visitor.visit(next.host).then(
          () => this.#notify(),
          (error: unknown) => this.#fail(error),
        );
        continue;
      }
      const waiting = next.kind === 'wait';
      if (!(waiting && next.active) && this.#isQuiet()) {
        this.#recorder.rotateJournal();
        this.#progress.state = 'done';
        if (this.#frontier.isKeptToIcons) return this.#finish();
        if (!this.#options.keepRunning) return;
      } else if (this.#progress.state === 'done') {
        this.#progress.state = 'running';
      }
      await this.#change(waiting ? next.until : undefined);
    }
  }

  #isFull(): boolean {
    const { concurrency, maxPages } = this.#options;
    if (this.#progress.fetchedCount >= maxPages) this.#frontier.keepToIcons();
    else if (this.#progress.fetchedCount + this.#underWay >= maxPages) return true;
    const waiting = this.#recorder.pendingCount;
    return (
      this.#underWay >= concurrency || waiting >= MAX_PENDING || this.#readers.heldBytes >= MAX_HELD_BYTES
    );
  }

  /** Visits that have not been recorded. */
  get #underWay(): number {
    return this.#frontier.leasedCount + this.#visitor.readingCount;
  }

  /** The crawl has all that it was to fetch, and the icons that go with it. */
  #finish(): void {
    this.stop();
    this.#progress.state = 'done';
  }

  /** Nothing is under way and nothing waits to become work. */
  #isQuiet(): boolean {
    return this.#underWay === 0 && !this.#recorder.hasPending && this.#committedAll;
  }

  async #commitLoop(): Promise<void> {
    const { clock, keepRunning, revisit } = this.#options;
    let rotatedAt = clock.now();
    let wokenAt = clock.now();
    while (!this.#stop.signal.aborted) {
      await this.#commit();
      if (clock.now() - rotatedAt >= JOURNAL_MS) {
        this.#recorder.rotateJournal();
        rotatedAt = clock.now();
      }
      if (revisit && keepRunning && clock.now() - wokenAt >= WAKE_MS) {
        await this.#wake();
        wokenAt = clock.now();
      }
      if (this.#recorder.pendingCount < COMMIT_RESULTS) await sleep(COMMIT_MS, this.#stop.signal);
    }
  }

  /** URLs that are due become ready; false when there was none. */
  async #wake(): Promise<boolean> {
    const { state, clock } = this.#options;
    const { origins, count } = await state.wakeDue(clock.now(), WAKE_URLS);
    if (count === 0) return false;
    this.#progress.queued += count;
    await this.#frontier.woken(origins);
    this.#notify();
    return true;
  }

  async #commit(): Promise<void> {
    for (const row of this.#frontier.takeExplained()) this.#recorder.hostChanged(row);
    if (!this.#recorder.hasPending) return;
    this.#committedAll = false;
    const committed = await this.#recorder.commit();
    const left = committed.results.filter((result) => result.state !== 'ready').length;
    this.#progress.queued += committed.added.length - left;
    this.#frontier.committed(committed.results, committed.owners, committed.rows);
    await this.#frontier.added(committed.added);
    this.#conclude(committed.results);
    this.#committedAll = true;
    this.#notify();
  }

  /** The conclusions that committed results allow. */
  #conclude(results: readonly UrlResult[]): void {
    const { claims, mirrors } = this.#parts;
    this.#recorder.follows(claims.settle(results.map(({ fingerprint }) => fingerprint)));
    mirrors.reopen(results);
  }

  /** Lets requests under way finish for a moment, then cuts them off; their URLs stay ready. */
  async #drain(): Promise<void> {
    const until = this.#options.clock.now() + STOP_GRACE_MS;
    while (this.#underWay > 0 && this.#options.clock.now() < until) await this.#change(until);
    this.#visitor.abandon();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.stop();
  }

  /** Resolves when something has happened, or at the moment `until`. */
  #change(until?: number): Promise<void> {
    return new Promise((resolve) => {
      const ms = until === undefined ? COMMIT_MS * 4 : Math.min(until - this.#options.clock.now(), 60_000);
      const timer = setTimeout(resolve, Math.max(0, ms));
      this.#notify = () => {
        clearTimeout(timer);
        this.#notify = () => {};
        resolve();
      };
    });
  }
}

function openSeen(options: CrawlOptions, committedBytes: number): { seen: SeenSet; seenLog: SeenLog } {
  const { directory, state, log } = options;
  const seen = new SeenSet();
  if (SeenLog.isWhole(directory, committedBytes)) {
    return { seen, seenLog: SeenLog.open(directory, committedBytes, seen) };
  }
  log.warn('log of seen URLs lost, made anew from the state');
  return { seen, seenLog: SeenLog.rebuild(directory, state.fingerprints(), seen) };
}
