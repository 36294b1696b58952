/**
 * Decides when `gyre up` builds the words files: when the index has grown by a fifth, or when the index has changed
 * and the time since the last run is at least twenty times the duration of that run. Therefore all runs together
 * cost no more than a few times the last run. There is one run at a time. It is concurrent with the index build,
 * which must not wait for it.
 */
const GROWTH = 1.2;
const REST = 20;

export class WordsGathering {
  readonly #gather: () => Promise<void>;
  readonly #now: () => number;
  #running: Promise<void> | null = null;
  #docs = 0;
  #endedAt = 0;
  #tookMs = 0;

  constructor(gather: () => Promise<void>, now: () => number) {
    this.#gather = gather;
    this.#now = now;
  }

  /**
   * Reports that the index has changed and has `docs` documents. Starts a run and returns true if a run is due and
   * none is in progress; otherwise returns false.
   */
  offer(docs: number): boolean {
    const isRested = this.#now() - this.#endedAt >= REST * this.#tookMs;
    if (this.#running || !(docs > this.#docs * GROWTH || isRested)) return false;
    this.#docs = docs;
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    return true;
  }

  /** Waits for the run in progress. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    const startedAt = this.#now();
    await this.#gather();
    this.#endedAt = this.#now();
    this.#tookMs = this.#endedAt - startedAt;
  }
}
