/**
 * The crawl loop: leases hosts from the frontier, and visits each of them. `commit-loop.ts` commits the results
 * at the same time, and `wire-crawl.ts` opens all parts.
 *
 *   frontier -> visit -> fetch -> parse -> decide -> record -> commit
 *
 * The links of a page become fetchable when the page is committed. Back-pressure: no new request is sent while
 * `MAX_PENDING` results or `maxHeldBytes` of bodies wait for their commit.
 */

import { type Clock, isMemoryFull, type Log } from '../base/mod.ts';
import { type CanonicalUrl, fingerprint, type UrlRules } from '../url/mod.ts';
import type { CommitLoop } from './commit-loop.ts';
import type { CrawlProgress, CrawlSnapshot } from './crawl-progress.ts';
import type { Fetcher } from './fetch/mod.ts';
import type { Domains, Frontier, HostQueue, Importance } from './frontier/mod.ts';
import { linksTo, type ResponseParser } from './parsing/mod.ts';
import type { Recorder } from './recorder.ts';
import type { Signal } from './signal.ts';
import type { Visitor } from './visit/mod.ts';

const MAX_PENDING = 2048;
/** Time that requests in flight get to finish when the crawl is stopped. */
const STOP_GRACE_MS = 1_000;
/**
 * Longest time that the crawl loop waits for a notification: MAX_WAIT_MS if the frontier knows when the next host is
 * ready, CHECK_MS if it does not.
 */
const CHECK_MS = 1_000;
const MAX_WAIT_MS = 60_000;

interface CrawlerOptions {
  frontier: Frontier;
  visitor: Visitor;
  recorder: Recorder;
  commits: CommitLoop;
  parser: ResponseParser;
  fetcher: Fetcher;
  urlRules: UrlRules;
  importance: Importance;
  domains: Domains;
  progress: CrawlProgress;
  /** Signal that wakes the crawl loop when there may be work or capacity again. */
  changed: Signal;
  clock: Clock;
  log: Log;
  /** Maximum number of requests in flight, over all hosts. */
  concurrency: number;
  maxPages: number;
  /** Maximum total size of the response bodies that wait for their commit. */
  maxHeldBytes: number;
  /** True if the crawl continues to run when no work is left, and waits for parked hosts and new seeds. */
  keepRunning: boolean;
  /** Returns false while this process may not send requests. */
  mayFetch: () => boolean;
}

export class Crawler {
  readonly #options: CrawlerOptions;
  readonly #stop = new AbortController();
  #graceMs = STOP_GRACE_MS;
  #failure: unknown = null;
  #isPaused = false;
  #isHeldBack = false;
  #isDiskFull = false;

  constructor(options: CrawlerOptions) {
    this.#options = options;
  }

  async addSeeds(urls: readonly CanonicalUrl[]): Promise<void> {
    const { domains } = this.#options;
    await this.#discover(urls, (url) => domains.addSeed(url));
  }

  /**
   * Queues URLs that a person asks for. A known URL becomes ready again, whatever its last result was. Robots.txt, URL
   * rules, budgets and politeness hold as for every other URL.
   */
  async fetchNow(urls: readonly CanonicalUrl[]): Promise<void> {
    const { commits, urlRules } = this.#options;
    const wanted = urls.map((url) => urlRules.decide(url, 0)).filter(({ verb }) => verb !== 'ignore');
    await commits.wake(wanted.map(({ url }) => fingerprint(url)));
    await this.#discover(urls, () => {});
  }

  /**
   * Fetches all known URLs of hosts again, including those that failed. Robots.txt, URL rules, budgets and politeness
   * hold as for every other URL.
   */
  async fetchHostsNow(origins: readonly string[]): Promise<void> {
    await this.#options.commits.wakeHosts(origins);
  }

  async #discover(urls: readonly CanonicalUrl[], onAccepted: (url: CanonicalUrl) => void): Promise<void> {
    const { urlRules, recorder, log, changed } = this.#options;
    for (const seed of urls) {
      const { verb, rule, url } = urlRules.decide(seed, 0);
      if (verb === 'ignore') {
        log.warn('seed ignored', { seed, rule });
        continue;
      }
      onAccepted(url);
      const links = linksTo([url], 0);
      await recorder.discovered(verb === 'follow' ? { ...links, followOnly: [0] } : links, null);
    }
    changed.notify();
  }

  /** Uses the PageRank of known URLs, relative to the average page, to order the URLs in the frontier. */
  useRanks(relativeRankOf: (fingerprint: bigint) => number): void {
    this.#options.importance.useRanks(relativeRankOf);
  }

  snapshot(): CrawlSnapshot {
    const { frontier, progress, recorder } = this.#options;
    const { waitingCount, leasedCount } = frontier;
    const hosts = { activeHosts: waitingCount + leasedCount, underWay: leasedCount };
    return progress.snapshot(hosts, recorder.journalFiles);
  }

  /** Runs the crawl. Resolves when no work is left, or after `stop`; rejects when the disk or the state fails. */
  async run(): Promise<void> {
    const commits = this.#options.commits.run(this.#stop.signal).catch((error: unknown) => this.#fail(error));
    try {
      await this.#leaseLoop();
      await this.#drain();
    } finally {
      this.stop();
      await commits;
    }
    try {
      if (this.#failure) throw this.#failure;
      await this.#options.commits.commit(true);
      this.#options.recorder.rotateJournal();
    } finally {
      this.#options.recorder.close();
      await this.#options.parser.close();
      await this.#options.fetcher.close();
    }
  }

  /** Resolves when all links that were received before the call are committed. */
  untilCommitted(): Promise<void> {
    return this.#options.recorder.untilCommitted();
  }

  /** Sends no new requests until `resume`; requests in flight finish and are committed. */
  pause(): void {
    this.#isPaused = true;
    this.#options.progress.paused();
  }

  resume(): void {
    this.#isPaused = false;
    this.#options.progress.resumed();
    this.#options.changed.notify();
  }

  /** Pauses the crawl while `isHeldBack` is true, because a later stage such as indexing is overloaded. */
  holdBack(isHeldBack: boolean): void {
    this.#isHeldBack = isHeldBack;
    if (!isHeldBack) this.#options.changed.notify();
  }

  /** Sends no new requests while the disk is nearly full; pages in flight are committed. */
  diskFull(isFull: boolean): void {
    this.#isDiskFull = isFull;
    this.#options.progress.diskFull(isFull);
    if (!isFull) this.#options.changed.notify();
  }

  /**
   * Stops the crawl gracefully: sends no new requests, waits up to `graceMs` for requests in flight, then commits once
   * more. Safe to call at any time.
   */
  stop(graceMs = STOP_GRACE_MS): void {
    if (this.#stop.signal.aborted) return;
    this.#graceMs = graceMs;
    const { progress, keepRunning, changed } = this.#options;
    // A crawl with `keepRunning` gets work again when a page is due for a revisit, so its final state is "stopped",
    // never "done".
    if (progress.state !== 'done' || keepRunning) progress.stopped();
    this.#stop.abort();
    changed.notify();
  }

  async #leaseLoop(): Promise<void> {
    const { frontier, recorder, progress, keepRunning } = this.#options;
    while (!this.#stop.signal.aborted && this.#failure === null) {
      if (this.#isPaused || this.#isHeldBack || this.#isDiskFull || this.#isFull()) {
        await this.#change();
        continue;
      }
      const next = await frontier.next();
      if (next.kind === 'lease') {
        this.#visit(next.host);
        continue;
      }
      const waiting = next.kind === 'wait';
      if (!(waiting && next.active) && this.#isQuiet()) {
        recorder.rotateJournal();
        progress.finished();
        if (frontier.fetchesIconsOnly) return this.#finish();
        if (!keepRunning) return;
      } else {
        progress.gotWork();
      }
      await this.#change(waiting ? next.until : undefined);
    }
  }

  /** Starts the visit of a leased host; the loop continues with the next host. */
  #visit(host: HostQueue): void {
    const { visitor, changed } = this.#options;
    void visitor.visit(host).then(
      () => changed.notify(),
      (error: unknown) => this.#fail(error),
    );
  }

  #isFull(): boolean {
    const { concurrency, maxPages, maxHeldBytes, progress, frontier, parser, recorder, mayFetch } =
      this.#options;
    if (!mayFetch()) return true;
    if (progress.fetchedCount >= maxPages) frontier.fetchIconsOnly();
    else if (progress.fetchedCount + this.#underWay >= maxPages) return true;
    // If memory is full, the crawl sends one request at a time: it becomes slow but does not stop.
    const isBusy = this.#underWay - parser.slowCount >= (isMemoryFull() ? 1 : concurrency);
    return isBusy || recorder.pendingCount >= MAX_PENDING || parser.heldBytes >= maxHeldBytes;
  }

  /** Number of visits in flight whose results are not recorded yet. */
  get #underWay(): number {
    return this.#options.frontier.leasedCount + this.#options.visitor.parsingCount;
  }

  /** Ends a crawl that has fetched `maxPages` pages and the icons of their sites. */
  #finish(): void {
    this.stop();
    this.#options.progress.finished();
  }

  /** True if no visit is in flight and no pending result can still add URLs to the frontier. */
  #isQuiet(): boolean {
    return this.#underWay === 0 && this.#options.commits.isIdle;
  }

  /**
   * Waits up to `#graceMs` for requests in flight, then aborts them. Pages that take long to parse are not
   * awaited. Their URLs stay ready for the next run.
   */
  async #drain(): Promise<void> {
    const until = this.#options.clock.now() + this.#graceMs;
    const isWorthWaiting = () => this.#underWay > this.#options.parser.slowCount;
    while (isWorthWaiting() && this.#options.clock.now() < until) await this.#change(until);
    this.#options.visitor.abandon();
    this.#options.parser.abandon();
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.stop();
  }

  /** Resolves at the next notification of the crawl loop, or at the time `until`. */
  #change(until?: number): Promise<void> {
    const { changed, clock } = this.#options;
    return changed.wait(until === undefined ? CHECK_MS : Math.min(until - clock.now(), MAX_WAIT_MS));
  }
}
