/**
 * Commits results at regular intervals, and tells the frontier what the commit has changed.
 *
 *   recorder -> commit -> frontier: new URLs, committed results, admitted hosts
 *                      -> canonical claims and mirrors: derived records for the next commit
 *
 * A commit happens every `commitMs`, or at once when `COMMIT_RESULTS` results are pending. Every `JOURNAL_MS`
 * the current journal file is finished, so that the next stages can read it. In a crawl that keeps running,
 * URLs that are due become ready every `WAKE_MS`.
 */
import { type Clock, sleep } from '../base/mod.ts';
import type { CrawlProgress } from './crawl-progress.ts';
import type { Domains, Frontier } from './frontier/mod.ts';
import type { CanonicalClaims, MirrorHosts } from './identity/mod.ts';
import type { PolitenessLedger } from './politeness-ledger.ts';
import type { Recorder } from './recorder.ts';
import type { Signal } from './signal.ts';
import type { CrawlState, UrlResult, Woken } from './state/mod.ts';

export const COMMIT_MS = 250;
/**
 * Number of pending results that triggers a commit. With pages of average size, a batch of 128 results takes at most
 * half of `maxHeldBytes` (12 MiB by default). The other half is for pages that are fetched during the commit.
 */
const COMMIT_RESULTS = 128;
const JOURNAL_MS = 3_000;
/**
 * WAKE_MS is the interval between checks for URLs that are due for a revisit. WAKE_URLS is the maximum number of URLs
 * that one check makes ready.
 */
const WAKE_MS = 1_000;
const WAKE_URLS = 4_096;

interface CommitLoopOptions {
  state: CrawlState;
  recorder: Recorder;
  ledger: Pick<PolitenessLedger, 'delayed'>;
  frontier: Frontier;
  domains: Domains;
  claims: CanonicalClaims;
  mirrors: MirrorHosts;
  progress: CrawlProgress;
  clock: Clock;
  /** Signal that wakes the crawl loop after a commit or another event that may have produced work. */
  changed: Signal;
  /** True if URLs that become due for a revisit while the crawl runs are fetched again. */
  wakesUrls: boolean;
  commitMs: number;
}

export class CommitLoop {
  readonly #options: CommitLoopOptions;
  #isCommitting = false;

  constructor(options: CommitLoopOptions) {
    this.#options = options;
  }

  /** True if all results are committed, so that no pending result can still add URLs to the frontier. */
  get isIdle(): boolean {
    return !this.#isCommitting && !this.#options.recorder.hasPending;
  }

  /** Commits results at regular intervals until the signal `stop` is aborted. */
  async run(stop: AbortSignal): Promise<void> {
    const { recorder, clock, wakesUrls, commitMs } = this.#options;
    let rotatedAt = clock.now();
    let wokenAt = clock.now();
    while (!stop.aborted) {
      await this.commit();
      if (clock.now() - rotatedAt >= JOURNAL_MS) {
        recorder.rotateJournal();
        rotatedAt = clock.now();
      }
      if (wakesUrls && clock.now() - wokenAt >= WAKE_MS) {
        await this.wakeUrls();
        wokenAt = clock.now();
      }
      if (recorder.pendingCount < COMMIT_RESULTS) await sleep(commitMs, stop);
    }
  }

  async commit(isLast = false): Promise<void> {
    const { state, recorder, ledger, frontier, domains, progress, clock, changed } = this.#options;
    for (const row of frontier.takeNewWaitReasons()) {
      recorder.hostChanged(row);
      if (row.waitReason) ledger.delayed(row.origin, row.waitReason.code, row.nextFetchAt - clock.now());
    }
    if (!recorder.hasPending && !(isLast && domains.hasUnwrittenLinks)) return;
    this.#isCommitting = true;
    const committed = await recorder.commit(isLast);
    const left = committed.results.filter((result) => result.state !== 'ready').length;
    progress.queueChanged(committed.added.length - left);
    frontier.committed(committed.results, committed.owners, committed.rows);
    await frontier.added(committed.added);
    if ((await state.admitHosts(domains.hostBudget)) > 0) frontier.hostsAdmitted();
    await this.#conclude(committed.results);
    this.#isCommitting = false;
    changed.notify();
  }

  /** Makes URLs ready that are due for a revisit; returns false if none were due. */
  async wakeUrls(): Promise<boolean> {
    const { state, clock } = this.#options;
    return this.#woke(await state.wakeDue(clock.now(), WAKE_URLS));
  }

  /** Makes known URLs ready at once; returns false if none of them were waiting. */
  async wake(fingerprints: readonly bigint[]): Promise<boolean> {
    return this.#woke(await this.#options.state.wake(fingerprints));
  }

  /** Makes all known URLs of hosts ready at once; returns false if none of them were waiting. */
  async wakeHosts(origins: readonly string[]): Promise<boolean> {
    return this.#woke(await this.#options.state.wakeHosts(origins));
  }

  async #woke({ origins, count }: Woken): Promise<boolean> {
    if (count === 0) return false;
    const { frontier, progress, changed } = this.#options;
    progress.queueChanged(count);
    await frontier.hostsBecameReady(origins);
    changed.notify();
    return true;
  }

  /**
   * Decides open canonical claims, and makes URLs of mirror hosts ready again if their page is missing on the primary
   * host. Runs after a commit, because both need committed results.
   */
  async #conclude(results: readonly UrlResult[]): Promise<void> {
    const { recorder, claims, mirrors } = this.#options;
    recorder.addDerivedRecords(await claims.settle(results.map(({ fingerprint }) => fingerprint)));
    await mirrors.reopen(results);
  }
}
