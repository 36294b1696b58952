/**
 * The frontier: which host may be asked next, and when.
 *
 *   committed URLs -> queue of their host -> heap of hosts by `nextFetchAt` -> lease
 *
 * Invariant: a host is in the heap if and only if it has URLs and is not leased. So a host never
 * sees two requests at once, and the head of the heap is the earliest moment at which any request is
 * polite: to wait for work is to wait until then.
 *
 * Only URLs that are committed enter a queue. A crash can therefore never forget a host that has been
 * asked something, and after a restart each host with work waits one delay before it is asked again:
 * the request that was under way when we died may have been a moment ago.
 *
 * A queue holds a page of a host's URLs; the rest stays on disk. A URL that was taken is `uncommitted`
 * until its result is, and is skipped when the next page is read, because on disk it is still ready.
 *
 * Does not fetch, and knows nothing of robots.txt; `crawler.ts` does, and says when the host is next.
 */
import { type Clock, Heap } from '../base/mod.ts';
import type { CrawlState, HostRow, ReadyUrl, UrlResult } from './crawl-state.ts';
import type { RobotsStep } from './robots-fetch.ts';
import { parseRobots, type RobotsRules } from './robots-rules.ts';

const QUEUE_PAGE = 64;

/** A host that may be asked something now, by the holder of the lease alone. */
export class HostQueue {
  readonly row: HostRow;
  rules: RobotsRules | null = null;
  /** Set while robots.txt is being followed through redirects. */
  robotsStep: RobotsStep | null = null;
  urls: ReadyUrl[] = [];
  moreOnDisk = true;
  leased = false;
  readonly uncommitted = new Set<bigint>();

  constructor(row: HostRow) {
    this.row = row;
  }

  get hasWork(): boolean {
    return this.urls.length > 0 || this.moreOnDisk;
  }

  get isIdle(): boolean {
    return !this.hasWork && !this.leased && this.uncommitted.size === 0;
  }

  /** The next URL to fetch; its result must be committed, whatever it is. */
  take(): ReadyUrl | undefined {
    const url = this.urls.shift();
    if (url) this.uncommitted.add(url.fingerprint);
    return url;
  }
}

export type NextLease =
  | { kind: 'lease'; host: HostQueue }
  | { kind: 'wait'; until: number; active: boolean }
  | { kind: 'empty' };

export class Frontier {
  readonly #state: CrawlState;
  readonly #clock: Clock;
  readonly #productToken: string;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #heap = new Heap<HostQueue>((a, b) => a.row.nextFetchAt < b.row.nextFetchAt);
  #leased = 0;
  #active = 0;

  constructor(state: CrawlState, clock: Clock, productToken: string) {
    this.#state = state;
    this.#clock = clock;
    this.#productToken = productToken;
  }

  /** Takes up the work that an earlier run left behind. */
  async resume(minDelayMs: number): Promise<void> {
    const now = this.#clock.now();
    for (const row of await this.#state.hostsWithWork()) {
      row.nextFetchAt = Math.max(row.nextFetchAt, now + Math.max(row.delayMs, minDelayMs));
      this.#enter(this.#remember(row));
    }
  }

  get leasedCount(): number {
    return this.#leased;
  }

  get waitingCount(): number {
    return this.#heap.size;
  }

  /** `active` tells whether any waiting host is not set aside: if none is, the crawl is done for now. */
  async next(): Promise<NextLease> {
    for (;;) {
      const host = this.#heap.peek();
      if (!host) return { kind: 'empty' };
      if (host.row.nextFetchAt > this.#clock.now()) {
        return { kind: 'wait', until: host.row.nextFetchAt, active: this.#active > 0 };
      }
      this.#leave(host);
      if (host.urls.length === 0) await this.#refill(host);
      if (host.urls.length > 0) return { kind: 'lease', host };
      this.release(host);
    }
  }

  /** Ends a lease; the holder has set `row.nextFetchAt`. */
  release(host: HostQueue): void {
    host.leased = false;
    this.#leased--;
    if (host.hasWork) this.#enter(host);
  }

  /** Results are on disk: their URLs may be read again, which matters for those that are still ready. */
  committed(results: readonly UrlResult[], owners: ReadonlyMap<bigint, HostQueue>): void {
    for (const result of results) {
      const host = owners.get(result.fingerprint)!;
      host.uncommitted.delete(result.fingerprint);
      if (result.state === 'ready') this.#wake(host);
      else if (host.isIdle) this.#hosts.delete(host.row.origin);
    }
  }

  /** New URLs of these origins are on disk. */
  async added(origins: Iterable<string>): Promise<void> {
    for (const origin of origins) {
      const known = this.#hosts.get(origin);
      if (known) this.#wake(known);
      else this.#enter(this.#remember((await this.#state.host(origin))!));
    }
  }

  #wake(host: HostQueue): void {
    const wasWaiting = host.hasWork && !host.leased;
    host.moreOnDisk = true;
    if (!wasWaiting && !host.leased) this.#enter(host);
  }

  #remember(row: HostRow): HostQueue {
    const host = new HostQueue(row);
    if (row.robots) host.rules = rulesOf(row, this.#productToken);
    this.#hosts.set(row.origin, host);
    return host;
  }

  #enter(host: HostQueue): void {
    if (host.row.setAside === '') this.#active++;
    this.#heap.push(host);
  }

  #leave(host: HostQueue): void {
    this.#heap.pop();
    if (host.row.setAside === '') this.#active--;
    host.leased = true;
    this.#leased++;
  }

  async #refill(host: HostQueue): Promise<void> {
    host.moreOnDisk = false;
    const limit = QUEUE_PAGE + host.uncommitted.size;
    const urls = await this.#state.readyUrls(host.row.id, limit);
    if (urls.length === limit) host.moreOnDisk = true;
    host.urls = urls.filter((url) => !host.uncommitted.has(url.fingerprint));
  }
}

export function rulesOf(row: HostRow, productToken: string): RobotsRules | null {
  if (!row.robots) return null;
  return parseRobots(row.robots.kind === 'rules' ? row.robots.body : new Uint8Array(), productToken);
}
