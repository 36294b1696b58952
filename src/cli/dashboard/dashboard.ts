/**
 * The dashboard of a data directory: the facts that `serve/` shows, and the changes that operators make.
 *
 *   crawl state   read by a thread (dashboard-thread.ts), because a scan of all URLs may take a second
 *   index, disk   read here: the manifest is small, and sizes are read asynchronously
 */
import { type Clock, type Log, messageOf, systemClock } from '../../base/mod.ts';
import type { PopularQueries } from '../../query/mod.ts';
import type { AdminTools, Dashboard, StoredFacts } from '../../serve/mod.ts';
import type { ChangeableConfig } from '../changes/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import type { Config } from '../settings/mod.ts';
import { crawlActions } from './crawl-actions.ts';
import { DashboardWorker } from './dashboard-worker.ts';
import { DiskWatch } from './disk-watch.ts';
import { hostActions } from './host-actions.ts';
import { IndexWatch } from './index-watch.ts';
import { Pace } from './pace.ts';

const MAX_QUERIES = 10;
const DISK_MS = 30_000;

export interface DashboardOptions {
  data: DataDirectory;
  config: Config;
  changeable: ChangeableConfig;
  tools: AdminTools;
  popular: PopularQueries | null;
  isCrawling: boolean;
  log: Log;
}

export function openDashboard(options: DashboardOptions): { dashboard: Dashboard; close(): Promise<void> } {
  const { data, config, popular, log } = options;
  const worker = new DashboardWorker(() => options.changeable.reload(data.root.path));
  const facts = new FactReader(options, worker, systemClock);
  const timer = setInterval(() => void facts.refreshDisk(), DISK_MS);
  timer.unref();
  const dashboard: Dashboard = {
    memoryLimitBytes: config.memoryBytes,
    facts: () => ({ ...facts.facts, queries: popular ? popular.mostFrequent(MAX_QUERIES) : null }),
    refreshFacts: () =>
      facts.refresh().catch((error: unknown) => {
        log.warn('facts of the dashboard not read', { reason: messageOf(error) });
      }),
    hosts: hostActions(options, worker),
    crawl: crawlActions(options, worker),
  };
  const close = async () => {
    clearInterval(timer);
    await worker.close();
  };
  return { dashboard, close };
}

class FactReader {
  facts: Omit<StoredFacts, 'queries'> = { frontier: null, index: null, disk: null };
  readonly #worker: DashboardWorker;
  readonly #index: IndexWatch;
  readonly #disk: DiskWatch;
  readonly #pace: Pace;
  #reading: Promise<void> | null = null;

  constructor({ data }: DashboardOptions, worker: DashboardWorker, clock: Clock) {
    this.#worker = worker;
    this.#index = new IndexWatch(data, clock);
    this.#disk = new DiskWatch(data.root.path, clock);
    this.#pace = new Pace(clock);
  }

  /** Reads the facts again if they are old. Reading takes at most one hundredth of the time. */
  async refresh(): Promise<void> {
    if (this.#reading === null && !this.#pace.isDue) return;
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async refreshDisk(): Promise<void> {
    const disk = await this.#disk.look().catch(() => null);
    this.facts = { ...this.facts, disk };
  }

  async #read(): Promise<void> {
    const index = this.#index.look();
    const { frontier, tookMs } = await this.#worker.frontier();
    this.#pace.read(tookMs);
    if (this.#disk.isDue) await this.refreshDisk();
    this.facts = { ...this.facts, frontier, index };
  }
}
