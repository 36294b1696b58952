/**
 * When `gyre up` gathers words: after the index has grown by a fifth, so that all gatherings together cost no more than a few
 * of the last, or when it changed at all and the last was twenty times as long ago as it took. It runs beside the
 * building, which must not wait for it, and one at a time.
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

  /** The index has changed and holds so many documents now; false if it is not yet worth a gathering. */
  offer(docs: number): boolean {
    const isRested = this.#now() - this.#endedAt >= REST * this.#tookMs;
    if (this.#running || !(docs > this.#docs * GROWTH || isRested)) return false;
    this.#docs = docs;
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
    return true;
  }

  /** Waits for what is under way. */
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
