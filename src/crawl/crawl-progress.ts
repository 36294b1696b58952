/** Counters for the progress line, the status page and the closing report. */

export interface CrawlSnapshot {
  state: 'running' | 'paused' | 'done' | 'stopped';
  /** Pages that were parsed. */
  pages: number;
  /** Responses of every kind except icons. */
  fetched: number;
  bytes: number;
  queued: number;
  /** Hosts with work, and how many of them have a request in flight. */
  activeHosts: number;
  underWay: number;
  /** Number of finished journal files; they are numbered from 1 to this. */
  journalFiles: number;
  /** Number of occurrences of each kind of error. */
  troubles: Record<string, number>;
}

export class CrawlProgress {
  #state: CrawlSnapshot['state'] = 'running';
  #queued = 0;
  #pages = 0;
  #fetched = 0;
  #bytes = 0;
  readonly #troubles = new Map<string, number>();

  get state(): CrawlSnapshot['state'] {
    return this.#state;
  }

  paused(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  resumed(): void {
    if (this.#state === 'paused') this.#state = 'running';
  }

  /** No work is left. */
  finished(): void {
    this.#state = 'done';
  }

  /** There is work again. */
  gotWork(): void {
    if (this.#state === 'done') this.#state = 'running';
  }

  stopped(): void {
    this.#state = 'stopped';
  }

  /** URLs became ready, or left the queue if `difference` is negative. */
  queueChanged(difference: number): void {
    this.#queued += difference;
  }

  get fetchedCount(): number {
    return this.#fetched;
  }

  fetched(isPage: boolean, bytes: number): void {
    this.#fetched++;
    this.#bytes += bytes;
    if (isPage) this.#pages++;
  }

  /** Icons count neither as pages nor towards `maxPages`. */
  fetchedIcon(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Reports a request without a page. */
  troubled(reason: string): void {
    this.#fetched++;
    this.#trouble(reason);
  }

  refused(reason: string): void {
    this.#trouble(reason);
  }

  snapshot(hosts: Pick<CrawlSnapshot, 'activeHosts' | 'underWay'>, journalFiles: number): CrawlSnapshot {
    return {
      state: this.#state,
      pages: this.#pages,
      fetched: this.#fetched,
      bytes: this.#bytes,
      queued: this.#queued,
      ...hosts,
      journalFiles,
      troubles: Object.fromEntries(this.#troubles),
    };
  }

  #trouble(reason: string): void {
    this.#troubles.set(reason, (this.#troubles.get(reason) ?? 0) + 1);
  }
}
