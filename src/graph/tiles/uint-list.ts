/**
 * A growing list of unsigned 32-bit numbers. It takes four bytes per number; a JavaScript array takes eight
 * or more.
 */
export class UintList {
  #items = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: number): void {
    if (this.#length === this.#items.length) {
      const grown = new Uint32Array(this.#items.length * 2);
      grown.set(this.#items);
      this.#items = grown;
    }
    this.#items[this.#length++] = item;
  }

  /** Replaces the last number. The list must not be empty. */
  replaceLast(item: number): void {
    this.#items[this.#length - 1] = item;
  }

  /** Returns the numbers from index `start` up to `end`; valid until the next `push`. */
  view(start = 0, end = this.#length): Uint32Array {
    return this.#items.subarray(start, end);
  }
}
