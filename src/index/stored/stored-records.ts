/**
 * Holds stored documents in memory until a segment is written. They are encoded when they are added.
 *
 * If texts were kept as strings, several garbage collections would copy them. Encoded bytes in large chunks are
 * not copied. The chunks are reused for the next segment, because the garbage collector is slow to free memory
 * outside of its heap.
 */
import { ByteWriter } from '../../base/mod.ts';
import type { StoredDocument } from '../document.ts';
import { encodeStoredRecord } from './stored-record.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/**
 * Memory reserved in a chunk for the URL, the title and other short texts of a document, in UTF-16 units. If
 * they are longer, the chunk grows.
 */
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

  /**
   * Encodes and adds a document. `textBytes` is its text as UTF-8, or null if the caller has only the string.
   * Returns the chunk and offsets of the encoded record.
   */
  add(document: StoredDocument, textBytes: Uint8Array | null): StoredPlace {
    const chunk = this.#chunkFor(document);
    const start = chunk.length;
    encodeStoredRecord(document, chunk, textBytes);
    this.#sizeBytes += chunk.length - start;
    return { chunk: this.#used - 1, start, end: chunk.length };
  }

  /** Returns the encoded record of a document. Valid until the next `add`. */
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

  /**
   * Returns a chunk with enough room for a document: the current chunk or the next one. A document that is
   * longer than a chunk gets a chunk of its own, which grows.
   */
  #chunkFor(document: StoredDocument): ByteWriter {
    const current = this.#chunks[this.#used - 1];
    if (current && current.length + 3 * (document.text.length + SHORT_PARTS) < CHUNK_BYTES) return current;
    this.#chunks[this.#used] ??= new ByteWriter(CHUNK_BYTES);
    return this.#chunks[this.#used++]!;
  }
}
