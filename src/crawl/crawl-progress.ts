/** Counters for the progress line, the status page and the closing report. */

export interface CrawlSnapshot {
  state: 'running' | 'paused' | 'done' | 'stopped';
  /** Number of pages that were parsed. */
  pages: number;
  /** Number of responses of all types, except icons. */
  fetched: number;
  bytes: number;
  queued: number;
  /**
   * `activeHosts` is the number of hosts with work, and `underWay` the number of hosts with a request in
   * flight.
   */
  activeHosts: number;
  underWay: number;
  /** Number of finished journal files. The files are numbered from 1 up to this number. */
  journalFiles: number;
  /** Number of failed requests by reason, for example `HTTP 503` or `timeout`. */
  troubles: Record<string, number>;
  /** Number of responses to requests for URLs, by HTTP status. Requests without a response are not counted. */
  statuses: Record<string, number>;
  /** True while no requests are sent because the disk is nearly full. */
  isDiskFull: boolean;
}

export class CrawlProgress {
  #state: CrawlSnapshot['state'] = 'running';
  #queued = 0;
  #pages = 0;
  #fetched = 0;
  #bytes = 0;
  #isDiskFull = false;
  readonly #troubles = new Map<string, number>();
  readonly #statuses = new Map<number, number>();

  get state(): CrawlSnapshot['state'] {
    return this.#state;
  }

  paused(): void {
    if (this.#state === 'running') this.#state = 'paused';
  }

  resumed(): void {
    if (this.#state === 'paused') this.#state = 'running';
  }

  diskFull(isFull: boolean): void {
    this.#isDiskFull = isFull;
  }

  /** Reports that the crawl has no work left. */
  finished(): void {
    this.#state = 'done';
  }

  /** Reports that a crawl without work has work again. */
  gotWork(): void {
    if (this.#state === 'done') this.#state = 'running';
  }

  stopped(): void {
    this.#state = 'stopped';
  }

  /** Reports that the number of ready URLs has changed by `difference`, which is negative if URLs left the queue. */
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

  /** Reports a fetched icon. Icons count neither as pages nor towards `maxPages`. */
  fetchedIcon(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Reports a request that did not return a page, with the reason. */
  troubled(reason: string): void {
    this.#fetched++;
    this.#trouble(reason);
  }

  /** Reports the HTTP status of a response to a request for a URL. */
  responded(status: number): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
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
      statuses: Object.fromEntries(this.#statuses),
      isDiskFull: this.#isDiskFull,
    };
  }

  #trouble(reason: string): void {
    this.#troubles.set(reason, (this.#troubles.get(reason) ?? 0) + 1);
  }
}
