/** The crawl of `gyre up`: a thread that can be stopped and started again while the other stages continue. */
import type { Directory } from '../../base/mod.ts';
import type { CrawlSnapshot } from '../../crawl/mod.ts';
import { stderrLog } from '../output.ts';
import { watchCommands } from '../sessions/control.ts';
import type { LocalCrawl } from '../sessions/crawl-control.ts';
import { freeBytesOf } from '../sessions/disk-space.ts';
import type { Config } from '../settings/mod.ts';
import type { CrawlThreadInput } from './crawl-thread.ts';
import { restartWithSpace, startThread, type Thread } from './thread.ts';
import type { UpProgress } from './up-progress.ts';

/** Free space with which a stage starts again after the disk was full, if `crawl.minFreeSpace` is less. */
const RESTART_BYTES = 2 ** 20;

export class CrawlStage implements LocalCrawl {
  #config: Config;
  readonly #root: Directory;
  readonly #progress: UpProgress;
  readonly #failed = Promise.withResolvers<never>();
  #thread: Thread | null = null;
  #isStopping = false;
  /** True if the crawl starts again when its thread has ended. */
  #isRestarting = false;
  #unfollow: () => void = () => {};

  constructor(config: Config, root: Directory, progress: UpProgress) {
    this.#config = config;
    this.#root = root;
    this.#progress = progress;
  }

  get isRunning(): boolean {
    return this.#thread !== null;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get config(): Config {
    return this.#config;
  }

  /** Promise that rejects when the crawl fails; it never resolves. */
  get failed(): Promise<never> {
    return this.#failed.promise;
  }

  start(): void {
    this.#isStopping = false;
    if (this.#thread) {
      this.#isRestarting = true;
      return;
    }
    this.#unfollow();
    this.#progress.isHalted = false;
    this.#progress.started();
    const config = this.#config;
    const start = () =>
      startThread<CrawlThreadInput, CrawlSnapshot>(
        new URL('./crawl-thread.ts', import.meta.url),
        { config },
        (snapshot) => this.#progress.crawled(snapshot),
      );
    const thread = restartWithSpace(start, spaceFor('crawl', config));
    this.#thread = thread;
    thread.ended.then(
      () => this.#ended(),
      (error: unknown) => this.#failed.reject(error),
    );
  }

  /**
   * Handles the end of the crawl thread. While no crawl thread runs, this object watches for the command `gyre stop`.
   */
  #ended(): void {
    this.#thread = null;
    this.#isStopping = false;
    if (this.#isRestarting) {
      this.#isRestarting = false;
      this.start();
      return;
    }
    const stop = () => this.#progress.stopped();
    this.#unfollow = watchCommands(this.#root, { pause() {}, resume() {}, stop });
  }

  /** Uses another configuration. A running crawl thread ends and starts again, which takes about a second. */
  reconfigure(config: Config): void {
    this.#config = config;
    if (!this.#thread) return;
    this.#isRestarting = true;
    this.#progress.isHalted = true;
    this.#thread.stop();
  }

  stop(): void {
    this.#isRestarting = false;
    this.#isStopping = this.#thread !== null;
    this.#progress.isHalted = true;
    this.#thread?.stop();
  }

  async end(): Promise<void> {
    this.#isRestarting = false;
    this.#thread?.stop();
    await this.#thread?.ended;
    this.#unfollow();
  }
}

/** Returns what a stage needs to wait for space after the disk was full. */
export function spaceFor(name: string, config: Config): Parameters<typeof restartWithSpace>[1] {
  const leastBytes = Math.max(config.crawl.minFreeSpaceBytes, RESTART_BYTES);
  return { name, log: stderrLog(config), hasSpace: () => freeBytesOf(config.data) > leastBytes };
}
