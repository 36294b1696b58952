/**
 * The crawl loop: leases hosts from the frontier, visits each of them, and commits the results.
 *
 *   frontier -> visitor (robots.txt, fetch) -> response handler (parse in threads, decide) -> recorder
 *            -> commit -> frontier
 *
 * A commit happens every `COMMIT_MS`, or at once when `COMMIT_RESULTS` results are pending. The links of a
 * page become fetchable when the page is committed. Every `JOURNAL_MS` the current journal file is finished,
 * so that the next stages can read it. Back-pressure: no new request is sent while `MAX_PENDING` results or
 * `MAX_HELD_BYTES` of bodies wait for their commit.
 */

import { WarcWriter } from '../archive/mod.ts';
import { type Clock, CorruptError, type Directory, type Log, type Random, sleep } from '../base/mod.ts';
import { JournalWriter } from '../journal/mod.ts';
import { type Extractor, loadExtractors } from '../page/mod.ts';
import {
  type CanonicalUrl,
  type HostAccess,
  rulesOfPlan,
  type UrlRules,
  type UrlRulesPlan,
} from '../url/mod.ts';
import { CrawlLog } from './crawl-log.ts';
import { CrawlProgress, type CrawlSnapshot } from './crawl-progress.ts';
import type { NearDuplicateOptions } from './duplicates/mod.ts';
import { ADDRESS_REFUSED, AddressGuard, Fetcher, Resolver } from './fetch/mod.ts';
import {
  Domains,
  Frontier,
  type HostGroupOptions,
  HostGroups,
  Importance,
  type PolitenessOptions,
  SeenLog,
  type SeenMark,
  SeenSet,
} from './frontier/mod.ts';
import {
  CanonicalClaims,
  CrawlKnowledge,
  MirrorHosts,
  MissingPages,
  openSketches,
  PageIdentity,
  SKETCHES_DIRECTORY,
} from './identity/mod.ts';
import { linksTo, ResponseParser } from './parsing/mod.ts';
import { Recorder } from './recorder.ts';
import type { RobotsOverrides } from './robots/mod.ts';
import { SlicedWork } from './sliced-work.ts';
import { type CrawlState, checkClock, openMarks, type UrlResult } from './state/mod.ts';
import { type BudgetOptions, openTraps, type TrapDetectors } from './traps/mod.ts';
import {
  HostLeases,
  IconVisits,
  PageVisits,
  ParsingCosts,
  ProbeVisits,
  ResponseHandler,
  type RevisitOptions,
  RobotsVisits,
  Visitor,
} from './visit/mod.ts';

const COMMIT_MS = 250;
/**
 * Small enough that pages of the usual size, while a batch is written, leave as much memory for pages being
 * fetched.
 */
const COMMIT_RESULTS = 128;
const MAX_PENDING = 2048;
const MAX_HELD_BYTES = 12 * 1024 * 1024;
const JOURNAL_MS = 3_000;
/** Time that requests in flight get to finish when the crawl is stopped. */
const STOP_GRACE_MS = 2_000;
/** Interval between checks for URLs that are due, and the number of URLs woken per check. */
const WAKE_MS = 1_000;
const WAKE_URLS = 4_096;
const CRAWL_LOG_BYTES = 64 * 1024 * 1024;

/** The product token matched against User-agent lines of robots.txt. */
export const PRODUCT_TOKEN = 'gyre';

interface CrawlOptions {
  state: CrawlState;
  /** The directory of the crawl's own files. */
  directory: Directory;
  archive: Directory;
  journal: Directory;
  urlRules: UrlRulesPlan;
  robotsOverrides: RobotsOverrides;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Product name and version, written to the archive. */
  software: string;
  politeness: PolitenessOptions;
  gates: Pick<HostGroupOptions, 'addressDelayMs' | 'groups'>;
  /** Number of threads that parse responses. */
  readerThreads: number;
  /** Time limit for parsing one page; a thread that exceeds it is replaced. */
  readLimitMs: number;
  /** Maximum number of requests in flight, over all hosts. */
  concurrency: number;
  maxPages: number;
  maxUrlsPerHost: number;
  /** Page budget of a host, by its importance. */
  budget: BudgetOptions;
  /** True to fetch an icon for each site. */
  icons: boolean;
  maxBodyBytes: number;
  timeLimitMs: number;
  nearDuplicates: NearDuplicateOptions;
  warcBytes: number;
  warcCompression: 'gzip' | 'zstd';
  allowAddresses: readonly string[];
  resolve: Record<string, string>;
  proxy: string;
  /** Certificate authorities, in PEM. */
  authorities: readonly string[];
  access: HostAccess;
  /** Keeps the crawl running when no work is left, to wait for parked hosts and new seeds. */
  keepRunning: boolean;
  /** Paths of extractor modules. */
  extractors: readonly string[];
  /** The revisit schedule of fetched URLs. */
  revisits: RevisitOptions;
  /**
   * True to revisit URLs: those due when the crawl starts and, with `keepRunning`, those that become due
   * later.
   */
  revisit: boolean;
  onUnreachable(origin: string, reason: string): void;
}

/** Components that are opened before the crawler itself. */
interface Parts {
  recorder: Recorder;
  parser: ResponseParser;
  urlRules: UrlRules;
  importance: Importance;
  costs: ParsingCosts;
  responseHandler: ResponseHandler;
  traps: TrapDetectors;
  domains: Domains;
  extractors: readonly Extractor[];
  missing: MissingPages;
  claims: CanonicalClaims;
  mirrors: MirrorHosts;
}

export class Crawler {
  readonly #options: CrawlOptions;
  readonly #frontier: Frontier;
  readonly #recorder: Recorder;
  readonly #parser: ResponseParser;
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
    await checkClock(state, clock, options.log);
    // The configuration may now allow addresses that an earlier run refused.
    state.bringBack(`robots.txt: ${ADDRESS_REFUSED}`);
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
    const { seen, seenLog } = openSeen(options, marks);
    const crawlLog = new CrawlLog(options.directory, CRAWL_LOG_BYTES);
    const sketches = { ...options, directory: options.directory.directory(SKETCHES_DIRECTORY) };
    const near = await openSketches(sketches, marks.sketches);
    const findings = new CrawlKnowledge(state.findings);
    const traps = openTraps(clock, findings);
    const urlRules = rulesOfPlan(options.urlRules);
    const parser = new ResponseParser({
      urlRules: options.urlRules,
      maxBodyBytes: options.maxBodyBytes,
      threads: options.readerThreads,
      extractors: options.extractors,
      limitMs: options.readLimitMs,
      log: options.log,
    });
    const costs = new ParsingCosts(options);
    const files = { warc, journal, seenLog, near, crawlLog };
    const domains = new Domains({ state, clock, budget: options.budget, domains: options.urlRules.domains });
    const known = { ...options, urlRules, findings, near, traps, domains };
    const recorder = new Recorder({ ...known, ...files, parser, seen, importance, maxUrlsPerHost });
    const missing = new MissingPages(known);
    const claims = new CanonicalClaims(known);
    const mirrors = new MirrorHosts(known);
    const identity = new PageIdentity({ ...known, recorder, missing, claims, mirrors });
    const responseHandler = new ResponseHandler({ ...known, recorder, parser, costs, identity, missing });
    const judges = { traps, domains, missing, claims, mirrors };
    const parts = { recorder, parser, costs, importance, responseHandler, urlRules, extractors, ...judges };
    const crawler = new Crawler(options, parts);
    recorder.addDerivedRecords(claims.resume());
    crawler.#progress.queued = (await state.counts()).ready;
    await crawler.#frontier.resume(options.politeness.delayMs);
    for (let more = options.revisit; more; ) more = await crawler.#wake();
    return crawler;
  }

  private constructor(options: CrawlOptions, parts: Parts) {
    const { recorder, parser, importance, urlRules, domains } = parts;
    this.#options = options;
    this.#parts = parts;
    const { state, clock, userAgent, timeLimitMs, maxBodyBytes } = options;
    const guard = new AddressGuard(options.allowAddresses);
    const resolver = new Resolver(options.resolve, guard, clock);
    this.#recorder = recorder;
    this.#parser = parser;
    this.#urlRules = urlRules;
    this.#importance = importance;
    const gates = new HostGroups({ ...options.gates, clock });
    this.#frontier = new Frontier({ state, importance, gates, clock, domains });
    const { proxy, authorities, access } = options;
    const reach = { guard, resolver, proxy, authorities, access };
    this.#fetcher = new Fetcher({ ...reach, userAgent, clock, timeLimitMs, maxBodyBytes });
    this.#visitor = this.#openVisitor();
  }

  #openVisitor(): Visitor {
    const { state, clock, random, log, politeness, robotsOverrides, revisits, budget } = this.#options;
    const { recorder, responseHandler, urlRules, traps, mirrors, extractors, costs } = this.#parts;
    const { onUnreachable, icons } = this.#options;
    const { domains, missing } = this.#parts;
    const fetcher = this.#fetcher;
    const frontier = this.#frontier;
    const progress = this.#progress;
    const slices = new SlicedWork();
    const productToken = PRODUCT_TOKEN;
    const onReleased = () => this.#notify();
    const leases = new HostLeases({ state, frontier, recorder, politeness, clock, random, onReleased });
    return new Visitor({
      leases,
      robotsVisits: new RobotsVisits({
        fetcher,
        frontier,
        recorder,
        responseHandler,
        leases,
        progress,
        slices,
        politeness,
        productToken,
        clock,
        log,
        onUnreachable,
      }),
      iconVisits: new IconVisits({
        fetcher,
        frontier,
        recorder,
        responseHandler,
        leases,
        progress,
        urlRules,
        robotsOverrides,
        politeness,
        productToken,
        slices,
        clock,
        icons,
      }),
      probeVisits: new ProbeVisits({ fetcher, recorder, responseHandler, leases, progress, clock }),
      pageVisits: new PageVisits({
        state,
        fetcher,
        recorder,
        responseHandler,
        leases,
        traps,
        mirrors,
        progress,
        slices,
        urlRules,
        extractors,
        revisits,
        clock,
        onUnreachable,
      }),
      fetcher,
      frontier,
      costs,
      traps,
      domains,
      missing,
      robotsOverrides,
      slices,
      budget,
      productToken,
      clock,
      log,
    });
  }

  addSeeds(urls: readonly CanonicalUrl[]): void {
    for (const seed of urls) {
      const { verb, rule, url } = this.#urlRules.decide(seed, 0);
      if (verb === 'ignore') {
        this.#options.log.warn('seed ignored', { seed, rule });
        continue;
      }
      this.#parts.domains.addSeed(url);
      this.#recorder.discovered(linksTo([url], 0), null);
    }
    this.#notify();
  }

  /** Uses the ranks of a rank run, relative to the average page, to order the URLs that wait. */
  useRanks(relativeRankOf: (fingerprint: bigint) => number): void {
    this.#importance.useRanks(relativeRankOf);
  }

  snapshot(): CrawlSnapshot {
    const { waitingCount, leasedCount } = this.#frontier;
    const hosts = { activeHosts: waitingCount + leasedCount, underWay: leasedCount };
    return this.#progress.snapshot(hosts, this.#recorder.journalFiles);
  }

  /** Resolves when no work is left, or after `stop`; rejects when the disk or the state fails. */
  async run(): Promise<void> {
    const commits = this.#commitLoop().catch((error: unknown) => this.#fail(error));
    try {
      await this.#leaseLoop();
      await this.#drain();
    } finally {
      this.stop();
      await commits;
    }
    if (this.#failure) {
      await this.#parser.close();
      throw this.#failure;
    }
    await this.#commit();
    this.#recorder.rotateJournal();
    this.#recorder.close();
    await this.#parser.close();
    await this.#fetcher.close();
  }

  /** Sends no new requests until `resume`; requests in flight finish and are committed. */
  pause(): void {
    this.#paused = true;
    if (this.#progress.state === 'running') this.#progress.state = 'paused';
  }

  resume(): void {
    this.#paused = false;
    if (this.#progress.state === 'paused') this.#progress.state = 'running';
    this.#notify();
  }

  /** Sends no requests while `isHeldBack` is true, because a later stage is overloaded. */
  holdBack(isHeldBack: boolean): void {
    this.#heldBack = isHeldBack;
    if (!isHeldBack) this.#notify();
  }

  /** Stops the crawl gracefully: sends no new requests, then commits once more. Safe to call at any time. */
  stop(): void {
    if (this.#stop.signal.aborted) return;
    // A crawl with `keepRunning` gets work again when a page is due, so it ends as stopped, never as done.
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
    if (this.#progress.fetchedCount >= maxPages) this.#frontier.fetchIconsOnly();
    else if (this.#progress.fetchedCount + this.#underWay >= maxPages) return true;
    const isBusy = this.#underWay - this.#parser.slowCount >= concurrency;
    const waiting = this.#recorder.pendingCount;
    return isBusy || waiting >= MAX_PENDING || this.#parser.heldBytes >= MAX_HELD_BYTES;
  }

  /** Number of visits that have not been recorded yet. */
  get #underWay(): number {
    return this.#frontier.leasedCount + this.#visitor.parsingCount;
  }

  /** Ends a crawl that has fetched `maxPages` and the icons of their sites. */
  #finish(): void {
    this.stop();
    this.#progress.state = 'done';
  }

  /** True if no visit is in flight and no pending result can still produce work. */
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

  /** Makes due URLs ready; returns false if there were none. */
  async #wake(): Promise<boolean> {
    const { state, clock } = this.#options;
    const { origins, count } = await state.wakeDue(clock.now(), WAKE_URLS);
    if (count === 0) return false;
    this.#progress.queued += count;
    await this.#frontier.hostsBecameReady(origins);
    this.#notify();
    return true;
  }

  async #commit(): Promise<void> {
    for (const row of this.#frontier.takeNewWaitReasons()) this.#recorder.hostChanged(row);
    if (!this.#recorder.hasPending) return;
    this.#committedAll = false;
    const committed = await this.#recorder.commit();
    const left = committed.results.filter((result) => result.state !== 'ready').length;
    this.#progress.queued += committed.added.length - left;
    this.#frontier.committed(committed.results, committed.owners, committed.rows);
    await this.#frontier.added(committed.added);
    if ((await this.#options.state.admitHosts(this.#parts.domains.hostBudget)) > 0)
      this.#frontier.hostsAdmitted();
    this.#conclude(committed.results);
    this.#committedAll = true;
    this.#notify();
  }

  /** Adds the derived records that the committed results allow. */
  #conclude(results: readonly UrlResult[]): void {
    const { claims, mirrors } = this.#parts;
    this.#recorder.addDerivedRecords(claims.settle(results.map(({ fingerprint }) => fingerprint)));
    mirrors.reopen(results);
  }

  /**
   * Waits up to `STOP_GRACE_MS` for requests in flight, then aborts them; does not wait for slow pages. Their
   * URLs stay ready.
   */
  async #drain(): Promise<void> {
    const until = this.#options.clock.now() + STOP_GRACE_MS;
    const isWorthWaiting = () => this.#underWay > this.#parser.slowCount;
    while (isWorthWaiting() && this.#options.clock.now() < until) await this.#change(until);
    this.#visitor.abandon();
    this.#parser.abandon();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.stop();
  }

  /** Resolves at the next notification, or at `until`. */
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

function openSeen(options: CrawlOptions, mark: SeenMark): { seen: SeenSet; seenLog: SeenLog } {
  const { directory, state, log } = options;
  const seen = new SeenSet();
  try {
    return { seen, seenLog: SeenLog.open(directory, mark, seen) };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    log.warn('seen.log damaged, rebuilt from crawl.db', { reason: error.message });
    const remade = new SeenSet();
    return { seen: remade, seenLog: SeenLog.rebuild(directory, state.fingerprints(), remade) };
  }
}
