/**
 * The frontier: which host may be asked next, for what, and when.
 *
 *   committed URLs -> queue of their host -> heap of waiting hosts by `nextFetchAt`
 *                                         -> heap of ready hosts by importance -> lease
 *
 * Invariant: a host is in one of the heaps if and only if it has URLs and is not leased. So a host
 * never sees two requests at once. A waiting host becomes ready when its polite moment has come; of the
 * ready ones the host whose best URL is the most important goes first.
 *
 * Only URLs that are committed enter a queue. A crash can therefore never forget a host that has been
 * asked something, and after a restart each host with work waits one delay before it is asked again:
 * the request that was under way when we died may have been a moment ago.
 *
 * A queue holds some of a host's URLs, oldest first; the rest stays on disk. The choice is biased: mostly
 * the most important URL, now and then the oldest, so that nothing waits for ever. A URL that was taken
 * is `uncommitted` until its result is, and is skipped when more are read, because on disk it is still
 * ready.
 *
 * Does not fetch, and knows nothing of robots.txt; `visitor.ts` does, and says when the host is next.
 */
import { type Clock, Heap } from '../base/mod.ts';
import { originOf } from '../url/mod.ts';
import type { CrawlState, Discovered, HostRow, ReadyUrl, UrlResult } from './crawl-state.ts';
import type { GatedHost, Gates } from './gates.ts';
import type { Importance } from './importance.ts';
import type { RobotsStep } from './robots-fetch.ts';
import { parseRobots, type RobotsRules } from './robots-rules.ts';

/** URLs in memory per host; when fewer than the second are left, more are read. */
const QUEUE_PAGE = 64;
const QUEUE_LOW = 16;
/** One choice in so many is the oldest URL. */
const OLDEST_EVERY = 4;
/** No host waits longer, whatever an earlier run, perhaps with another clock, has written. */
const MAX_WAIT_MS = 24 * 3_600_000;

/** A host that may be asked something now, by the holder of the lease alone. */
export class HostQueue {
  readonly row: HostRow;
  rules: RobotsRules | null = null;
  /** Set while robots.txt is being followed through redirects. */
  robotsStep: RobotsStep | null = null;
  /** The IP address that answered last; empty until one has. */
  address = '';
  moreOnDisk = true;
  leased = false;
  /** Its entry in the heap of ready hosts; null when it has none. */
  ready: ReadyHost | null = null;
  readonly #importance: Importance;
  readonly #uncommitted = new Set<bigint>();
  #urls: ReadyUrl[] = [];
  #taken = 0;

  constructor(row: HostRow, importance: Importance) {
    this.row = row;
    this.#importance = importance;
  }

  get length(): number {
    return this.#urls.length;
  }

  get hasWork(): boolean {
    return this.#urls.length > 0 || this.moreOnDisk;
  }

  get isIdle(): boolean {
    return !this.hasWork && !this.leased && this.#uncommitted.size === 0;
  }

  /** How many of the URLs that are ready on disk are here or under way. */
  get heldCount(): number {
    return this.#urls.length + this.#uncommitted.size;
  }

  /** The score of the best URL. */
  get importance(): number {
    return this.#urls.length === 0
      ? Number.NEGATIVE_INFINITY
      : this.#importance.score(this.#urls[this.#best()]!);
  }

  /** The next URL to fetch; its result must be committed, whatever it is. */
  take(): ReadyUrl | undefined {
    if (this.#urls.length === 0) return undefined;
    const at = ++this.#taken % OLDEST_EVERY === 0 ? 0 : this.#best();
    const [url] = this.#urls.splice(at, 1);
    this.#uncommitted.add(url!.fingerprint);
    return url;
  }

  /** Takes up a URL that is new on disk, if there is room and none before it was left behind. */
  offer(url: ReadyUrl): void {
    if (!this.moreOnDisk && this.#urls.length < QUEUE_PAGE) this.#urls.push(url);
    else this.moreOnDisk = true;
  }

  /** Takes up what was read from disk, without what is here or under way. */
  refill(urls: readonly ReadyUrl[]): void {
    const held = new Set(this.#urls.map(({ fingerprint }) => fingerprint));
    const fresh = urls.filter(
      ({ fingerprint }) => !held.has(fingerprint) && !this.#uncommitted.has(fingerprint),
    );
    this.#urls.push(...fresh);
  }

  committed(fingerprint: bigint): void {
    this.#uncommitted.delete(fingerprint);
  }

  #best(): number {
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < this.#urls.length; at++) {
      const score = this.#importance.score(this.#urls[at]!);
      if (score <= bestScore) continue;
      best = at;
      bestScore = score;
    }
    return best;
  }
}

export type NextLease =
  | { kind: 'lease'; host: HostQueue }
  /** `active` tells whether any waiting host is not set aside: if none is, the crawl is done for now. */
  | { kind: 'wait'; until: number; active: boolean }
  | { kind: 'empty' };

/** A host that becomes more important while it is ready gets a second entry, and the first goes stale. */
interface ReadyHost {
  host: HostQueue;
  importance: number;
  /** Equal importance goes by turn. */
  turn: number;
}

export interface FrontierOptions {
  state: CrawlState;
  gates: Gates;
  importance: Importance;
  clock: Clock;
  productToken: string;
}

export class Frontier {
  readonly #options: FrontierOptions;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #waiting = new Heap<HostQueue>((a, b) => a.row.nextFetchAt < b.row.nextFetchAt);
  readonly #ready = new Heap<ReadyHost>((a, b) =>
    a.importance === b.importance ? a.turn < b.turn : a.importance > b.importance,
  );
  readonly #explained = new Set<HostRow>();
  #turns = 0;
  /** Until then no host is asked anything: an earlier run may have asked it a moment ago. */
  #quietUntil = 0;
  #readyCount = 0;
  #leased = 0;
  #active = 0;

  constructor(options: FrontierOptions) {
    this.#options = options;
  }

  /** Takes up the work that an earlier run left behind. */
  async resume(minDelayMs: number): Promise<void> {
    const now = this.#options.clock.now();
    this.#quietUntil = now + minDelayMs;
    for (const row of await this.#options.state.hostsWithWork()) {
      const delayMs = Math.max(row.delayMs, minDelayMs);
      row.nextFetchAt = Math.min(Math.max(row.nextFetchAt, now + delayMs), now + MAX_WAIT_MS);
      this.#enter(this.#remember(row));
    }
  }

  get leasedCount(): number {
    return this.#leased;
  }

  get waitingCount(): number {
    return this.#waiting.size + this.#readyCount;
  }

  async next(): Promise<NextLease> {
    await this.#promote();
    for (let best = this.#popReady(); best; best = this.#popReady()) {
      const opensAt = this.#options.gates.opensAt(gated(best));
      if (opensAt <= this.#options.clock.now()) return { kind: 'lease', host: this.#lease(best) };
      best.row.nextFetchAt = opensAt;
      this.#explain(best.row, this.#options.gates.reasonOf(gated(best)));
      this.#waiting.push(best);
    }
    const first = this.#waiting.peek();
    if (!first) return { kind: 'empty' };
    return { kind: 'wait', until: first.row.nextFetchAt, active: this.#active > 0 };
  }

  /** The rows of hosts that wait for another reason than the state knows, for the next commit. */
  takeExplained(): HostRow[] {
    const rows = [...this.#explained];
    this.#explained.clear();
    return rows;
  }

  #explain(row: HostRow, reason: string): void {
    if (row.waitsFor === reason) return;
    row.waitsFor = reason;
    this.#explained.add(row);
  }

  /** Ends a lease; the holder has set `row.nextFetchAt`. */
  release(host: HostQueue): void {
    host.leased = false;
    this.#leased--;
    this.#options.gates.leave(gated(host), host.row.nextFetchAt);
    if (host.hasWork) this.#enter(host);
  }

  /** Results are on disk: their URLs may be read again, which matters for those that are still ready. */
  committed(results: readonly UrlResult[], owners: ReadonlyMap<bigint, HostQueue>): void {
    for (const result of results) {
      const host = owners.get(result.fingerprint)!;
      host.committed(result.fingerprint);
      if (result.state === 'ready') this.#give(host, () => (host.moreOnDisk = true));
      else if (host.isIdle) this.#hosts.delete(host.row.origin);
    }
  }

  /** These URLs are new on disk. */
  async added(urls: readonly Discovered[]): Promise<void> {
    for (const url of urls) {
      const origin = originOf(url.url);
      const known = this.#hosts.get(origin);
      if (known) this.#give(known, () => known.offer({ ...url, attempts: 0 }));
      else this.#enter(this.#remember((await this.#options.state.host(origin))!));
    }
  }

  /** These hosts have URLs on disk that are ready again. */
  async woken(origins: readonly string[]): Promise<void> {
    for (const origin of origins) {
      const known = this.#hosts.get(origin);
      if (known) this.#give(known, () => (known.moreOnDisk = true));
      else this.#enter(this.#remember((await this.#options.state.host(origin))!));
    }
  }

  /**
   * Asks for leave to send one request to a host that is not leased. 0 grants it, and `leaveAsGuest` must
   * follow; anything else is the moment at which to ask again. It is granted when a lease would be.
   */
  async enterAsGuest(origin: string): Promise<number> {
    const host = this.#hosts.get(origin);
    const row = host?.row ?? (await this.#options.state.host(origin));
    const place = { origin, address: host?.address ?? '' };
    const opensAt = Math.max(row?.nextFetchAt ?? 0, this.#quietUntil, this.#options.gates.opensAt(place));
    if (opensAt > this.#options.clock.now()) return opensAt;
    this.#options.gates.enter(place);
    return 0;
  }

  /** Whether a lease of the one is enough to ask the other. */
  areOne(origin: string, other: string): boolean {
    return this.#options.gates.areOne(origin, other);
  }

  leaveAsGuest(origin: string, delayMs: number): void {
    this.#options.gates.leaveAsGuest({ origin, address: '' }, delayMs);
  }

  /** Gives a host work; one that had none enters the heap. */
  #give(host: HostQueue, give: () => void): void {
    const wasOut = !host.hasWork && !host.leased;
    give();
    if (wasOut) this.#enter(host);
    else if (host.ready && host.importance > host.ready.importance) this.#pushReady(host);
  }

  #remember(row: HostRow): HostQueue {
    const host = new HostQueue(row, this.#options.importance);
    host.rules = rulesOf(row, this.#options.productToken);
    this.#hosts.set(row.origin, host);
    return host;
  }

  #enter(host: HostQueue): void {
    if (host.row.setAside === '') this.#active++;
    this.#waiting.push(host);
  }

  #lease(host: HostQueue): HostQueue {
    if (host.row.setAside === '') this.#active--;
    host.leased = true;
    this.#leased++;
    this.#options.gates.enter(gated(host));
    return host;
  }

  /** Moves hosts whose moment has come to the ready heap; one that turns out to have no URL leaves. */
  async #promote(): Promise<void> {
    const now = this.#options.clock.now();
    for (let host = this.#waiting.peek(); host && host.row.nextFetchAt <= now; host = this.#waiting.peek()) {
      this.#waiting.pop();
      if (host.moreOnDisk && host.length < QUEUE_LOW) await this.#refill(host);
      if (host.length > 0) this.#makeReady(host);
      else if (host.moreOnDisk) this.#waiting.push(host);
      else if (host.row.setAside === '') this.#active--;
    }
  }

  #makeReady(host: HostQueue): void {
    this.#readyCount++;
    this.#pushReady(host);
  }

  #pushReady(host: HostQueue): void {
    host.ready = { host, importance: host.importance, turn: ++this.#turns };
    this.#ready.push(host.ready);
  }

  #popReady(): HostQueue | undefined {
    for (let best = this.#ready.pop(); best; best = this.#ready.pop()) {
      if (best !== best.host.ready) continue;
      best.host.ready = null;
      this.#readyCount--;
      return best.host;
    }
    return undefined;
  }

  /** Reads more URLs. Meanwhile the host counts as leased, so that nobody enters it a second time. */
  async #refill(host: HostQueue): Promise<void> {
    host.moreOnDisk = false;
    host.leased = true;
    const limit = QUEUE_PAGE + host.heldCount;
    const urls = await this.#options.state.readyUrls(host.row.id, limit);
    host.leased = false;
    if (urls.length === limit) host.moreOnDisk = true;
    host.refill(urls);
  }
}

function gated(host: HostQueue): GatedHost {
  return { origin: host.row.origin, address: host.address };
}

export function rulesOf(row: HostRow, productToken: string): RobotsRules | null {
  if (!row.robots) return null;
  return parseRobots(row.robots.kind === 'rules' ? row.robots.body : new Uint8Array(), productToken);
}
