/**
 * The in-memory index of entries by band key: finds the entries that share a band with a sketch.
 *
 *   generation    simhashes of its entries, and an open-addressing table from band key to entry
 *   generations   each twice as large as the one before, up to half a million entries; the oldest are dropped
 *                 when there are more than the limit
 *
 * A slot is 4 bytes: the entry's number in its generation, and the first 12 bits of the key. These 12 bits
 * reject nearly every entry that was put there for another key, without a read of its simhash elsewhere in
 * memory; the simhash rejects the rest. So an entry costs 8 slots and a simhash, 41 bytes, and a lookup reads
 * a few slots per band and generation, whatever the number of entries. Entries are never moved: to grow, a
 * new generation is opened.
 */
import { popCount } from '../../base/mod.ts';
import { BAND_COUNT, type Sketch } from '../../sketch/mod.ts';

/**
 * Number of entries in the first generation and in the largest one. Both are powers of two, so that a bit mask of a
 * key gives its slot.
 */
const FIRST_CAPACITY = 1 << 12;
const LAST_CAPACITY = 1 << 19;
/**
 * Number of low bits of a slot that hold the number of the entry in its generation, plus one. The other bits hold
 * part of the key.
 */
const NUMBER_BITS = 20;
const NUMBER_MASK = (1 << NUMBER_BITS) - 1;
/**
 * Number of slots per entry. An entry uses six of them, one per band, so the table is at most three quarters full.
 */
const SLOTS_PER_ENTRY = 8;
/**
 * Maximum number of slots that `add` and a lookup try for one key. Without a limit, pages of one template, which
 * share keys without being duplicates, would form long chains. The step grows by one slot each time (triangular
 * probing). In a table that is three quarters full, one key in ten thousand finds no free slot.
 */
const MAX_WALK = 32;

/** The fields of a sketch that the table needs: its simhash and its band keys. */
export type BandKeys = Pick<Sketch, 'simLow' | 'simHigh' | 'bands'>;

export class BandTable {
  readonly #limit: number;
  #generations: Generation[] = [];

  /** `limit` is the number of most recent entries that are always kept. Up to twice as many may be in memory. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get sizeBytes(): number {
    return this.#generations.reduce((sum, generation) => sum + generation.sizeBytes, 0);
  }

  /** Adds an entry. Entries must be added in the order of their numbers, without gaps. */
  add(entry: number, keys: BandKeys): void {
    this.#generationFor(entry).add(entry, keys);
  }

  /** Reserves the number of an entry that lookups never return. */
  skip(entry: number): void {
    this.#generationFor(entry).skip(entry);
  }

  /** Removes an entry, so that lookups no longer return it. */
  retire(entry: number): void {
    this.#generations.find((generation) => generation.has(entry))?.retire(entry);
  }

  /**
   * Returns the entries that share a band with the sketch and whose simhash differs in at most `maxDistance` bits.
   * Entries of the newest generation come first.
   */
  candidates(keys: BandKeys, maxDistance: number): number[] {
    const found: number[] = [];
    for (let at = this.#generations.length - 1; at >= 0; at--) {
      this.#generations[at]!.collect(keys, maxDistance, found);
    }
    return found;
  }

  #generationFor(entry: number): Generation {
    const newest = this.#generations.at(-1);
    return newest && !newest.isFull ? newest : this.#open(entry, newest);
  }

  #open(firstEntry: number, last: Generation | undefined): Generation {
    const isLarge = last && (last.capacity >= LAST_CAPACITY || 8 * last.capacity > this.#limit);
    const capacity = last ? last.capacity * (isLarge ? 1 : 2) : FIRST_CAPACITY;
    const generation = new Generation(firstEntry, capacity);
    const enough = this.#generations.findIndex((each) => firstEntry - each.end < this.#limit);
    this.#generations = [...this.#generations.slice(Math.max(0, enough)), generation];
    return generation;
  }
}

class Generation {
  readonly capacity: number;
  readonly #first: number;
  readonly #simLow: Uint32Array;
  readonly #simHigh: Uint32Array;
  readonly #live: Uint8Array;
  /** The open-addressing table. The value 0 marks a free slot. */
  readonly #slots: Uint32Array;
  #count = 0;

  constructor(first: number, capacity: number) {
    this.#first = first;
    this.capacity = capacity;
    this.#simLow = new Uint32Array(capacity);
    this.#simHigh = new Uint32Array(capacity);
    this.#live = new Uint8Array(capacity);
    this.#slots = new Uint32Array(SLOTS_PER_ENTRY * capacity);
  }

  get isFull(): boolean {
    return this.#count === this.capacity;
  }

  /** The number of the last entry in this generation, plus one. */
  get end(): number {
    return this.#first + this.#count;
  }

  get sizeBytes(): number {
    return this.capacity * (SLOTS_PER_ENTRY * 4 + 9);
  }

  has(entry: number): boolean {
    return entry >= this.#first && entry < this.end;
  }

  add(entry: number, keys: BandKeys): void {
    this.skip(entry);
    const number = entry - this.#first;
    this.#simLow[number] = keys.simLow;
    this.#simHigh[number] = keys.simHigh;
    this.#live[number] = 1;
    for (let band = 0; band < BAND_COUNT; band++) this.#put(keys.bands[band]!, number);
  }

  skip(entry: number): void {
    this.#count = entry - this.#first + 1;
  }

  retire(entry: number): void {
    this.#live[entry - this.#first] = 0;
  }

  collect(keys: BandKeys, maxDistance: number, found: number[]): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let band = 0; band < BAND_COUNT; band++) {
      const key = keys.bands[band]!;
      let at = key & mask;
      for (let step = 1; step <= MAX_WALK && slots[at] !== 0; step++) {
        const slot = slots[at]!;
        at = (at + step) & mask;
        if ((slot ^ key) >>> NUMBER_BITS !== 0) continue;
        const number = (slot & NUMBER_MASK) - 1;
        if (!this.#isNear(number, keys, maxDistance)) continue;
        const entry = this.#first + number;
        if (!found.includes(entry)) found.push(entry);
      }
    }
  }

  #put(key: number, number: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = key & mask;
    for (let step = 1; step <= MAX_WALK; step++) {
      if (slots[at] === 0) {
        slots[at] = (key & ~NUMBER_MASK) | (number + 1);
        return;
      }
      at = (at + step) & mask;
    }
  }

  #isNear(number: number, keys: BandKeys, maxDistance: number): boolean {
    const low = popCount(this.#simLow[number]! ^ keys.simLow);
    if (low > maxDistance || this.#live[number] === 0) return false;
    return low + popCount(this.#simHigh[number]! ^ keys.simHigh) <= maxDistance;
  }
}
