/**
 * Pieces of work that are begun early and settled in the order in which they came: while one is being settled, a thread
 * is already at the next. What is under way is bounded in number and in bytes.
 */

export interface ReadAheadLimits {
  items: number;
  bytes: number;
}

/** Enough to keep a thread at work. */
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

  /** Takes in one that has been begun, and settles the oldest if these are too many now. */
  async add(item: T, sizeBytes: number): Promise<void> {
    this.#underWay.push({ item, sizeBytes });
    this.#bytes += sizeBytes;
    const { items, bytes } = this.#limits;
    while (this.#underWay.length > items || this.#bytes > bytes) await this.#next();
  }

  /** Settles all that are under way. */
  async drain(): Promise<void> {
    while (this.#underWay.length > 0) await this.#next();
  }

  async #next(): Promise<void> {
    const { item, sizeBytes } = this.#underWay.shift()!;
    this.#bytes -= sizeBytes;
    await this.#settle(item);
  }
}
