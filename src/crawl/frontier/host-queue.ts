/**
 * The queue of one host: its URLs in memory (url-queue.ts), and its state, which changes only by the events that the
 * lease holder and the frontier report.
 */

import { type RobotsRules, type RobotsStep, robotsParsing } from '../robots/mod.ts';
import type { SlicedWork } from '../sliced-work.ts';
import {
  type HostRow,
  isIconWanted,
  isSameWaitReason,
  type ParkedReason,
  type ReadyUrl,
  type RobotsRow,
  type SiteIcon,
  type WaitReason,
} from '../state/mod.ts';
import type { Importance } from './importance.ts';
import { UrlQueue } from './url-queue.ts';

/** Size of robots.txt for which a host takes one more place in the working set. */
const ROBOTS_BYTES = 16 * 1024;
/** The icon of a site is fetched when no page is queued, or after this many pages. */
const ICON_AFTER = 8;
/**
 * An icon has the same score as a page at this depth. Therefore pages usually come before icons, but not
 * always.
 */
const ICON_DEPTH = 8;

/**
 * The queue of a host. While the host is leased, only the lease holder may send it requests and report events.
 * The frontier moves it between heaps, memory and disk.
 */
export class HostQueue {
  readonly #row: HostRow;
  readonly #importance: Importance;
  readonly #urls: UrlQueue;
  #rules: RobotsRules | null = null;
  #robotsStep: RobotsStep | null = null;
  #isLeased = false;
  /** True if the host's row has changed since it was read from the state or committed. */
  #isDirty = false;
  #isLeaving = false;
  #places = 0;
  /** True if the host's row on disk says that an icon is wanted. */
  #iconIsReady: boolean;

  /**
   * Creates the queue of a host from its row in the crawl state. The caller must not change `row` afterwards.
   */
  constructor(row: HostRow, importance: Importance) {
    this.#row = row;
    this.#importance = importance;
    this.#urls = new UrlQueue(importance);
    this.#iconIsReady = isIconWanted(row.icon);
  }

  get origin(): string {
    return this.#row.origin;
  }

  /** The earliest time for the next polite request. */
  get nextFetchAt(): number {
    return this.#row.nextFetchAt;
  }

  get delayMs(): number {
    return this.#row.delayMs;
  }

  /** Number of consecutive failures. */
  get failures(): number {
    return this.#row.failures;
  }

  get isParked(): boolean {
    return this.#row.parkedReason !== null;
  }

  /** The last known IP address; empty while none is known. */
  get address(): string {
    return this.#row.address;
  }

  get robots(): RobotsRow | null {
    return this.#row.robots;
  }

  /** The compiled robots.txt; null until the first visit of the host. */
  get rules(): RobotsRules | null {
    return this.#rules;
  }

  /** The next URL to request for robots.txt while its redirects are followed, otherwise null. */
  get robotsStep(): RobotsStep | null {
    return this.#robotsStep;
  }

  get icon(): SiteIcon | undefined {
    return this.#row.icon;
  }

  /**
   * Number of URLs that were requested for the first time (`fetched`), and how many of these URLs were
   * documents of their own (`useful`).
   */
  get pageCounts(): Pick<HostRow, 'fetched' | 'useful'> {
    return this.#row;
  }

  /** Number of URLs of the host in memory. */
  get length(): number {
    return this.#urls.length;
  }

  /** Number of URLs taken from the queue since the host came into memory. */
  get takenCount(): number {
    return this.#urls.takenCount;
  }

  get hasMoreOnDisk(): boolean {
    return this.#urls.hasMoreOnDisk;
  }

  get hasWork(): boolean {
    return this.#urls.length > 0 || this.#urls.hasMoreOnDisk || this.#iconIsReady;
  }

  get isLeased(): boolean {
    return this.#isLeased;
  }

  /**
   * True if the turn of the host is over: it gets no more requests, and leaves memory when all of its state is on
   * disk.
   */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** True if the icon of the site is to be fetched. */
  get wantsIcon(): boolean {
    return this.#iconIsReady;
  }

  /**
   * True if the next request is for the icon. Pages come first, but the icon does not wait for all pages of a large
   * site.
   */
  get isIconsTurn(): boolean {
    return this.#iconIsReady && (this.#urls.length === 0 || this.#urls.takenCount >= ICON_AFTER);
  }

  /** True if all of the host's state is on disk, so that the host may leave memory. */
  get isOnDisk(): boolean {
    return !this.#isLeased && !this.#isDirty && !this.#urls.hasUncommitted;
  }

  /** Number of places that the host takes in the working set, as computed by the last call of `weigh`. */
  get places(): number {
    return this.#places;
  }

  /** The score of the host's best URL, or of its icon. */
  get importance(): number {
    if (this.#urls.length > 0) return this.#urls.bestScore;
    return this.#iconIsReady ? this.#importance.scoreAtDepth(ICON_DEPTH) : Number.NEGATIVE_INFINITY;
  }

  /** Returns a copy of the row, for a commit or for a request to this host under the lease of another host. */
  snapshot(): HostRow {
    return { ...this.#row };
  }

  // The lease holder calls the following methods to report events.

  /** Reports a response that does not ask for a pause. */
  responded(delayMs: number, now: number): void {
    this.#row.failures = 0;
    this.#row.waitReason = null;
    this.#row.parkedReason = null;
    this.#row.delayMs = delayMs;
    this.#row.nextFetchAt = now + delayMs;
  }

  /** Reports a missing response, an error, or a response that asks for a pause, such as status 503. */
  failed(reason: WaitReason, delayMs: number, untilMs: number): void {
    this.#row.failures++;
    this.#row.waitReason = reason;
    this.#row.parkedReason = null;
    this.#row.delayMs = delayMs;
    this.#row.nextFetchAt = untilMs;
  }

  /** Parks the host: it leaves memory and is tried again at `untilMs`. A crawl may end while hosts are parked. */
  park(reason: ParkedReason, untilMs: number): void {
    this.#row.parkedReason = reason;
    this.#row.nextFetchAt = untilMs;
  }

  /** Forbids requests to the host before `untilMs`. Returns true if the reason differs from the last one. */
  waitUntil(untilMs: number, reason: WaitReason): boolean {
    this.#row.nextFetchAt = untilMs;
    if (isSameWaitReason(this.#row.waitReason, reason)) return false;
    this.#row.waitReason = reason;
    return true;
  }

  located(address: string): void {
    this.#row.address = address;
  }

  /** Reports that a URL was requested for the first time. */
  pageRequested(): void {
    this.#row.fetched++;
  }

  /** Reports that a URL which was requested for the first time is a document of its own. */
  pageFound(): void {
    this.#row.useful++;
  }

  /** Reports the compiled rules of the stored robots.txt, or of an override. */
  rulesCompiled(rules: RobotsRules | null): void {
    this.#rules = rules;
  }

  /** Reports a received robots.txt; its rules are compiled next. */
  robotsRead(robots: RobotsRow): void {
    this.#row.robots = robots;
    this.#robotsStep = null;
  }

  /** Reports that robots.txt redirects; the next request of the host follows the redirect. */
  robotsMoved(next: RobotsStep): void {
    this.#robotsStep = next;
  }

  /** Reports that there was no usable response for robots.txt. No page may be requested until there is one. */
  robotsFailed(): void {
    this.#row.robots = null;
    this.#robotsStep = null;
  }

  /** Changes the state of the host's icon. A newly wanted icon is fetched only after the next commit. */
  keepIcon(icon: SiteIcon): void {
    this.#row.icon = icon;
    if (!isIconWanted(icon)) this.#iconIsReady = false;
  }

  // The frontier calls the following methods to report events.

  leased(): void {
    this.#isLeased = true;
  }

  released(): void {
    this.#isLeased = false;
    this.#isDirty = true;
  }

  /**
   * Reports that the host is in a heap, or with `isLeaving` that its turn is over and it leaves memory after the next
   * commit.
   */
  turnChanged(isLeaving: boolean): void {
    this.#isLeaving = isLeaving;
  }

  /**
   * Computes the number of places of the host in the working set again, because its robots.txt may have changed.
   * Returns the difference.
   */
  weigh(): number {
    const places = 1 + Math.floor((this.#row.robots?.body.length ?? 0) / ROBOTS_BYTES);
    const difference = places - this.#places;
    this.#places = places;
    return difference;
  }

  // The following methods read and change the URLs of the host.

  /** Takes the next URL to fetch from the queue. The caller must commit a result for it. */
  take(): ReadyUrl | undefined {
    return this.#urls.take();
  }

  /** Queues a newly discovered URL if there is room in memory. Returns its score. */
  offer(ready: ReadyUrl): number {
    return this.#urls.offer(ready);
  }

  /** Reports that URLs of the host that are only on disk became ready. */
  foundOnDisk(): void {
    this.#urls.foundOnDisk();
  }

  /**
   * Reports the start of a read of URLs from disk, during which the host counts as leased. Returns the number of URLs
   * to read.
   */
  refillStarted(): number {
    this.#isLeased = true;
    return this.#urls.refillStarted();
  }

  refilled(urls: readonly ReadyUrl[], limit: number): void {
    this.#isLeased = false;
    this.#urls.refilled(urls, limit);
  }

  /** Reports that the result of a taken URL is committed. */
  committed(fingerprint: bigint): void {
    this.#urls.committed(fingerprint);
  }

  // The following methods report commits.

  /** Reports that the host's row is committed. The icon becomes ready if it is still wanted. */
  iconCommitted(): void {
    this.#iconIsReady = isIconWanted(this.#row.icon);
  }

  /** Reports that `row`, a row of the host that may be older than the current one, is committed. */
  rowCommitted(row: HostRow): void {
    const current = this.#row;
    this.#isDirty = !(
      current.nextFetchAt === row.nextFetchAt &&
      current.delayMs === row.delayMs &&
      current.robots === row.robots &&
      current.failures === row.failures &&
      current.parkedReason === row.parkedReason &&
      current.address === row.address &&
      current.fetched === row.fetched &&
      current.icon === row.icon
    );
  }
}

/** Compiles the rules of a host's stored robots.txt; returns null if there is none. */
export async function rulesOf(
  { robots }: Pick<HostRow, 'robots'>,
  productToken: string,
  slices: SlicedWork,
): Promise<RobotsRules | null> {
  if (!robots) return null;
  const body = robots.kind === 'rules' ? robots.body : new Uint8Array();
  return slices.run(robotsParsing(body, productToken));
}
