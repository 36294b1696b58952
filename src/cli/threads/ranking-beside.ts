/**
 * Runs rankings beside the index build, each in a thread of its own. A ranking reads the journal and writes files of
 * `graph/`; the index thread applies its result between two batches of pages.
 *
 *   offer -> running -> finished -> takeFinished -> (applied by the caller)
 *
 * One ranking runs at a time. It covers the pages that were indexed when it began.
 */
import { askThread, type Log, messageOf } from '../../base/mod.ts';
import { isRankingDue } from '../../graph/mod.ts';
import type { Config } from '../settings/mod.ts';

/** The request to the rank thread. */
export interface RankRequest {
  config: Config;
}

/** Computes the ranks of all pages in the journal in a thread; ends the thread when the signal is aborted. */
export async function rankInThread(request: RankRequest, signal: AbortSignal): Promise<void> {
  await askThread<RankRequest>(new URL('./rank-thread.ts', import.meta.url), request, signal);
}

/** Number of documents in the index, number of its changes so far, and time of the last change. */
interface IndexState {
  docs: number;
  changes: number;
  changedAt: number;
}

export class RankingBeside {
  readonly #rank: () => Promise<void>;
  readonly #log: Log;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  /** The state of the index when the last ranking began. */
  #begun = { docs: 0, changes: 0 };
  #isFinished = false;

  constructor(rank: () => Promise<void>, log: Log, now: () => number) {
    this.#rank = rank;
    this.#log = log;
    this.#now = now;
  }

  /** Starts a ranking if one is due, unless another one runs or waits to be applied. */
  offer({ docs, changes, changedAt }: IndexState): void {
    if (this.#running || this.#isFinished || changes === this.#begun.changes) return;
    const unchangedMs = this.#now() - changedAt;
    if (!isRankingDue({ size: docs, rankedSize: this.#begun.docs, unchangedMs })) return;
    this.#begun = { docs, changes };
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Returns true once after each successful ranking, so that the caller applies its result. */
  takeFinished(): boolean {
    const isFinished = this.#isFinished;
    this.#isFinished = false;
    return isFinished;
  }

  /**
   * Returns true if the last ranking began after all `changes` of the index, and is over: its result was
   * applied, or it failed.
   */
  covers(changes: number): boolean {
    return this.#running === null && !this.#isFinished && this.#begun.changes === changes;
  }

  /** Waits for the running ranking. To stop it, abort its signal first. */
  async end(): Promise<void> {
    await this.#running;
  }

  /** Runs a ranking. If it fails, the old ranks stay in use and searching continues. */
  async #run(): Promise<void> {
    try {
      await this.#rank();
      this.#isFinished = true;
    } catch (error) {
      this.#log.error('ranking failed', { reason: messageOf(error) });
    }
  }
}
