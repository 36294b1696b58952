/**
 * The back queue of one host: its URLs in memory, and the state that its lease holder keeps.
 *
 * A queue holds some of a host's URLs, oldest first; the rest stays on disk. The choice is biased: mostly the
 * most important URL, at times the oldest, so that no URL waits for ever. A URL that was taken is
 * `uncommitted` until its result is committed; it is skipped when more URLs are read, because on disk it is
 * still ready.
 */

import { type RobotsRules, type RobotsStep, robotsParsing } from '../robots/mod.ts';
import type { SlicedWork } from '../sliced-work.ts';
import { type HostRow, isIconWanted, type ReadyUrl, type SiteIcon } from '../state/mod.ts';
import type { Importance, Standing } from './importance.ts';

/** Maximum number of URLs in memory per host. */
export const QUEUE_PAGE = 64;
/** A host takes one more place in the working set for every ROBOTS_BYTES of its robots.txt. */
const ROBOTS_BYTES = 16 * 1024;
/** One choice in OLDEST_EVERY is the oldest URL. */
const OLDEST_EVERY = 8;
/** The icon is fetched when no page is queued, or after ICON_AFTER pages. */
const ICON_AFTER = 8;
/** An icon scores like a page at this depth: pages usually go first, but not for ever. */
const ICON_DEPTH = 8;

interface QueuedUrl {
  ready: ReadyUrl;
  standing: Standing;
}

/** The queue of a host; while the host is leased, only the lease holder may send it requests. */
export class HostQueue {
  readonly row: HostRow;
  /** Compiled at the first visit of the host. */
  rules: RobotsRules | null = null;
  /** Set while redirects of robots.txt are being followed. */
  robotsStep: RobotsStep | null = null;
  moreOnDisk = true;
  leased = false;
  /** The row has changed since it was read or committed. */
  isDirty = false;
  /** Its turn is over: it is in no heap, and leaves memory when all of its state is on disk. */
  isLeaving = false;
  /** Places that the frontier has counted for it; see `weight`. */
  places = 0;
  /** URLs taken since it came into memory. */
  takenCount = 0;
  readonly #importance: Importance;
  readonly #uncommitted = new Set<bigint>();
  /** The row on disk says that an icon is wanted. */
  #iconIsReady: boolean;
  #urls: QueuedUrl[] = [];
  /** Generation of the ranks in `#urls`. */
  #ranksGeneration: number;

  constructor(row: HostRow, importance: Importance) {
    this.row = row;
    this.#importance = importance;
    this.#ranksGeneration = importance.ranksGeneration;
    this.#iconIsReady = isIconWanted(row.icon);
  }

  get length(): number {
    return this.#urls.length;
  }

  get hasWork(): boolean {
    return this.#urls.length > 0 || this.moreOnDisk || this.#iconIsReady;
  }

  /** True if its icon is to be fetched. */
  get wantsIcon(): boolean {
    return this.#iconIsReady;
  }

  /** True if the next request is for the icon: pages go first, but not all pages of a large site. */
  get isIconsTurn(): boolean {
    return this.#iconIsReady && (this.#urls.length === 0 || this.takenCount >= ICON_AFTER);
  }

  /** True if all of its state is on disk, so that it may leave memory. */
  get isOnDisk(): boolean {
    return !this.leased && !this.isDirty && this.#uncommitted.size === 0;
  }

  /** Number of places it takes in the working set. */
  get weight(): number {
    return 1 + Math.floor((this.row.robots?.body.length ?? 0) / ROBOTS_BYTES);
  }

  /** Number of URLs that are ready on disk and are also queued here or in flight. */
  get heldCount(): number {
    return this.#urls.length + this.#uncommitted.size;
  }

  /** The score of its best URL, or of its icon. */
  get importance(): number {
    if (this.#urls.length > 0) return this.#scoreOf(this.#urls[this.#best()]!);
    return this.#iconIsReady ? this.#importance.scoreAtDepth(ICON_DEPTH) : Number.NEGATIVE_INFINITY;
  }

  /** Takes the next URL to fetch; the caller must commit a result for it. */
  take(): ReadyUrl | undefined {
    if (this.#urls.length === 0) return undefined;
    const at = ++this.takenCount % OLDEST_EVERY === 0 ? 0 : this.#best();
    const [url] = this.#urls.splice(at, 1);
    this.#uncommitted.add(url!.ready.fingerprint);
    return url!.ready;
  }

  /**
   * Queues a URL that is new on disk and returns its score, unless the queue is full or older URLs are only
   * on disk.
   */
  offer(ready: ReadyUrl): number {
    if (this.moreOnDisk || this.#urls.length >= QUEUE_PAGE) {
      this.moreOnDisk = true;
      return Number.NEGATIVE_INFINITY;
    }
    const queued = { ready, standing: this.#importance.standingOf(ready) };
    this.#urls.push(queued);
    return this.#scoreOf(queued);
  }

  /** Queues URLs read from disk, except those already queued or in flight. */
  refill(urls: readonly ReadyUrl[]): void {
    const held = new Set(this.#urls.map(({ ready }) => ready.fingerprint));
    for (const ready of urls) {
      if (held.has(ready.fingerprint) || this.#uncommitted.has(ready.fingerprint)) continue;
      this.#urls.push({ ready, standing: this.#importance.standingOf(ready) });
    }
  }

  committed(fingerprint: bigint): void {
    this.#uncommitted.delete(fingerprint);
  }

  /** Sets the icon state. A newly wanted icon is fetched only after the next commit. */
  keepIcon(icon: SiteIcon): void {
    this.row.icon = icon;
    if (!isIconWanted(icon)) this.#iconIsReady = false;
  }

  /** Reports a committed row; the icon becomes ready if it is still wanted. */
  iconCommitted(): void {
    this.#iconIsReady = isIconWanted(this.row.icon);
  }

  /** Compares the committed row with the current one and sets `isDirty`. */
  rowCommitted(row: HostRow): void {
    const {
      nextFetchAt,
      delayMs,
      robots,
      failures,
      parkedReason: setAside,
      address,
      fetched,
      icon,
    } = this.row;
    this.isDirty = !(
      nextFetchAt === row.nextFetchAt &&
      delayMs === row.delayMs &&
      robots === row.robots &&
      failures === row.failures &&
      setAside === row.parkedReason &&
      address === row.address &&
      fetched === row.fetched &&
      icon === row.icon
    );
  }

  #best(): number {
    if (this.#ranksGeneration !== this.#importance.ranksGeneration) this.#rankAnew();
    let best = 0;
    let bestScore = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < this.#urls.length; at++) {
      const score = this.#scoreOf(this.#urls[at]!);
      if (score <= bestScore) continue;
      best = at;
      bestScore = score;
    }
    return best;
  }

  #rankAnew(): void {
    this.#ranksGeneration = this.#importance.ranksGeneration;
    for (const url of this.#urls) url.standing = this.#importance.standingOf(url.ready);
  }

  #scoreOf({ standing }: QueuedUrl): number {
    return this.#importance.score(standing);
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
