/**
 * Counts how often pages were shown as results, so that pages that people see get their vectors first. The
 * counters are in memory that threads share, and nothing is saved. Two pages may share a counter. With some ten
 * thousand shown pages this is rare, and harmless, because the counts only decide an order.
 */
const COUNTERS = 1 << 16;

export class ShownPages {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Uint32Array;
  #shownAt = Number.NEGATIVE_INFINITY;

  /**
   * Creates the counters in the given shared memory. If no buffer is given, makes one with all counters at 0.
   */
  constructor(buffer = new SharedArrayBuffer(4 * COUNTERS)) {
    this.buffer = buffer;
    this.#counts = new Uint32Array(buffer);
  }

  /** Increases the counter of a page, which is given by the fingerprint of its URL. */
  add(fingerprint: bigint): void {
    this.#shownAt = performance.now();
    Atomics.add(this.#counts, counterOf(fingerprint), 1);
  }

  /** Returns the time since a page was last added through this object; infinite if there was none. */
  sinceShownMs(): number {
    return performance.now() - this.#shownAt;
  }

  countOf(fingerprint: bigint): number {
    return Atomics.load(this.#counts, counterOf(fingerprint));
  }
}

function counterOf(fingerprint: bigint): number {
  return Number(BigInt.asUintN(16, fingerprint));
}
