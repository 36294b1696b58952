/**
 * A set of fingerprints in memory: an open-addressing table, eight bytes a slot, at most 70 % full. A lookup reads a
 * few neighbouring slots.
 */
const FIRST_CAPACITY = 1 << 16;
const MAX_LOAD = 0.7;

export class SeenTable {
  /**
   * The slots of the table. A slot is two 32-bit words, low and high, as in `seen.log`; both are 0 in an empty
   * slot. BigInts are not used, because each would be an object.
   */
  #words = new Uint32Array(2 * FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(low: number, high: number): boolean {
    return this.#isTaken(this.#find(low, high));
  }

  /** Adds a fingerprint; returns false if it was already present. */
  add(low: number, high: number): boolean {
    const slot = this.#find(low, high);
    if (this.#isTaken(slot)) return false;
    this.#words[slot] = low;
    this.#words[slot + 1] = high;
    if (++this.#size > (this.#words.length / 2) * MAX_LOAD) this.#grow(this.#words.length);
    return true;
  }

  /** Makes room for this many fingerprints at once, which is cheaper than growing step by step. */
  reserve(count: number): void {
    let capacity = this.#words.length / 2;
    while (count > capacity * MAX_LOAD) capacity *= 2;
    if (capacity > this.#words.length / 2) this.#grow(capacity);
  }

  /**
   * Returns the fingerprints in ascending order and empties the table. The result is in the memory of the table: it
   * is valid until the next method call, which must be `clear`.
   */
  takeSorted(): BigUint64Array {
    const words = this.#words;
    let end = 0;
    for (let at = 0; at < words.length; at += 2) {
      if (words[at] === 0 && words[at + 1] === 0) continue;
      words[end] = words[at]!;
      words[end + 1] = words[at + 1]!;
      end += 2;
    }
    this.#size = 0;
    return new BigUint64Array(words.buffer, 0, end / 2).sort();
  }

  /** Makes the table usable again after `takeSorted`. */
  clear(): void {
    this.#words.fill(0);
  }

  #isTaken(slot: number): boolean {
    return this.#words[slot] !== 0 || this.#words[slot + 1] !== 0;
  }

  /** Returns the slot of the fingerprint, or the empty slot where it would go. */
  #find(low: number, high: number): number {
    const words = this.#words;
    const mask = words.length - 1;
    // The low bits of a fingerprint select the slot, because they depend on the whole URL. The high bits depend only
    // on the host.
    let slot = (low * 2) & mask;
    while (
      (words[slot] !== 0 || words[slot + 1] !== 0) &&
      (words[slot] !== low || words[slot + 1] !== high)
    ) {
      slot = (slot + 2) & mask;
    }
    return slot;
  }

  #grow(capacity: number): void {
    const old = this.#words;
    this.#words = new Uint32Array(2 * capacity);
    for (let at = 0; at < old.length; at += 2) {
      const [low, high] = [old[at]!, old[at + 1]!];
      if (low === 0 && high === 0) continue;
      const slot = this.#find(low, high);
      this.#words[slot] = low;
      this.#words[slot + 1] = high;
    }
  }
}
