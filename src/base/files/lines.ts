/**
 * Splits a stream of bytes into lines with bounded memory. A line over the length limit is discarded. Each
 * byte is examined once, so the time is linear in the length of the stream.
 */

export interface Line {
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

  take(): Omit<Line, 'number'> {
    const sizeBytes = this.#sizeBytes;
    const pieces = this.#pieces;
    this.#pieces = [];
    this.#sizeBytes = 0;
    if (sizeBytes > this.#maxBytes) return { sizeBytes, bytes: null };
    return { sizeBytes, bytes: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces) };
  }
}
