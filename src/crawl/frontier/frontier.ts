/**
 * The frontier decides which host gets the next request, for which URL, and when.
 *
 *   front queues on disk -> working set of hosts, a back queue each -> heap of waiting hosts by `nextFetchAt`
 *                                                                   -> heap of ready hosts by importance -> lease
 *
 * Invariant: a host is in one of the heaps if and only if it is in memory, has URLs, is not leased and is not
 * leaving. Therefore a host never sees two requests at once. A waiting host becomes ready when its
 * `nextFetchAt` has come; among the ready hosts, the one whose best URL is the most important goes first.
 *
 * Memory is bounded: at most `workingHosts` hosts, or fewer if they have huge robots files, each with at most
 * 64 URLs (url-queue.ts). While all hosts with work fit, they are all in memory, and importance alone decides.
 * When they do not fit, hosts come in from disk through the front queues, and a host in memory leaves after a
 * turn of `TURN_URLS` URLs or when it has to wait long. A parked host always leaves (parked-hosts.ts). A host
 * leaves only when all of its state is committed, so that it is never read back from disk in an older state.
 *
 * A host may also have an icon to fetch (site-icon.ts). That is work too, of low importance. When the crawl
 * has fetched `maxPages`, icons are the only work left (`fetchIconsOnly`).
 *
 * Hosts of one registrable domain share its budget of requests per second while other domains have work
 * (domain-slots.ts). Hosts beyond the domain's host budget stay on disk until they are admitted (domains.ts).
 *
 * Only committed URLs enter a queue. A crash can therefore never forget a host that received a request. After
 * a restart each host waits one delay before its first request, because a request may have been in flight
 * just before the crash.
 *
 * The frontier does not fetch or read robots.txt. The visits do (`crawl/visit`), and report to the host's queue
 * what happened and when its next request may follow.
 */
import { type Clock, Heap } from '../../base/mod.ts';
import { originOf } from '../../url/mod.ts';
import {
  type CrawlState,
  type Discovered,
  type HostRow,
  isIconWanted,
  type UrlResult,
  type WaitReason,
} from '../state/mod.ts';
import { DomainSlots } from './domain-slots.ts';
import type { Domains } from './domains.ts';
import { FrontQueues } from './front-queues.ts';
import type { HostGroups, Permission } from './host-groups.ts';
import { HostQueue } from './host-queue.ts';
import type { Importance } from './importance.ts';
import { ParkedHosts } from './parked-hosts.ts';
import { ReadyHosts } from './ready-hosts.ts';

/** Number of URLs of a host in memory below which more are read from disk. */
const QUEUE_LOW = 16;
/**
 * Maximum number of hosts in memory. Enough for 5,000 pages/s at one request per second and host; takes about 100 MB.
 */
const WORKING_HOSTS = 5_000;
/** While other hosts wait on disk, a host leaves memory after TURN_URLS URLs, or if its wait exceeds LONG_WAIT_MS. */
const TURN_URLS = 64;
const LONG_WAIT_MS = 10_000;
/** Number of hosts read from disk at once. If all of them have to wait, the next read is `REST_MS` later. */
const HOSTS_PAGE = 64;
const REST_MS = 1_000;
/** Upper limit of any wait of a host. A longer stored wait comes from an earlier run with a wrong clock. */
const MAX_WAIT_MS = 24 * 3_600_000;

type NextLease =
  | { kind: 'lease'; host: HostQueue }
  /**
   * No host is ready before `until`. If `active` is false, all waiting hosts are parked: the crawl is done for now.
   */
  | { kind: 'wait'; until: number; active: boolean }
  | { kind: 'empty' };

interface FrontierOptions {
  state: CrawlState;
  hostGroups: HostGroups;
  importance: Importance;
  clock: Clock;
  /** Registrable domains and their budgets. If absent, every host counts as a domain of its own. */
  domains?: Domains;
  workingHosts?: number;
}

export class Frontier {
  readonly #options: FrontierOptions;
  readonly #front: FrontQueues;
  readonly #parked: ParkedHosts;
  readonly #workingHosts: number;
  readonly #hosts = new Map<string, HostQueue>();
  readonly #waiting = new Heap<HostQueue>((a, b) => a.nextFetchAt < b.nextFetchAt);
  readonly #ready: ReadyHosts;
  readonly #explained = new Set<HostQueue>();
  readonly #slots: DomainSlots;
  readonly #startedAt: number;
  #minDelayMs = 0;
  /**
   * Number of used places in the working set, the hosts in memory. A host with a large robots.txt takes several
   * places.
   */
  #places = 0;
  #leased = 0;
  #active = 0;
  /** Earliest time to read hosts from disk again, after all hosts of the last read had to wait. */
  #restUntil = 0;
  #fetchesIconsOnly = false;

  constructor(options: FrontierOptions) {
    this.#options = options;
    this.#ready = new ReadyHosts(options.importance);
    this.#front = new FrontQueues(options.state);
    this.#parked = new ParkedHosts(options.state);
    this.#slots = new DomainSlots(options.clock, options.domains);
    this.#workingHosts = options.workingHosts ?? WORKING_HOSTS;
    this.#startedAt = options.clock.now();
  }

  /** Resumes the work of an earlier run. Hosts stay on disk until the working set has room for them. */
  async resume(minDelayMs: number): Promise<void> {
    this.#minDelayMs = minDelayMs;
    this.#front.mayHaveWork();
    await this.#parked.resume(this.#startedAt + MAX_WAIT_MS);
  }

  get leasedCount(): number {
    return this.#leased;
  }

  /** Number of hosts in memory that wait for their next polite request or are ready for one. */
  get waitingCount(): number {
    return this.#waiting.size + this.#ready.size;
  }

  /** Number of hosts in memory. */
  get heldCount(): number {
    return this.#hosts.size;
  }

  get fetchesIconsOnly(): boolean {
    return this.#fetchesIconsOnly;
  }

  /**
   * Makes the frontier lease hosts only for their icons from now on. Hosts with a long wait leave memory, and no
   * hosts are read from disk.
   */
  fetchIconsOnly(): void {
    if (this.#fetchesIconsOnly) return;
    this.#fetchesIconsOnly = true;
    const hosts: HostQueue[] = [];
    for (let host = this.#waiting.pop(); host; host = this.#waiting.pop()) hosts.push(host);
    for (let host = this.#ready.pop(); host; host = this.#ready.pop()) hosts.push(host);
    this.#active = 0;
    for (const host of hosts) if (host.wantsIcon) this.#enterOrLeave(host);
  }

  async next(): Promise<NextLease> {
    if (!this.#fetchesIconsOnly) await this.#bringIn();
    await this.#promote();
    for (let best = this.#ready.peek(); best; best = this.#ready.peek()) {
      if (!this.#slots.isLoaded(best.origin)) {
        await this.#slots.load(best.origin);
        continue;
      }
      this.#ready.pop();
      const wait = this.#waitOf(best);
      if (!wait) return { kind: 'lease', host: this.#lease(best) };
      if (best.waitUntil(wait.untilMs, wait.reason)) this.#explained.add(best);
      this.#waiting.push(best);
    }
    return this.#whenNext();
  }

  /**
   * Returns why and until when the host waits. If it may get a request now, uses up its slot and returns null.
   */
  #waitOf(host: HostQueue): { untilMs: number; reason: WaitReason } | null {
    const { hostGroups, clock } = this.#options;
    const opensAt = hostGroups.opensAt(host);
    if (opensAt > clock.now()) return { untilMs: opensAt, reason: hostGroups.reasonOf(host) };
    const permission = this.#slots.reserve(host.origin);
    if (permission.kind === 'granted') return null;
    return { untilMs: permission.untilMs, reason: this.#slots.reasonOf(host.origin) };
  }

  /** Returns the rows of hosts whose wait reason has changed since the last call, for the next commit. */
  takeNewWaitReasons(): HostRow[] {
    const rows = Array.from(this.#explained, (host) => host.snapshot());
    this.#explained.clear();
    return rows;
  }

  /**
   * Reports the IP address of a leased host whose address was unknown when it was leased. If another host at this
   * address has just had a request, the leased host must wait, and the caller must release it.
   */
  locate(host: HostQueue, address: string): Permission {
    host.located(address);
    const permission = this.#options.hostGroups.reserveAddress(address);
    if (permission.kind === 'wait') host.waitUntil(permission.untilMs, { code: 'address', address });
    return permission;
  }

  /** Ends a lease. By default, the other hosts of the group wait until this host's next request time, too. */
  release(host: HostQueue, groupWaitsUntil = host.nextFetchAt): void {
    host.released();
    this.#leased--;
    this.#places += host.weigh();
    this.#options.hostGroups.requestEnded(host, groupWaitsUntil);
    if (this.#hasWork(host)) this.#enterOrLeave(host);
  }

  /** Reports a commit. After it, URLs that are still ready may be read again, and hosts may leave memory. */
  committed(
    results: readonly UrlResult[],
    owners: ReadonlyMap<bigint, HostQueue>,
    rows: Iterable<HostRow>,
  ): void {
    for (const result of results) {
      const host = owners.get(result.fingerprint)!;
      host.committed(result.fingerprint);
      if (result.state === 'ready') this.#giveWork(host, () => host.foundOnDisk());
    }
    for (const row of rows) {
      const host = this.#hosts.get(row.origin);
      host?.rowCommitted(row);
      if (host && isIconWanted(row.icon)) this.#giveWork(host, () => host.iconCommitted());
      if (host && (host.isLeaving || !host.hasWork)) this.#forget(host);
    }
  }

  /** Reports URLs that are newly stored in the state. */
  async added(urls: readonly Discovered[]): Promise<void> {
    const strangers = new Set<string>();
    for (const url of urls) {
      const origin = originOf(url.url);
      const known = this.#hosts.get(origin);
      if (known) this.#giveWork(known, () => known.offer({ ...url, attempts: 0, verb: url.verb ?? null }));
      else strangers.add(origin);
    }
    for (const origin of strangers) {
      if (this.#fetchesIconsOnly || !this.#front.isEmpty || this.#room <= 0) this.#front.mayHaveWork();
      else this.#admit((await this.#options.state.host(origin))!);
    }
  }

  /** Reports that hosts which were over the host budget of their domain may be crawled now. */
  hostsAdmitted(): void {
    this.#front.mayHaveWork();
  }

  /** Reports hosts whose URLs on disk became ready again. */
  async hostsBecameReady(origins: readonly string[]): Promise<void> {
    for (const origin of origins) {
      const known = this.#hosts.get(origin);
      if (known) this.#giveWork(known, () => known.foundOnDisk());
    }
    this.#front.mayHaveWork();
    await this.#parked.hostsGotWork();
  }

  /** Returns a copy of the row of a host, from memory or from disk. */
  async rowOf(origin: string): Promise<HostRow | null> {
    return this.#hosts.get(origin)?.snapshot() ?? this.#options.state.host(origin);
  }

  get #room(): number {
    return this.#workingHosts - this.#places;
  }

  #whenNext(): NextLease {
    const now = this.#options.clock.now();
    const hasRoom = this.#room > 0;
    // If the working set is full, only a commit frees places. The crawler calls `next` again after each commit.
    const readAt = this.#front.isEmpty ? Infinity : hasRoom ? Math.max(this.#restUntil, now) : now + REST_MS;
    const parkedUntil = hasRoom ? this.#parked.dueAt : Math.max(this.#parked.dueAt, now + REST_MS);
    const waitingUntil = this.#waiting.peek()?.nextFetchAt ?? Infinity;
    const until = this.#fetchesIconsOnly ? waitingUntil : Math.min(waitingUntil, readAt, parkedUntil);
    if (until === Infinity) return { kind: 'empty' };
    const mayComeIn = !this.#fetchesIconsOnly && !this.#front.isEmpty;
    return { kind: 'wait', until, active: this.#active > 0 || mayComeIn };
  }

  /** Reads hosts from disk into the free places of the working set. */
  async #bringIn(): Promise<void> {
    const now = this.#options.clock.now();
    if (this.#parked.dueAt <= now && this.#room > 0) {
      for (const row of await this.#parked.takeDue(now, this.#room)) this.#admit(row);
    }
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

  /** Takes a host into memory; returns false if it has to wait long and other hosts may need its place. */
  #admit(row: HostRow): boolean {
    if (this.#hosts.has(row.origin) || row.isHeldBack) return true;
    const now = this.#options.clock.now();
    const nextFetchAt = this.#politeMoment(row);
    if (row.parkedReason && nextFetchAt > now) {
      this.#parked.readTooEarly(nextFetchAt);
      return false;
    }
    if (nextFetchAt > now + LONG_WAIT_MS && this.#room < this.#workingHosts / 2) return false;
    this.#enter(this.#remember({ ...row, nextFetchAt }));
    return true;
  }

  /**
   * Returns the time of the host's next request, at least one delay after the start of the crawl: an earlier run may
   * have sent a request to the host just before it crashed.
   */
  #politeMoment({ nextFetchAt, delayMs }: HostRow): number {
    const isPlausible = nextFetchAt <= this.#options.clock.now() + MAX_WAIT_MS;
    const moment = isPlausible ? nextFetchAt : this.#startedAt + MAX_WAIT_MS;
    return Math.max(moment, this.#startedAt + Math.max(delayMs, this.#minDelayMs));
  }

  #isTurnOver({ isParked, nextFetchAt, takenCount }: HostQueue): boolean {
    if (isParked) return true;
    const isLongWait = nextFetchAt > this.#options.clock.now() + LONG_WAIT_MS;
    if (this.#fetchesIconsOnly) return isLongWait;
    return this.#room <= 0 && (takenCount >= TURN_URLS || isLongWait);
  }

  /** Removes a host without work from memory, if all of its state is on disk. */
  #forget(host: HostQueue): void {
    if (!host.isOnDisk) return;
    this.#hosts.delete(host.origin);
    this.#slots.hostLeft(host.origin);
    this.#places -= host.places;
    if (!host.hasWork) this.#options.state.drained(host.origin);
    else if (!host.isParked) this.#front.mayHaveWork();
    else this.#parked.parked(host.nextFetchAt);
  }

  /** Calls `give`, which adds work to a host and may return its score. A host that had no work then enters a heap. */
  #giveWork(host: HostQueue, give: () => unknown): void {
    const wasOut = !this.#hasWork(host) && !host.isLeased;
    const score = give();
    if (wasOut && this.#hasWork(host)) this.#enterOrLeave(host);
    else if (typeof score === 'number') this.#ready.raise(host, score);
  }

  #hasWork(host: HostQueue): boolean {
    return this.#fetchesIconsOnly ? host.wantsIcon : host.hasWork;
  }

  #remember(row: HostRow): HostQueue {
    const host = new HostQueue(row, this.#options.importance);
    this.#hosts.set(row.origin, host);
    this.#slots.hostEntered(row.origin);
    this.#places += host.weigh();
    return host;
  }

  /** Puts a host that has work and is not leased into a heap, or lets it leave memory if its turn is over. */
  #enterOrLeave(host: HostQueue): void {
    host.turnChanged(this.#isTurnOver(host));
    if (host.isLeaving) this.#forget(host);
    else this.#enter(host);
  }

  #enter(host: HostQueue): void {
    if (!host.isParked) this.#active++;
    this.#waiting.push(host);
  }

  #lease(host: HostQueue): HostQueue {
    if (!host.isParked) this.#active--;
    host.leased();
    this.#leased++;
    this.#options.hostGroups.requestStarted(host);
    return host;
  }

  /** Moves hosts whose `nextFetchAt` has come to the ready heap. A host without a URL leaves memory. */
  async #promote(): Promise<void> {
    const now = this.#options.clock.now();
    for (let host = this.#waiting.peek(); host && host.nextFetchAt <= now; host = this.#waiting.peek()) {
      this.#waiting.pop();
      if (host.hasMoreOnDisk && host.length < QUEUE_LOW) await this.#refill(host);
      if (host.length > 0 || host.wantsIcon) this.#ready.push(host, host.importance);
      else if (host.hasMoreOnDisk) this.#waiting.push(host);
      else {
        if (!host.isParked) this.#active--;
        this.#forget(host);
      }
    }
  }

  async #refill(host: HostQueue): Promise<void> {
    const limit = host.refillStarted();
    host.refilled(await this.#options.state.readyUrls(host.origin, limit), limit);
  }
}
