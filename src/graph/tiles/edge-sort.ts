/**
 * Collects the edges of one column of a graph file, sorts them by source and removes duplicates.
 *
 * A radix sort by source is sufficient, because the targets of a source need no order. Duplicates are found
 * with a table that marks which of the column's 65,536 targets the current source already has.
 */
import { RANGE_MASK, RANGE_NODES } from './tiles-format.ts';

const DIGIT_BITS = 12;
const DIGITS = 1 << DIGIT_BITS;

/** An upper limit for source numbers: no source number reaches it. */
export const ALL_SOURCES = Number.POSITIVE_INFINITY;

export class EdgeSorter {
  /** The collected edges: source and target alternate. */
  #pairs: Uint32Array;
  #spare: Uint32Array;
  #count = 0;
  readonly #starts = new Uint32Array(DIGITS);
  readonly #stamps = new Uint32Array(RANGE_NODES);
  #stamp = 0;

  constructor(capacity: number) {
    this.#pairs = new Uint32Array(capacity * 2);
    this.#spare = new Uint32Array(capacity * 2);
  }

  get count(): number {
    return this.#count;
  }

  clear(): void {
    this.#count = 0;
  }

  /** Adds the edges whose source is at least `low` and below `high`. */
  gather(pairs: Uint32Array, low: number, high: number): void {
    if (low === 0 && high === ALL_SOURCES && this.#count * 2 + pairs.length <= this.#pairs.length) {
      this.#pairs.set(pairs, this.#count * 2);
      this.#count += pairs.length / 2;
      return;
    }
    for (let at = 0; at < pairs.length; at += 2) {
      const source = pairs[at]!;
      if (source < low || source >= high) continue;
      if (this.#count * 2 === this.#pairs.length) this.#makeRoom();
      this.#pairs[this.#count * 2] = source;
      this.#pairs[this.#count * 2 + 1] = pairs[at + 1]!;
      this.#count++;
    }
  }

  /**
   * Returns the distinct edges in order of their sources. Source and target alternate. The result is valid
   * until the next call.
   */
  finish(): Uint32Array {
    this.#sort();
    this.#removeRepetitions();
    return this.#pairs.subarray(0, this.#count * 2);
  }

  /**
   * Makes room for more edges. First removes duplicates. If more than half of the memory is still used,
   * allocates more.
   */
  #makeRoom(): void {
    this.finish();
    if (this.#count * 4 <= this.#pairs.length) return;
    const grown = new Uint32Array(Math.max(64, this.#pairs.length * 2));
    grown.set(this.#pairs.subarray(0, this.#count * 2));
    this.#pairs = grown;
    this.#spare = new Uint32Array(grown.length);
  }

  #sort(): void {
    const pairs = this.#pairs;
    const end = this.#count * 2;
    let differing = 0;
    for (let at = 0; at < end; at += 2) differing |= pairs[at]! ^ pairs[0]!;
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      if (((differing >>> shift) & (DIGITS - 1)) !== 0) this.#sortByDigit(shift);
    }
  }

  #sortByDigit(shift: number): void {
    const pairs = this.#pairs;
    const sorted = this.#spare;
    const starts = this.#starts.fill(0);
    const end = this.#count * 2;
    for (let at = 0; at < end; at += 2) starts[(pairs[at]! >>> shift) & (DIGITS - 1)]! += 2;
    let start = 0;
    for (let digit = 0; digit < DIGITS; digit++) {
      const size = starts[digit]!;
      starts[digit] = start;
      start += size;
    }
    for (let at = 0; at < end; at += 2) {
      const source = pairs[at]!;
      const digit = (source >>> shift) & (DIGITS - 1);
      const to = starts[digit]!;
      starts[digit] = to + 2;
      sorted[to] = source;
      sorted[to + 1] = pairs[at + 1]!;
    }
    [this.#pairs, this.#spare] = [sorted, pairs];
  }

  #removeRepetitions(): void {
    const pairs = this.#pairs;
    const stamps = this.#stamps;
    const end = this.#count * 2;
    let kept = 0;
    let previous = -1;
    for (let at = 0; at < end; at += 2) {
      const source = pairs[at]!;
      const target = pairs[at + 1]!;
      if (source !== previous) this.#nextStamp();
      previous = source;
      if (stamps[target & RANGE_MASK] === this.#stamp) continue;
      stamps[target & RANGE_MASK] = this.#stamp;
      pairs[kept] = source;
      pairs[kept + 1] = target;
      kept += 2;
    }
    this.#count = kept / 2;
  }

  #nextStamp(): void {
    if (++this.#stamp <= 0xffffffff) return;
    this.#stamps.fill(0);
    this.#stamp = 1;
  }
}
