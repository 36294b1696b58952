/** Starts the thread of the dashboard for the first request, and ends it after a time without requests. */
import { WorkerChannel } from '../../base/mod.ts';
import type { CrawledHost, HostListing, HostSearch, RuleTest } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';
import type { DashboardReply, DashboardRequest, FrontierReply } from './dashboard-thread.ts';

const IDLE_MS = 60_000;

type Channel = WorkerChannel<DashboardRequest, DashboardReply>;

export class DashboardWorker {
  readonly #configOf: () => Config;
  #channel: Channel | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** `configOf` returns the present configuration. */
  constructor(configOf: () => Config) {
    this.#configOf = configOf;
  }

  /** Reads the frontier; `tookMs` is the time that the thread needed. */
  frontier(): Promise<FrontierReply> {
    return this.#ask({ kind: 'frontier', config: this.#configOf() }) as Promise<FrontierReply>;
  }

  hosts(search: HostSearch): Promise<HostListing> {
    return this.#ask({ kind: 'hosts', config: this.#configOf(), search }) as Promise<HostListing>;
  }

  host(origin: string): Promise<CrawledHost | null> {
    return this.#ask({ kind: 'host', config: this.#configOf(), origin }) as Promise<CrawledHost | null>;
  }

  /** Compares the present rules with those of another configuration. */
  testRules(then: Config): Promise<RuleTest> {
    return this.#ask({ kind: 'rules', config: this.#configOf(), then }) as Promise<RuleTest>;
  }

  async close(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const channel = this.#channel;
    this.#channel = null;
    await channel?.close();
  }

  async #ask(request: DashboardRequest): Promise<DashboardReply> {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
    this.#channel ??= this.#start();
    return this.#channel.ask(request);
  }

  #start(): Channel {
    const channel: Channel = new WorkerChannel(new URL('./dashboard-thread.ts', import.meta.url), {});
    void channel.ended.then(() => {
      if (this.#channel === channel) this.#channel = null;
    });
    return channel;
  }
}
