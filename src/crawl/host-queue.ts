/**
 * The back queue of one host: the URLs of it that are in memory, and what its lease holder knows of it.
 *
 * A queue holds some of a host's URLs, oldest first; the rest stays on disk. The choice is biased: mostly
 * the most important URL, now and then the oldest, so that nothing waits for ever. A URL that was taken
 * is `uncommitted` until its result is, and is skipped when more are read, because on disk it is still
 * ready.
 */
import type { HostRow, ReadyUrl } from './crawl-state.ts';
import type { Importance, Standing } from './importance.ts';
import type { RobotsStep } from './robots-fetch.ts';
import { parseRobots, type RobotsRules } from './robots-rules.ts';
import { isWanted, type SiteIcon } from './site-icon.ts';

/** URLs in memory per host. */
export const QUEUE_PAGE = 64;
/** A host with a robots.txt so large takes the room of two in memory, of three with one twice as large … */
const ROBOTS_BYTES = 16 * 1024;
/** One choice in so many is the oldest URL. */
const OLDEST_EVERY = 8;
/** The icon is asked for when no page is at hand, or after so many of them. */
const ICON_AFTER = 8;
/** How far from a seed a page would be that is as important as an icon: others go first, but not for ever. */
const ICON_DEPTH = 8;

interface QueuedUrl {
  ready: ReadyUrl;
  standing: Standing;
}

/** A host that may be asked something now, by the holder of the lease alone. */
export class HostQueue {
  readonly row: HostRow;
  /** Parsed when the host is first leased. */
  rules: RobotsRules | null = null;
  /** Set while robots.txt is being followed through redirects. */
  robotsStep: RobotsStep | null = null;
  moreOnDisk = true;
  leased = false;
  /** Its row has changed since it was read or committed. */
  isDirty = false;
  /** Its turn is over: it is in no heap, and leaves memory when all of it is on disk. */
  isLeaving = false;
  /** What the frontier counts it for, see `weight`. */
  places = 0;
  /** URLs taken since it came into memory. */
  takenCount = 0;
  readonly #importance: Importance;
  readonly #uncommitted = new Set<bigint>();
  /** That its icon is wanted is on disk. */
  #iconIsReady: boolean;
  #urls: QueuedUrl[] = [];
  /** Of the ranks by which its URLs stand. */
  #ranksGeneration: number;

  constructor(row: HostRow, importance: Importance) {
    this.row = row;
    this.#importance = importance;
    this.#ranksGeneration = importance.ranksGeneration;
    this.#iconIsReady = isWanted(row.icon);
  }

  get length(): number {
    return this.#urls.length;
  }

  get hasWork(): boolean {
    return this.#urls.length > 0 || this.moreOnDisk || this.#iconIsReady;
  }

  /** Whether its icon is to be asked for. */
  get wantsIcon(): boolean {
    return this.#iconIsReady;
  }

  /** … with the next request: pages go first, but not all of a large site's. */
  get isIconsTurn(): boolean {
    return this.#iconIsReady && (this.#urls.length === 0 || this.takenCount >= ICON_AFTER);
  }

  /** Nothing is lost if it is forgotten: disk has all of it. */
  get isOnDisk(): boolean {
    return !this.leased && !this.isDirty && this.#uncommitted.size === 0;
  }

  /** How many places it takes in the working set. */
  get weight(): number {
    return 1 + Math.floor((this.row.robots?.body.length ?? 0) / ROBOTS_BYTES);
  }

  /** How many of the URLs that are ready on disk are here or under way. */
  get heldCount(): number {
    return this.#urls.length + this.#uncommitted.size;
  }

  /** The score of the best URL, or of its icon. */
  get importance(): number {
    if (this.#urls.length > 0) return this.#scoreOf(this.#urls[this.#best()]!);
    return this.#iconIsReady ? this.#importance.scoreAtDepth(ICON_DEPTH) : Number.NEGATIVE_INFINITY;
  }

  /** The next URL to fetch; its result must be committed, whatever it is. */
  take(): ReadyUrl | undefined {
    if (this.#urls.length === 0) return undefined;
    const at = ++this.takenCount % OLDEST_EVERY === 0 ? 0 : this.#best();
    const [url] = this.#urls.splice(at, 1);
    this.#uncommitted.add(url!.ready.fingerprint);
    return url!.ready;
  }

  /** Takes up a URL that is new on disk, if there is room and none before it was left behind; returns its score. */
  offer(ready: ReadyUrl): number {
    if (this.moreOnDisk || this.#urls.length >= QUEUE_PAGE) {
      this.moreOnDisk = true;
      return Number.NEGATIVE_INFINITY;
    }
    const queued = { ready, standing: this.#importance.standingOf(ready) };
    this.#urls.push(queued);
    return this.#scoreOf(queued);
  }

  /** Takes up what was read from disk, without what is here or under way. */
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

  /** What is known of its icon now. One that is wanted is so from the next commit on. */
  keepIcon(icon: SiteIcon): void {
    this.row.icon = icon;
    if (!isWanted(icon)) this.#iconIsReady = false;
  }

  /** Disk has it that the icon is wanted, unless that is over by now. */
  iconCommitted(): void {
    this.#iconIsReady = isWanted(this.row.icon);
  }

  /** Whether disk has this state of its row now. */
  rowCommitted(row: HostRow): void {
    const { nextFetchAt, delayMs, robots, failures, setAside, address, fetched, icon } = this.row;
    this.isDirty = !(
      nextFetchAt === row.nextFetchAt &&
      delayMs === row.delayMs &&
      robots === row.robots &&
      failures === row.failures &&
      setAside === row.setAside &&
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

export function rulesOf(row: HostRow, productToken: string): RobotsRules | null {
  if (!row.robots) return null;
  return parseRobots(row.robots.kind === 'rules' ? row.robots.body : new Uint8Array(), productToken);
}
