/**
 * The URLs of one host in memory.
 *
 * A queue holds some of a host's URLs, oldest first; the rest stays on disk. The choice is biased: mostly the
 * most important URL, at times the oldest, so that no URL waits for ever. A URL that was taken is
 * `uncommitted` until its result is committed; it is skipped when more URLs are read, because on disk it is
 * still ready.
 */
import type { ReadyUrl } from '../state/mod.ts';
import type { Importance, Standing } from './importance.ts';

/** Maximum number of URLs in memory per host. */
const QUEUE_PAGE = 64;
/** Every OLDEST_EVERY-th URL taken from the queue is the oldest one instead of the most important one. */
const OLDEST_EVERY = 8;

interface QueuedUrl {
  ready: ReadyUrl;
  standing: Standing;
}

export class UrlQueue {
  readonly #importance: Importance;
  readonly #uncommitted = new Set<bigint>();
  #urls: QueuedUrl[] = [];
  #hasMoreOnDisk = true;
  #takenCount = 0;
  /** Number of the set of ranks that was used for the scores in `#urls`. */
  #ranksGeneration: number;

  constructor(importance: Importance) {
    this.#importance = importance;
    this.#ranksGeneration = importance.ranksGeneration;
  }

  get length(): number {
    return this.#urls.length;
  }

  /** Number of URLs taken from the queue since the host came into memory. */
  get takenCount(): number {
    return this.#takenCount;
  }

  get hasMoreOnDisk(): boolean {
    return this.#hasMoreOnDisk;
  }

  get hasUncommitted(): boolean {
    return this.#uncommitted.size > 0;
  }

  /** The score of the most important URL in the queue; minus infinity if the queue is empty. */
  get bestScore(): number {
    if (this.#urls.length === 0) return Number.NEGATIVE_INFINITY;
    return this.#scoreOf(this.#urls[this.#best()]!);
  }

  /** Takes the next URL to fetch from the queue. The caller must commit a result for it. */
  take(): ReadyUrl | undefined {
    if (this.#urls.length === 0) return undefined;
    const at = ++this.#takenCount % OLDEST_EVERY === 0 ? 0 : this.#best();
    const [url] = this.#urls.splice(at, 1);
    this.#uncommitted.add(url!.ready.fingerprint);
    return url!.ready;
  }

  /**
   * Queues a newly discovered URL and returns its score. Does nothing if the queue is full or if older URLs are only
   * on disk; in a crawl with a topic, the URL then takes the place of a worse one, which stays on disk.
   */
  offer(ready: ReadyUrl): number {
    const queued = { ready, standing: this.#importance.standingOf(ready) };
    if (this.#hasMoreOnDisk || this.#urls.length >= QUEUE_PAGE) {
      this.#hasMoreOnDisk = true;
      if (!this.#importance.isTopical || !this.#dropWorse(queued)) return Number.NEGATIVE_INFINITY;
    }
    this.#urls.push(queued);
    return this.#scoreOf(queued);
  }

  /** Reports that URLs of the host that are only on disk became ready. */
  foundOnDisk(): void {
    this.#hasMoreOnDisk = true;
  }

  /**
   * Reports the start of a read of URLs from disk. Returns the number of URLs to read, which includes URLs that
   * are already queued or in flight and will be skipped.
   */
  refillStarted(): number {
    this.#hasMoreOnDisk = false;
    return QUEUE_PAGE + this.#urls.length + this.#uncommitted.size;
  }

  /** Queues the URLs read from disk, except those already queued or in flight. */
  refilled(urls: readonly ReadyUrl[], limit: number): void {
    if (urls.length === limit) this.#hasMoreOnDisk = true;
    const held = new Set(this.#urls.map(({ ready }) => ready.fingerprint));
    for (const ready of urls) {
      if (held.has(ready.fingerprint) || this.#uncommitted.has(ready.fingerprint)) continue;
      this.#urls.push({ ready, standing: this.#importance.standingOf(ready) });
    }
  }

  committed(fingerprint: bigint): void {
    this.#uncommitted.delete(fingerprint);
  }

  /** Drops the URL with the lowest score if its score is lower than that of `queued`. Returns false if there is none. */
  #dropWorse(queued: QueuedUrl): boolean {
    if (this.#urls.length < QUEUE_PAGE) return true;
    const scores = this.#urls.map((url) => this.#scoreOf(url));
    const worst = scores.indexOf(Math.min(...scores));
    if (scores[worst]! >= this.#scoreOf(queued)) return false;
    this.#urls.splice(worst, 1);
    return true;
  }

  #best(): number {
    if (this.#ranksGeneration !== this.#importance.ranksGeneration) this.#updateStandings();
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

  #updateStandings(): void {
    this.#ranksGeneration = this.#importance.ranksGeneration;
    for (const url of this.#urls) url.standing = this.#importance.standingOf(url.ready);
  }

  #scoreOf({ standing }: QueuedUrl): number {
    return this.#importance.score(standing);
  }
}
