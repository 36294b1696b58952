/**
 * Room for lines of text as bytes, each held for a moment: in chunks that are used again, since fresh memory for
 * every line would have the garbage collector run for its sake. A chunk is free again when all of its lines are.
 */
const CHUNK_BYTES = 1024 * 1024;
/** A UTF-16 unit takes no more in UTF-8. */
const BYTES_PER_UNIT = 3;

interface Chunk {
  bytes: Buffer;
  usedBytes: number;
  lines: number;
}

export interface HeldLine {
  readonly bytes: Uint8Array;
  readonly chunk: Chunk;
}

export class LineArena {
  readonly #free: Chunk[] = [];
  #current: Chunk = newChunk(CHUNK_BYTES);

  hold(line: string): HeldLine {
    const chunk = this.#chunkFor(line.length * BYTES_PER_UNIT);
    const start = chunk.usedBytes;
    chunk.usedBytes += chunk.bytes.write(line, start);
    chunk.lines++;
    return { bytes: chunk.bytes.subarray(start, chunk.usedBytes), chunk };
  }

  /** Its bytes may be overwritten from now on. */
  release({ chunk }: HeldLine): void {
    if (--chunk.lines > 0) return;
    chunk.usedBytes = 0;
    if (chunk !== this.#current && chunk.bytes.length === CHUNK_BYTES) this.#free.push(chunk);
  }

  #chunkFor(sizeBytes: number): Chunk {
    if (sizeBytes > CHUNK_BYTES) return newChunk(sizeBytes);
    if (this.#current.usedBytes + sizeBytes > CHUNK_BYTES)
      this.#current = this.#free.pop() ?? newChunk(CHUNK_BYTES);
    return this.#current;
  }
}

function newChunk(sizeBytes: number): Chunk {
  return { bytes: Buffer.allocUnsafeSlow(sizeBytes), usedBytes: 0, lines: 0 };
}
