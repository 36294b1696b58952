/**
 * The body of a response while it is received: one buffer that grows. The chunks themselves are not kept,
 * because each is a view of everything that the socket received with it: a chunk of one byte would hold 64
 * KiB in memory. The exception is a body of a single chunk, which is not copied; most bodies are of this
 * kind.
 */
const FIRST_BYTES = 64 * 1024;

export class BodyBuffer {
  #single: Buffer | null = null;
  #bytes = Buffer.alloc(0);
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /**
   * Adds a received chunk to the body. `announcedBytes` is the Content-Length or null. The buffer grows to at
   * most this size, so that it usually has exactly the size of the body and `take` need not copy it. If the
   * Content-Length is too small, the buffer grows beyond it.
   */
  append(chunk: Buffer, announcedBytes: number | null): void {
    const start = this.#sizeBytes;
    this.#sizeBytes += chunk.length;
    if (start === 0) {
      this.#single = chunk;
      return;
    }
    if (this.#sizeBytes > this.#bytes.length) this.#grow(announcedBytes ?? Number.POSITIVE_INFINITY);
    if (this.#single) this.#bytes.set(this.#single);
    this.#single = null;
    this.#bytes.set(chunk, start);
  }

  /** Returns the whole body. The buffer has exactly the size of the body, unless the body came in one chunk. */
  take(): Buffer {
    if (this.#single) return this.#single;
    if (this.#bytes.length === this.#sizeBytes) return this.#bytes;
    const exact = Buffer.allocUnsafeSlow(this.#sizeBytes);
    this.#bytes.copy(exact, 0, 0, this.#sizeBytes);
    return exact;
  }

  #grow(mostBytes: number): void {
    const doubled = Math.min(Math.max(FIRST_BYTES, 2 * this.#bytes.length), mostBytes);
    const larger = Buffer.allocUnsafeSlow(Math.max(doubled, this.#sizeBytes));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
