/**
 * Stored documents in memory on their way to a segment, encoded as they come in.
 *
 * A text that is kept as a string until the segment is written outlives several collections of garbage, each of
 * which copies it; as bytes in large chunks it lies still. The chunks are used again for the next segment: what
 * the garbage collector frees outside of its heap it gives back late.
 */
import { ByteWriter } from '../base/mod.ts';
import type { StoredDocument } from './document.ts';
import { encodeRecord } from './stored-record.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** For URL, title and the like, in UTF-16 units. If they are longer, the chunk grows. */
const SHORT_PARTS = 4096;

export interface StoredPlace {
  chunk: number;
  start: number;
  end: number;
}

export class StoredRecords {
  readonly #chunks: ByteWriter[] = [];
  #used = 0;
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** `textBytes` are those of the text, if somebody has them already. */
  add(document: StoredDocument, textBytes: Uint8Array | null): StoredPlace {
    const chunk = this.#chunkFor(document);
    const start = chunk.length;
    encodeRecord(document, chunk, textBytes);
    this.#sizeBytes += chunk.length - start;
    return { chunk: this.#used - 1, start, end: chunk.length };
  }

  /** Valid until the next `add`. */
  record({ chunk, start, end }: StoredPlace): Uint8Array {
    return this.#chunks[chunk]!.view().subarray(start, end);
  }

  clear(): void {
    for (const [i, chunk] of this.#chunks.entries()) {
      if (chunk.capacity > 2 * CHUNK_BYTES) this.#chunks[i] = new ByteWriter(CHUNK_BYTES);
      else chunk.clear();
    }
    this.#used = 0;
    this.#sizeBytes = 0;
  }

  /** The current chunk unless the record may not fit; a longer one than any chunk has one to itself, which grows. */
  #chunkFor(document: StoredDocument): ByteWriter {
    const current = this.#chunks[this.#used - 1];
    if (current && current.length + 3 * (document.text.length + SHORT_PARTS) < CHUNK_BYTES) return current;
    this.#chunks[this.#used] ??= new ByteWriter(CHUNK_BYTES);
    return this.#chunks[this.#used++]!;
  }
}
