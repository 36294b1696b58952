/**
 * Starts tasks early and handles (settles) their results in order: while one result is being handled, a thread
 * already works on the next tasks. The number of tasks in progress and their bytes are limited.
 */

interface ReadAheadLimits {
  items: number;
  bytes: number;
}

/** The default limits. They are enough to keep one thread busy. */
const DEFAULT_LIMITS: ReadAheadLimits = { items: 16, bytes: 8 * 1024 * 1024 };

export class ReadAhead<T> {
  readonly #settle: (item: T) => Promise<void>;
  readonly #limits: ReadAheadLimits;
  readonly #underWay: { item: T; sizeBytes: number }[] = [];
  #bytes = 0;

  constructor(settle: (item: T) => Promise<void>, limits = DEFAULT_LIMITS) {
    this.#settle = settle;
    this.#limits = limits;
  }

  /** Adds a task that has been started. Then settles the oldest tasks until the limits are met. */
  async add(item: T, sizeBytes: number): Promise<void> {
    this.#underWay.push({ item, sizeBytes });
    this.#bytes += sizeBytes;
    const { items, bytes } = this.#limits;
    while (this.#underWay.length > items || this.#bytes > bytes) await this.#next();
  }

  /** Waits until the results of all tasks in progress are settled. */
  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.#next();
  }

  async #next(): Promise<void> {
    const { item, sizeBytes } = this.#underWay.shift()!;
    this.#bytes -= sizeBytes;
    await this.#settle(item);
  }
}
