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

  /** A line may come in pieces. */
  hold(...pieces: readonly (string | Uint8Array)[]): HeldLine {
    const chunk = this.#chunkFor(pieces.reduce((sum, piece) => sum + mostBytesOf(piece), 0));
    const start = chunk.usedBytes;
    for (const piece of pieces) {
      if (typeof piece === 'string') chunk.usedBytes += chunk.bytes.write(piece, chunk.usedBytes);
      else {
        chunk.bytes.set(piece, chunk.usedBytes);
        chunk.usedBytes += piece.length;
      }
    }
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

function mostBytesOf(piece: string | Uint8Array): number {
  return typeof piece === 'string' ? piece.length * BYTES_PER_UNIT : piece.length;
}

function newChunk(sizeBytes: number): Chunk {
  return { bytes: Buffer.allocUnsafeSlow(sizeBytes), usedBytes: 0, lines: 0 };
}
