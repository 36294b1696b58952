/**
 * The back queue of one host: its URLs in memory (url-queue.ts), and its state, which changes only through the
 * events that its lease holder and the frontier report.
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

/** A host takes one more place in the working set for every ROBOTS_BYTES of its robots.txt. */
const ROBOTS_BYTES = 16 * 1024;
/** The icon is fetched when no page is queued, or after ICON_AFTER pages. */
const ICON_AFTER = 8;
/** An icon scores like a page at this depth: pages usually go first, but not for ever. */
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
  /** The row has changed since it was read or committed. */
  #isDirty = false;
  #isLeaving = false;
  #places = 0;
  /** The row on disk says that an icon is wanted. */
  #iconIsReady: boolean;

  /** The queue becomes the owner of the row. */
  constructor(row: HostRow, importance: Importance) {
    this.#row = row;
    this.#importance = importance;
    this.#urls = new UrlQueue(importance);
    this.#iconIsReady = isIconWanted(row.icon);
  }

  get origin(): string {
    return this.#row.origin;
  }

  /** The earliest polite moment for the next request. */
  get nextFetchAt(): number {
    return this.#row.nextFetchAt;
  }

  get delayMs(): number {
    return this.#row.delayMs;
  }

  /** Consecutive failures. */
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

  /** The next URL of robots.txt, while its redirects are being followed. */
  get robotsStep(): RobotsStep | null {
    return this.#robotsStep;
  }

  get icon(): SiteIcon | undefined {
    return this.#row.icon;
  }

  /** Requested URLs, and how many of them were pages of their own. */
  get pageCounts(): Pick<HostRow, 'fetched' | 'useful'> {
    return this.#row;
  }

  /** Number of URLs in memory. */
  get length(): number {
    return this.#urls.length;
  }

  /** Number of URLs taken since the host came into memory. */
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
   * True if the turn of the host is over: the host is in no heap, and leaves memory when all of its state is on
   * disk.
   */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** True if its icon is to be fetched. */
  get wantsIcon(): boolean {
    return this.#iconIsReady;
  }

  /** True if the next request is for the icon: pages go first, but not all pages of a large site. */
  get isIconsTurn(): boolean {
    return this.#iconIsReady && (this.#urls.length === 0 || this.#urls.takenCount >= ICON_AFTER);
  }

  /** True if all of its state is on disk, so that it may leave memory. */
  get isOnDisk(): boolean {
    return !this.#isLeased && !this.#isDirty && !this.#urls.hasUncommitted;
  }

  /** Places in the working set, as of the last `weigh`. */
  get places(): number {
    return this.#places;
  }

  /** The score of its best URL, or of its icon. */
  get importance(): number {
    if (this.#urls.length > 0) return this.#urls.bestScore;
    return this.#iconIsReady ? this.#importance.scoreAtDepth(ICON_DEPTH) : Number.NEGATIVE_INFINITY;
  }

  /** Returns a copy of the row, for a commit or for a request to this host under the lease of another host. */
  snapshot(): HostRow {
    return { ...this.#row };
  }

  // Events that the lease holder reports.

  /** The host sent a response that does not ask for a pause. */
  responded(delayMs: number, now: number): void {
    this.#row.failures = 0;
    this.#row.waitReason = null;
    this.#row.parkedReason = null;
    this.#row.delayMs = delayMs;
    this.#row.nextFetchAt = now + delayMs;
  }

  /** The host sent no response, an error, or a response that asks for a pause. */
  failed(reason: WaitReason, delayMs: number, untilMs: number): void {
    this.#row.failures++;
    this.#row.waitReason = reason;
    this.#row.parkedReason = null;
    this.#row.delayMs = delayMs;
    this.#row.nextFetchAt = untilMs;
  }

  /** The host leaves memory and is tried again at `untilMs`; a crawl may end while hosts are parked. */
  park(reason: ParkedReason, untilMs: number): void {
    this.#row.parkedReason = reason;
    this.#row.nextFetchAt = untilMs;
  }

  /** The host may get no request before `untilMs`. Returns true if the reason differs from the last one. */
  waitUntil(untilMs: number, reason: WaitReason): boolean {
    this.#row.nextFetchAt = untilMs;
    if (isSameWaitReason(this.#row.waitReason, reason)) return false;
    this.#row.waitReason = reason;
    return true;
  }

  located(address: string): void {
    this.#row.address = address;
  }

  /** A URL was requested for the first time. */
  pageRequested(): void {
    this.#row.fetched++;
  }

  /** A URL that was requested for the first time is a page of its own. */
  pageFound(): void {
    this.#row.useful++;
  }

  /** The robots.txt in the row, or an override, was compiled. */
  rulesCompiled(rules: RobotsRules | null): void {
    this.#rules = rules;
  }

  /** A robots.txt was received; its rules are compiled next. */
  robotsRead(robots: RobotsRow): void {
    this.#row.robots = robots;
    this.#robotsStep = null;
  }

  /** The robots.txt redirects; the next request follows. */
  robotsMoved(next: RobotsStep): void {
    this.#robotsStep = next;
  }

  /** There was no usable response for robots.txt: nothing may be requested until there is one. */
  robotsFailed(): void {
    this.#row.robots = null;
    this.#robotsStep = null;
  }

  /** Sets the icon state. A newly wanted icon is fetched only after the next commit. */
  keepIcon(icon: SiteIcon): void {
    this.#row.icon = icon;
    if (!isIconWanted(icon)) this.#iconIsReady = false;
  }

  // Events that the frontier reports.

  leased(): void {
    this.#isLeased = true;
  }

  released(): void {
    this.#isLeased = false;
    this.#isDirty = true;
  }

  /** The host is in a heap, or its turn is over and it leaves memory with the next commit. */
  turnChanged(isLeaving: boolean): void {
    this.#isLeaving = isLeaving;
  }

  /** Recounts its places in the working set, after its robots.txt may have changed; returns the difference. */
  weigh(): number {
    const places = 1 + Math.floor((this.#row.robots?.body.length ?? 0) / ROBOTS_BYTES);
    const difference = places - this.#places;
    this.#places = places;
    return difference;
  }

  // Its URLs.

  /** Takes the next URL to fetch; the caller must commit a result for it. */
  take(): ReadyUrl | undefined {
    return this.#urls.take();
  }

  /** Queues a URL that is new on disk and returns its score, if there is room for it. */
  offer(ready: ReadyUrl): number {
    return this.#urls.offer(ready);
  }

  /** URLs of the host became ready on disk. */
  foundOnDisk(): void {
    this.#urls.foundOnDisk();
  }

  /** A read of URLs from disk begins, during which the host counts as leased. Returns how many to read. */
  refillStarted(): number {
    this.#isLeased = true;
    return this.#urls.refillStarted();
  }

  refilled(urls: readonly ReadyUrl[], limit: number): void {
    this.#isLeased = false;
    this.#urls.refilled(urls, limit);
  }

  /** The result of a URL that was taken is on disk. */
  committed(fingerprint: bigint): void {
    this.#urls.committed(fingerprint);
  }

  // Commits.

  /** Reports a committed row; the icon becomes ready if it is still wanted. */
  iconCommitted(): void {
    this.#iconIsReady = isIconWanted(this.#row.icon);
  }

  /** Reports a committed row, which may be older than the current one. */
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

/** Compiles the rules of a host's robots.txt; null if the file is unknown. */
export async function rulesOf(
  { robots }: Pick<HostRow, 'robots'>,
  productToken: string,
  slices: SlicedWork,
): Promise<RobotsRules | null> {
  if (!robots) return null;
  const body = robots.kind === 'rules' ? robots.body : new Uint8Array();
  return slices.run(robotsParsing(body, productToken));
}
