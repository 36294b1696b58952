/**
 * Splits a stream of bytes into lines. Each byte is examined once, so the time is linear in the length of a
 * line, and the buffered part of a line never exceeds the limit. A line over the limit is read to its end and
 * discarded.
 */

export interface Line {
  /** Counts from 1. */
  number: number;
  sizeBytes: number;
  /** The line without its newline; null if it is longer than the limit. */
  bytes: Buffer | null;
}

const LF = 0x0a;

export async function* readLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const line = new GrowingLine(maxBytes);
  let number = 0;
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let from = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
      line.append(bytes.subarray(from, end));
      yield { number: ++number, ...line.take() };
      from = end + 1;
    }
    line.append(bytes.subarray(from));
  }
  const last = line.take();
  if (last.sizeBytes > 0) yield { number: number + 1, ...last };
}

class GrowingLine {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #sizeBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  append(piece: Buffer): void {
    this.#sizeBytes += piece.length;
    if (this.#sizeBytes > this.#maxBytes) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  /** Returns the current line and starts the next one. */
  take(): Omit<Line, 'number'> {
    const sizeBytes = this.#sizeBytes;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#sizeBytes = 0;
    if (sizeBytes > this.#maxBytes) return { sizeBytes, bytes: null };
    return { sizeBytes, bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
  }
}
