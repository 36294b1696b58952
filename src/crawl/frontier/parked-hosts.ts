/**
 * Finds the parked hosts that are due. A parked host is not in memory and in no front queue; it is read from
 * disk when the time until which it is parked has come.
 *
 * Due hosts are read in pages, in order of these times: `#after` is the time up to which this pass has read. A
 * host that is due but may not get a request yet, because the crawl has just started, is read again later.
 */
import type { CrawlState, HostRow } from '../state/mod.ts';

const PAGE = 64;

export class ParkedHosts {
  readonly #state: CrawlState;
  #dueAt = Number.POSITIVE_INFINITY;
  #after = 0;
  /** Earliest retry time of the due hosts that were read in this pass but may not get a request yet. */
  #retryAt = Number.POSITIVE_INFINITY;

  constructor(state: CrawlState) {
    this.#state = state;
  }

  /** Time at which `takeDue` will return a host; infinity if no host is parked. */
  get dueAt(): number {
    return this.#dueAt;
  }

  /**
   * Reads the time at which the first parked host is due. A host that is parked longer than until `latestMs` is due
   * at `latestMs`.
   */
  async resume(latestMs: number): Promise<void> {
    await this.#limitTo(latestMs);
    await this.hostsGotWork();
  }

  /** Reports that a parked host has left memory; it is due at `untilMs`. */
  parked(untilMs: number): void {
    this.#dueAt = Math.min(this.#dueAt, untilMs);
  }

  /** Reports that a due host may not get a request before `untilMs`, so that it is read again then. */
  readTooEarly(untilMs: number): void {
    this.#dueAt = Math.min(this.#dueAt, untilMs);
    this.#retryAt = Math.min(this.#retryAt, untilMs);
  }

  /** Reports that hosts on disk, perhaps parked ones, have work again. */
  async hostsGotWork(): Promise<void> {
    this.parked(await this.#nextDueAt(0));
  }

  /** Returns parked hosts that are due, at most `room` of them. */
  async takeDue(now: number, room: number): Promise<HostRow[]> {
    const limit = Math.min(PAGE, room);
    const rows = await this.#state.parkedHosts(this.#after, now, limit);
    if (rows.length === limit) {
      this.#after = rows.at(-1)!.nextFetchAt;
      this.#dueAt = now;
    } else {
      this.#after = 0;
      this.#dueAt = this.#retryAt;
      this.#retryAt = Number.POSITIVE_INFINITY;
      this.parked(await this.#nextDueAt(now));
    }
    return rows;
  }

  /**
   * Shortens the waits of hosts that are parked until later than `latestMs`. An earlier run with a wrong clock
   * may have stored such times.
   */
  async #limitTo(latestMs: number): Promise<void> {
    for (;;) {
      const rows = await this.#state.parkedHosts(latestMs, Number.MAX_SAFE_INTEGER, PAGE);
      for (const { origin } of rows) await this.#state.pause(origin, latestMs);
      if (rows.length < PAGE) return;
    }
  }

  async #nextDueAt(after: number): Promise<number> {
    return (await this.#state.nextParkedUntil(after)) ?? Number.POSITIVE_INFINITY;
  }
}
