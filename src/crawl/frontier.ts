/**
 * The frontier: which host may be asked next, for what, and when.
 *
 *   front queues on disk -> working set of hosts, a back queue each -> heap of waiting hosts by `nextFetchAt`
 *                                                                   -> heap of ready hosts by importance -> lease
 *
 * Invariant: a host is in one of the heaps if and only if it is in memory, has URLs, is not leased and is not
 * leaving. So a host never sees two requests at once. A waiting host becomes ready when its polite moment has
 * come; of the ready ones the host whose best URL is the most important goes first.
 *
 * Memory is bounded: at most `workingHosts` hosts, fewer if they have huge robots files, with a page of URLs
 * each. As long as all hosts with work fit, they are all in memory, and importance alone decides. When they do
 * not, those on disk come in by the front queues, and a host in memory leaves after a turn of `TURN` URLs, or
 * when it must wait long. A host that is set aside always leaves. It leaves when all of it is committed, so
 * that it is never read back from disk with an older state than it had.
 *
 * Besides its URLs a host may have an icon to be asked for (site-icon.ts): that is work too, of little importance. When the
 * crawl has all the pages that it was to fetch, it is the only work left (`keepToIcons`).
 *
 * Only URLs that are committed enter a queue. A crash can therefore never forget a host that has been
 * asked something, and after a restart each host waits one delay before it is asked again: the request that
 * was under way when we died may have been a moment ago.
 *
 * Does not fetch, and knows nothing of robots.txt; `visitor.ts` does, and says when the host is next.
 */
import { type Clock, Heap } from '../base/mod.ts';
import { originOf } from '../url/mod.ts';
import type { CrawlState, Discovered, HostRow, UrlResult } from './crawl-state.ts';
import { FrontQueues } from './front-queues.ts';
import { addressReason, type GatedHost, type Gates } from './gates.ts';
import { HostQueue, QUEUE_PAGE, rulesOf } from './host-queue.ts';
import type { Importance } from './importance.ts';
import { ReadyHosts } from './ready-hosts.ts';
import { isWanted } from './site-icon.ts';

/** When a host has fewer URLs in memory, more are read. */
const QUEUE_LOW = 16;
/** Enough for 5,000 pages/s with a second between requests; with full queues about 100 MB. */
const WORKING_HOSTS = 5_000;
/** While others wait on disk a host leaves after so many URLs … */
const TURN = QUEUE_PAGE;
/** … or when it is to wait longer than this. */
const LONG_WAIT_MS = 10_000;
/** Hosts that are read at once, and how soon again if those on disk are all waiting. */
const HOSTS_PAGE = 64;
const REST_MS = 1_000;
/** No host waits longer, whatever an earlier run, perhaps with another clock, has written. */
const MAX_WAIT_MS = 24 * 3_600_000;

export type NextLease =
  | { kind: 'lease'; host: HostQueue }
  /** `active` tells whether any waiting host is not set aside: if none is, the crawl is done for now. */
  | { kind: 'wait'; until: number; active: boolean }
  | { kind: 'empty' };

export interface FrontierOptions {
  state: CrawlState;
  gates: Gates;
  importance: Importance;
  clock: Clock;
  productToken: string;
  workingHosts?: number;
}

export class Frontier {
  readonly #options: FrontierOptions;
  readonly #front: FrontQueues;
  readonly #workingHosts: number;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #waiting = new Heap<HostQueue>((a, b) => a.row.nextFetchAt < b.row.nextFetchAt);
  readonly #ready: ReadyHosts;
  readonly #explained = new Set<HostRow>();
  readonly #startedAt: number;
  #minDelayMs = 0;
  /** Places taken in the working set. */
  #places = 0;
  #leased = 0;
  #active = 0;
  /** When to look on disk again for hosts that wait there. */
  #restUntil = 0;
  /** When the first of the hosts on disk that are set aside is tried again, and after which moment to look. */
  #asideAt = Number.POSITIVE_INFINITY;
  #asideAfter = 0;
  #isKeptToIcons = false;

  constructor(options: FrontierOptions) {
    this.#options = options;
    this.#ready = new ReadyHosts(options.importance);
    this.#front = new FrontQueues(options.state);
    this.#workingHosts = options.workingHosts ?? WORKING_HOSTS;
    this.#startedAt = options.clock.now();
  }

  /** Takes up the work that an earlier run left behind; no host is read before there is room for it. */
  async resume(minDelayMs: number): Promise<void> {
    this.#minDelayMs = minDelayMs;
    this.#front.gained();
    await this.#shortenWaits();
    this.#asideAt = (await this.#options.state.nextSetAsideAt(0)) ?? Infinity;
  }

  get leasedCount(): number {
    return this.#leased;
  }

  /** Hosts in memory that wait for their moment or for their turn. */
  get waitingCount(): number {
    return this.#waiting.size + this.#ready.size;
  }

  /** Hosts in memory. */
  get heldCount(): number {
    return this.#hosts.size;
  }

  get isKeptToIcons(): boolean {
    return this.#isKeptToIcons;
  }

  /** From now on a host is leased for its icon alone; nobody waits long for one, nor are hosts on disk brought in. */
  keepToIcons(): void {
    if (this.#isKeptToIcons) return;
    this.#isKeptToIcons = true;
    const hosts: HostQueue[] = [];
    for (let host = this.#waiting.pop(); host; host = this.#waiting.pop()) hosts.push(host);
    for (let host = this.#ready.pop(); host; host = this.#ready.pop()) hosts.push(host);
    this.#active = 0;
    for (const host of hosts) if (host.wantsIcon) this.#enterOrLeave(host);
  }

  async next(): Promise<NextLease> {
    if (!this.#isKeptToIcons) await this.#bringIn();
    await this.#promote();
    for (let best = this.#ready.pop(); best; best = this.#ready.pop()) {
      const opensAt = this.#options.gates.opensAt(gated(best));
      if (opensAt <= this.#options.clock.now()) return { kind: 'lease', host: this.#lease(best) };
      best.row.nextFetchAt = opensAt;
      this.#explain(best.row, this.#options.gates.reasonOf(gated(best)));
      this.#waiting.push(best);
    }
    return this.#whenNext();
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

  /**
   * A leased host is found at this address, which was not known when it was leased. 0 says that it may be asked;
   * anything else is the moment at which the address may be, and the lease is to be given back until then.
   */
  locate(host: HostQueue, address: string): number {
    host.row.address = address;
    const opensAt = this.#options.gates.reach(address);
    if (opensAt > 0) host.row.waitsFor = addressReason(address);
    return opensAt;
  }

  /** Ends a lease; the holder has set `row.nextFetchAt`, which mostly holds for the whole group of the host. */
  release(host: HostQueue, groupWaitsUntil = host.row.nextFetchAt): void {
    host.leased = false;
    host.isDirty = true;
    this.#leased--;
    this.#weigh(host);
    this.#options.gates.leave(gated(host), groupWaitsUntil);
    if (this.#hasWork(host)) this.#enterOrLeave(host);
  }

  /** Results and rows are on disk: a URL that is still ready may be read again, a host may leave. */
  committed(
    results: readonly UrlResult[],
    owners: ReadonlyMap<bigint, HostQueue>,
    rows: Iterable<HostRow>,
  ): void {
    for (const result of results) {
      const host = owners.get(result.fingerprint)!;
      host.committed(result.fingerprint);
      if (result.state === 'ready') this.#gave(host, () => (host.moreOnDisk = true));
    }
    for (const row of rows) {
      const host = this.#hosts.get(row.origin);
      host?.rowCommitted(row);
      if (host && isWanted(row.icon)) this.#gave(host, () => host.iconCommitted());
      if (host && (host.isLeaving || !host.hasWork)) this.#forget(host);
    }
  }

  /** These URLs are new on disk. */
  async added(urls: readonly Discovered[]): Promise<void> {
    const strangers = new Set<string>();
    for (const url of urls) {
      const origin = originOf(url.url);
      const known = this.#hosts.get(origin);
      if (known) this.#gave(known, () => known.offer({ ...url, attempts: 0 }));
      else strangers.add(origin);
    }
    for (const origin of strangers) {
      if (this.#isKeptToIcons || !this.#front.isEmpty || this.#room <= 0) this.#front.gained();
      else this.#admit((await this.#options.state.host(origin))!);
    }
  }

  /** These hosts have URLs on disk that are ready again. */
  async woken(origins: readonly string[]): Promise<void> {
    for (const origin of origins) {
      const known = this.#hosts.get(origin);
      if (known) this.#gave(known, () => (known.moreOnDisk = true));
    }
    this.#front.gained();
    this.#asideAt = Math.min(this.#asideAt, (await this.#options.state.nextSetAsideAt(0)) ?? Infinity);
  }

  /**
   * Asks for leave to send one request to a host that is not leased. 0 grants it, and `leaveAsGuest` must
   * follow; anything else is the moment at which to ask again. It is granted when a lease would be.
   */
  async enterAsGuest(origin: string): Promise<number> {
    const row = await this.rowOf(origin);
    const place = { origin, address: row?.address ?? '' };
    // An earlier run may have asked the host a moment before it died.
    const quietUntil = this.#startedAt + this.#minDelayMs;
    const opensAt = Math.max(row?.nextFetchAt ?? 0, quietUntil, this.#options.gates.opensAt(place));
    if (opensAt > this.#options.clock.now()) return opensAt;
    this.#options.gates.enter(place);
    return 0;
  }

  /** What is known of a host, in memory or not. */
  async rowOf(origin: string): Promise<HostRow | null> {
    return this.#hosts.get(origin)?.row ?? this.#options.state.host(origin);
  }

  /** Whether a lease of the one is enough to ask the other. */
  areOne(origin: string, other: string): boolean {
    return this.#options.gates.areOne(origin, other);
  }

  leaveAsGuest(origin: string, delayMs: number): void {
    this.#options.gates.leaveAsGuest({ origin, address: '' }, delayMs);
  }

  get #room(): number {
    return this.#workingHosts - this.#places;
  }

  #whenNext(): NextLease {
    const now = this.#options.clock.now();
    const hasRoom = this.#room > 0;
    // Without room it is a commit that makes some, and whoever commits asks again.
    const readAt = this.#front.isEmpty ? Infinity : hasRoom ? Math.max(this.#restUntil, now) : now + REST_MS;
    const asideAt = hasRoom ? this.#asideAt : Math.max(this.#asideAt, now + REST_MS);
    const waitingUntil = this.#waiting.peek()?.row.nextFetchAt ?? Infinity;
    const until = this.#isKeptToIcons ? waitingUntil : Math.min(waitingUntil, readAt, asideAt);
    if (until === Infinity) return { kind: 'empty' };
    const mayComeIn = !this.#isKeptToIcons && !this.#front.isEmpty;
    return { kind: 'wait', until, active: this.#active > 0 || mayComeIn };
  }

  /** Fills the room in the working set from disk. */
  async #bringIn(): Promise<void> {
    const now = this.#options.clock.now();
    if (this.#asideAt <= now && this.#room > 0) await this.#bringBack(now);
    if (now < this.#restUntil) return;
    const before = this.#hosts.size;
    while (this.#room > 0 && !this.#front.isEmpty) {
      const rows = await this.#front.next(Math.min(HOSTS_PAGE, this.#room), (origin) =>
        this.#hosts.has(origin),
      );
      for (const row of rows) if (!this.#admit(row)) this.#restUntil = now + REST_MS;
      if (this.#restUntil > now) break;
    }
    if (this.#hosts.size > before) this.#restUntil = now;
  }

  /** Hosts that were set aside and whose moment has come. */
  async #bringBack(now: number): Promise<void> {
    const { state } = this.#options;
    const limit = Math.min(HOSTS_PAGE, this.#room);
    const rows = await state.setAsideHosts(this.#asideAfter, now, limit);
    for (const row of rows) this.#admit(row);
    this.#asideAfter = rows.length === limit ? rows.at(-1)!.nextFetchAt : 0;
    this.#asideAt = rows.length === limit ? now : ((await state.nextSetAsideAt(now)) ?? Infinity);
  }

  /** Hosts that are set aside for longer than anything is. */
  async #shortenWaits(): Promise<void> {
    const { state } = this.#options;
    const latest = this.#startedAt + MAX_WAIT_MS;
    for (;;) {
      const rows = await state.setAsideHosts(latest, Number.MAX_SAFE_INTEGER, HOSTS_PAGE);
      for (const { origin } of rows) state.pause(origin, latest);
      if (rows.length < HOSTS_PAGE) return;
    }
  }

  /** Takes a host into memory; false when it has to wait long and others may need the room. */
  #admit(row: HostRow): boolean {
    if (this.#hosts.has(row.origin)) return true;
    const now = this.#options.clock.now();
    row.nextFetchAt = this.#politeMoment(row);
    if (row.setAside !== '' && row.nextFetchAt > now) {
      this.#asideAt = Math.min(this.#asideAt, row.nextFetchAt);
      return false;
    }
    if (row.nextFetchAt > now + LONG_WAIT_MS && this.#room < this.#workingHosts / 2) return false;
    this.#enter(this.#remember(row));
    return true;
  }

  /** Not before one delay after the start: an earlier run may have asked the host a moment before it died. */
  #politeMoment({ nextFetchAt, delayMs }: HostRow): number {
    const isPlausible = nextFetchAt <= this.#options.clock.now() + MAX_WAIT_MS;
    const moment = isPlausible ? nextFetchAt : this.#startedAt + MAX_WAIT_MS;
    return Math.max(moment, this.#startedAt + Math.max(delayMs, this.#minDelayMs));
  }

  #isTurnOver({ row, takenCount }: HostQueue): boolean {
    if (row.setAside !== '') return true;
    const isLongWait = row.nextFetchAt > this.#options.clock.now() + LONG_WAIT_MS;
    if (this.#isKeptToIcons) return isLongWait;
    return this.#room <= 0 && (takenCount >= TURN || isLongWait);
  }

  /** Drops a host that is in no heap, if disk has all of it. */
  #forget(host: HostQueue): void {
    if (!host.isOnDisk) return;
    const { row } = host;
    this.#hosts.delete(row.origin);
    this.#places -= host.places;
    if (!host.hasWork) this.#options.state.drained(row.id);
    else if (row.setAside === '') this.#front.gained();
    else this.#asideAt = Math.min(this.#asideAt, row.nextFetchAt);
  }

  /** Gives a host work; one that had none enters the heap. `give` may return the score of what it gave. */
  #gave(host: HostQueue, give: () => unknown): void {
    const wasOut = !this.#hasWork(host) && !host.leased;
    const score = give();
    if (wasOut && this.#hasWork(host)) this.#enterOrLeave(host);
    else if (typeof score === 'number') this.#ready.raise(host, score);
  }

  #hasWork(host: HostQueue): boolean {
    return this.#isKeptToIcons ? host.wantsIcon : host.hasWork;
  }

  #remember(row: HostRow): HostQueue {
    const host = new HostQueue(row, this.#options.importance);
    this.#hosts.set(row.origin, host);
    this.#weigh(host);
    return host;
  }

  /** Its robots.txt may have come or gone. */
  #weigh(host: HostQueue): void {
    this.#places += host.weight - host.places;
    host.places = host.weight;
  }

  /** For a host with work that is not leased. */
  #enterOrLeave(host: HostQueue): void {
    host.isLeaving = this.#isTurnOver(host);
    if (host.isLeaving) this.#forget(host);
    else this.#enter(host);
  }

  #enter(host: HostQueue): void {
    if (host.row.setAside === '') this.#active++;
    this.#waiting.push(host);
  }

  #lease(host: HostQueue): HostQueue {
    if (host.row.setAside === '') this.#active--;
    host.leased = true;
    this.#leased++;
    host.rules ??= rulesOf(host.row, this.#options.productToken);
    this.#options.gates.enter(gated(host));
    return host;
  }

  /** Moves hosts whose moment has come to the ready heap; one that turns out to have no URL leaves. */
  async #promote(): Promise<void> {
    const now = this.#options.clock.now();
    for (let host = this.#waiting.peek(); host && host.row.nextFetchAt <= now; host = this.#waiting.peek()) {
      this.#waiting.pop();
      if (host.moreOnDisk && host.length < QUEUE_LOW) await this.#refill(host);
      if (host.length > 0 || host.wantsIcon) this.#ready.push(host, host.importance);
      else if (host.moreOnDisk) this.#waiting.push(host);
      else {
        if (host.row.setAside === '') this.#active--;
        this.#forget(host);
      }
    }
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
  return { origin: host.row.origin, address: host.row.address };
}
