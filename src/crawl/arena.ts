/**
 * Room for bytes that are held for a moment, in chunks that are used again: fresh memory for every piece would
 * have the garbage collector run for its sake, and shared memory it does not even notice. A chunk is free again
 * when all of its pieces are.
 */
const CHUNK_BYTES = 1024 * 1024;
/** A UTF-16 unit takes no more in UTF-8. */
const BYTES_PER_UNIT = 3;

interface Chunk {
  bytes: Buffer;
  usedBytes: number;
  pieces: number;
}

export interface HeldPiece {
  readonly bytes: Uint8Array;
  readonly chunk: Chunk;
}

export class Arena {
  readonly #isShared: boolean;
  readonly #free: Chunk[] = [];
  #current: Chunk;

  /** Shared memory can be read by other threads. */
  constructor({ isShared = false } = {}) {
    this.#isShared = isShared;
    this.#current = this.#newChunk(CHUNK_BYTES);
  }

  /** A piece may be made of several; text is held as UTF-8. */
  hold(...parts: readonly (string | Uint8Array)[]): HeldPiece {
    const chunk = this.#chunkFor(parts.reduce((sum, part) => sum + mostBytesOf(part), 0));
    const start = chunk.usedBytes;
    for (const part of parts) {
      if (typeof part === 'string') chunk.usedBytes += chunk.bytes.write(part, chunk.usedBytes);
      else {
        chunk.bytes.set(part, chunk.usedBytes);
        chunk.usedBytes += part.length;
      }
    }
    chunk.pieces++;
    return { bytes: chunk.bytes.subarray(start, chunk.usedBytes), chunk };
  }

  /** Its bytes may be overwritten from now on. */
  release({ chunk }: HeldPiece): void {
    if (--chunk.pieces > 0) return;
    chunk.usedBytes = 0;
    if (chunk !== this.#current && chunk.bytes.length === CHUNK_BYTES) this.#free.push(chunk);
  }

  #chunkFor(sizeBytes: number): Chunk {
    if (sizeBytes > CHUNK_BYTES) return this.#newChunk(sizeBytes);
    if (this.#current.usedBytes + sizeBytes > CHUNK_BYTES)
      this.#current = this.#free.pop() ?? this.#newChunk(CHUNK_BYTES);
    return this.#current;
  }

  #newChunk(sizeBytes: number): Chunk {
    const bytes = this.#isShared
      ? Buffer.from(new SharedArrayBuffer(sizeBytes))
      : Buffer.allocUnsafeSlow(sizeBytes);
    return { bytes, usedBytes: 0, pieces: 0 };
  }
}

function mostBytesOf(part: string | Uint8Array): number {
  return typeof part === 'string' ? part.length * BYTES_PER_UNIT : part.length;
}
