/**
 * The crawl: leases hosts from the frontier, has each visited, and commits what came of it.
 *
 *   frontier -> visitor (robots.txt, fetch, parse) -> recorder -> commit -> frontier
 *
 * A commit happens every `COMMIT_MS`, or at once when `COMMIT_RESULTS` wait; links become fetchable
 * with it. Every `JOURNAL_MS` the journal is handed to the stages that follow. When more than
 * `MAX_PENDING` results wait for their commit no new request is sent: the crawl's back-pressure.
 */
import { JOURNAL_START, JournalWriter, WARC_START, WarcWriter } from '../archive/mod.ts';
import { type Clock, type Directory, type Log, type Random, sleep, UsageError } from '../base/mod.ts';
import type { CanonicalUrl, UrlRules } from '../url/mod.ts';
import { AddressGuard } from './address-guard.ts';
import { CrawlLog } from './crawl-log.ts';
import { CrawlProgress, type CrawlSnapshot } from './crawl-progress.ts';
import type { CommitMarks, CrawlState } from './crawl-state.ts';
import { Fetcher } from './fetcher.ts';
import { Frontier } from './frontier.ts';
import { type GateOptions, Gates } from './gates.ts';
import { Importance } from './importance.ts';
import type { PolitenessOptions } from './politeness.ts';
import { Recorder } from './recorder.ts';
import { Resolver } from './resolver.ts';
import type { RobotsOverrides } from './robots-overrides.ts';
import { SeenLog, SeenSet } from './seen-set.ts';
import { Visitor } from './visitor.ts';

const COMMIT_MS = 250;
const COMMIT_RESULTS = 256;
const MAX_PENDING = 2048;
const JOURNAL_MS = 3_000;
/** How long requests under way may take to finish when the crawl is stopped. */
const STOP_GRACE_MS = 2_000;
const CRAWL_LOG_BYTES = 64 * 1024 * 1024;

/** The product token for robots.txt. */
export const PRODUCT_TOKEN = 'gyre';

export interface CrawlOptions {
  state: CrawlState;
  /** Of the crawl's own files. */
  directory: Directory;
  archive: Directory;
  journal: Directory;
  urlRules: UrlRules;
  robotsOverrides: RobotsOverrides;
  clock: Clock;
  random: Random;
  log: Log;
  userAgent: string;
  /** Product and version, for the archive. */
  software: string;
  politeness: PolitenessOptions;
  gates: Pick<GateOptions, 'addressDelayMs' | 'groups'>;
  /** Requests under way at once, over all hosts. */
  concurrency: number;
  maxPages: number;
  maxUrlsPerHost: number;
  maxBodyBytes: number;
  timeLimitMs: number;
  warcBytes: number;
  allowAddresses: readonly string[];
  resolve: Record<string, string>;
  /** Stay when nothing is left to do, for hosts that are set aside and for new seeds. */
  keepRunning: boolean;
  onUnreachable(origin: string, reason: string): void;
}

export class Crawler {
  readonly #options: CrawlOptions;
  readonly #frontier: Frontier;
  readonly #recorder: Recorder;
  readonly #fetcher: Fetcher;
  readonly #visitor: Visitor;
  readonly #progress = new CrawlProgress();
  readonly #stop = new AbortController();
  #failure: unknown = null;
  #paused = false;
  #committedAll = true;
  #notify: () => void = () => {};

  static async open(options: CrawlOptions): Promise<Crawler> {
    const { state, archive, software, clock, maxUrlsPerHost } = options;
    const marks = (await state.marks()) ?? (await firstMarks(options));
    const rotateBytes = options.warcBytes;
    const warc = new WarcWriter({ directory: archive, mark: marks.warc, rotateBytes, software, clock });
    const journal = new JournalWriter(options.journal, marks.journal);
    const importance = new Importance();
    const { seen, seenLog } = openSeen(options, marks.seenBytes);
    const crawlLog = new CrawlLog(options.directory, CRAWL_LOG_BYTES);
    const recorder = new Recorder({
      state,
      warc,
      journal,
      seen,
      seenLog,
      importance,
      crawlLog,
      maxUrlsPerHost,
    });
    const crawler = new Crawler(options, recorder, importance);
    crawler.#progress.queued = (await state.counts()).ready;
    await crawler.#frontier.resume(options.politeness.delayMs);
    return crawler;
  }

  private constructor(options: CrawlOptions, recorder: Recorder, importance: Importance) {
    this.#options = options;
    const { state, clock, userAgent, timeLimitMs, maxBodyBytes } = options;
    const guard = new AddressGuard(options.allowAddresses);
    const resolver = new Resolver(options.resolve, guard, clock);
    this.#recorder = recorder;
    const gates = new Gates({ ...options.gates, clock });
    this.#frontier = new Frontier({ state, importance, gates, clock, productToken: PRODUCT_TOKEN });
    this.#fetcher = new Fetcher({ userAgent, guard, resolver, clock, timeLimitMs, maxBodyBytes });
    this.#visitor = new Visitor({
      ...options,
      fetcher: this.#fetcher,
      frontier: this.#frontier,
      recorder,
      progress: this.#progress,
      productToken: PRODUCT_TOKEN,
    });
  }

  addSeeds(urls: readonly CanonicalUrl[]): void {
    for (const seed of urls) {
      const { verb, rule, url } = this.#options.urlRules.decide(seed, 0);
      if (verb === 'ignore') this.#options.log.warn('seed ignored', { seed, rule });
      else this.#recorder.discovered([{ url, depth: 0 }]);
    }
    this.#notify();
  }

  snapshot(): CrawlSnapshot {
    const { waitingCount, leasedCount } = this.#frontier;
    return this.#progress.snapshot(waitingCount + leasedCount, this.#recorder.journalFiles);
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

  /** Ends the crawl softly: no new requests, then a last commit. Safe to call at any time. */
  stop(): void {
    if (this.#progress.state !== 'done') this.#progress.state = 'stopped';
    this.#stop.abort();
    this.#notify();
  }

  async #leaseLoop(): Promise<void> {
    while (!this.#stop.signal.aborted && this.#failure === null) {
      if (this.#paused || this.#isFull()) {
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
        if (!this.#options.keepRunning) return;
      } else if (this.#progress.state === 'done') {
        this.#progress.state = 'running';
      }
      await this.#change(waiting ? next.until : undefined);
    }
  }

  #isFull(): boolean {
    const { concurrency, maxPages } = this.#options;
    if (this.#progress.fetchedCount + this.#frontier.leasedCount >= maxPages) {
      if (this.#progress.fetchedCount >= maxPages) this.#finish();
      return true;
    }
    return this.#frontier.leasedCount >= concurrency || this.#recorder.pendingCount >= MAX_PENDING;
  }

  /** The crawl has all that it was to fetch. */
  #finish(): void {
    this.#progress.state = 'done';
    this.stop();
  }

  /** Nothing is under way and nothing waits to become work. */
  #isQuiet(): boolean {
    return this.#frontier.leasedCount === 0 && !this.#recorder.hasPending && this.#committedAll;
  }

  async #commitLoop(): Promise<void> {
    let rotatedAt = this.#options.clock.now();
    while (!this.#stop.signal.aborted) {
      await this.#commit();
      if (this.#options.clock.now() - rotatedAt >= JOURNAL_MS) {
        this.#recorder.rotateJournal();
        rotatedAt = this.#options.clock.now();
      }
      if (this.#recorder.pendingCount < COMMIT_RESULTS) await sleep(COMMIT_MS, this.#stop.signal);
    }
  }

  async #commit(): Promise<void> {
    if (!this.#recorder.hasPending) return;
    this.#committedAll = false;
    const committed = await this.#recorder.commit();
    const left = committed.results.filter((result) => result.state !== 'ready').length;
    this.#progress.queued += committed.added.length - left;
    this.#frontier.committed(committed.results, committed.owners);
    await this.#frontier.added(committed.added);
    this.#committedAll = true;
    this.#notify();
  }

  /** Lets requests under way finish for a moment, then cuts them off; their URLs stay ready. */
  async #drain(): Promise<void> {
    const until = this.#options.clock.now() + STOP_GRACE_MS;
    while (this.#frontier.leasedCount > 0 && this.#options.clock.now() < until) await this.#change(until);
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

/** Commits that nothing is archived yet, before a file is touched: files that are there are not ours to cut. */
async function firstMarks(options: CrawlOptions): Promise<CommitMarks> {
  for (const directory of [options.archive, options.journal]) {
    if (!directory.isEmpty()) {
      throw new UsageError(
        'lost-state',
        `${directory.path} holds files of a crawl whose crawl.db is gone: restore it, or name another directory with --data`,
      );
    }
  }
  const marks = { warc: WARC_START, journal: JOURNAL_START, seenBytes: 0 };
  const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 0 };
  await options.state.commit({ ...nothing, ...marks });
  return marks;
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
