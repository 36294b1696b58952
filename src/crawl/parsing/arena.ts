/**
 * Shared memory for bytes that are held for a short time, in chunks that are reused. Allocating memory for
 * every piece would trigger garbage collections, and the garbage collector does not account for shared
 * memory.
 *
 * A chunk begins with the number of its pieces that are held. Only the thread that owns the arena adds
 * pieces; any thread may release one. A chunk whose count is 0 is free.
 *
 *   0  u32  pieces held
 *   4       bytes of the pieces, one after the other
 */
const CHUNK_BYTES = 1024 * 1024;
/** Maximum number of chunks kept for reuse that hold a single large piece. */
const MAX_LARGE = 4;
const HEAD_BYTES = 4;
/** Maximum number of UTF-8 bytes per UTF-16 code unit. */
const BYTES_PER_UNIT = 3;

/** Bytes in shared memory, valid until `releaseBytes`. */
export type HeldBytes = Uint8Array<SharedArrayBuffer>;

export class Arena {
  readonly #chunks: Chunk[] = [];
  readonly #large: Chunk[] = [];
  #current = new Chunk(CHUNK_BYTES);

  /** Copies the parts one after the other into one piece of shared memory. Text is stored as UTF-8. */
  hold(...parts: readonly (string | Uint8Array)[]): HeldBytes {
    const sizeBytes = parts.reduce((sum, part) => sum + mostBytesOf(part), 0);
    return this.#chunkFor(sizeBytes).hold(parts);
  }

  #chunkFor(sizeBytes: number): Chunk {
    if (HEAD_BYTES + sizeBytes > CHUNK_BYTES) return this.#largeFor(HEAD_BYTES + sizeBytes);
    if (this.#current.hasRoom(sizeBytes)) return this.#current;
    this.#chunks.push(this.#current);
    const free = this.#chunks.findIndex((chunk) => chunk.isFree);
    this.#current = free < 0 ? new Chunk(CHUNK_BYTES) : this.#chunks.splice(free, 1)[0]!;
    return this.#current;
  }

  #largeFor(sizeBytes: number): Chunk {
    const known = this.#large.find((chunk) => chunk.isFree && chunk.sizeBytes >= sizeBytes);
    if (known) return known;
    const chunk = new Chunk(2 ** Math.ceil(Math.log2(sizeBytes)));
    this.#large.unshift(chunk);
    this.#large.splice(MAX_LARGE);
    return chunk;
  }
}

/** Releases a piece of shared memory. Its bytes may be overwritten from now on. */
export function releaseBytes({ buffer }: HeldBytes): void {
  Atomics.sub(new Int32Array(buffer, 0, 1), 0, 1);
}

class Chunk {
  readonly #bytes: Buffer<SharedArrayBuffer>;
  readonly #pieces: Int32Array;
  #usedBytes = HEAD_BYTES;

  constructor(sizeBytes: number) {
    this.#bytes = Buffer.from(new SharedArrayBuffer(sizeBytes));
    this.#pieces = new Int32Array(this.#bytes.buffer, 0, 1);
  }

  get sizeBytes(): number {
    return this.#bytes.length;
  }

  get isFree(): boolean {
    return Atomics.load(this.#pieces, 0) === 0;
  }

  hasRoom(sizeBytes: number): boolean {
    return this.isFree || this.#usedBytes + sizeBytes <= this.#bytes.length;
  }

  hold(parts: readonly (string | Uint8Array)[]): HeldBytes {
    if (this.isFree) this.#usedBytes = HEAD_BYTES;
    const start = this.#usedBytes;
    for (const part of parts) {
      if (typeof part === 'string') this.#usedBytes += this.#bytes.write(part, this.#usedBytes);
      else {
        this.#bytes.set(part, this.#usedBytes);
        this.#usedBytes += part.length;
      }
    }
    Atomics.add(this.#pieces, 0, 1);
    return this.#bytes.subarray(start, this.#usedBytes);
  }
}

function mostBytesOf(part: string | Uint8Array): number {
  return typeof part === 'string' ? part.length * BYTES_PER_UNIT : part.length;
}
