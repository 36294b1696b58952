/** Reads stored documents; stored-format.ts describes the bytes. */
import { zstdDecompressSync } from 'node:zlib';
import { ByteReader, CorruptError, messageOf, type RandomFile } from '../../base/mod.ts';
import type { DocId, StoredDocument } from '../document.ts';
import { STORED_FRAME_BYTES } from './stored-format.ts';
import { decodeRecord } from './stored-record.ts';

/** For frames whose header does not have the length of the content. */
const DEFAULT_CHUNK_BYTES = 2 * STORED_FRAME_BYTES;
/** Bounds the allocation, because a damaged header may have any length. */
const MAX_CHUNK_BYTES = 16 * 1024 * 1024;
const SINGLE_SEGMENT = 0x20;
const DICTIONARY = 0x03;
/** About 2 MB: the frames of a page of results, and of the documents that its query read. */
const KEPT_FRAMES = 64;

export class StoredReader {
  readonly #file: RandomFile;
  /** First document of each frame, and the document count. */
  readonly #firstDocs: number[] = [0];
  /** File offset of each frame, and of the end of the last. */
  readonly #offsets: number[];
  /** The records of the most recently loaded frames, the oldest first. */
  readonly #frames = new Map<number, Buffer[]>();

  /** Reads the frame table from `tables` and leaves it positioned after it. */
  constructor(file: RandomFile, documentsAt: number, tables: ByteReader) {
    this.#file = file;
    this.#offsets = [documentsAt];
    const frameCount = tables.varint();
    for (let frame = 0; frame < frameCount; frame++) {
      this.#firstDocs.push(this.#firstDocs[frame]! + tables.varint());
      this.#offsets.push(this.#offsets[frame]! + tables.varint());
    }
  }

  /** Fast for documents in ascending order and for those of recent queries, because some frames are cached. */
  document(doc: DocId): StoredDocument {
    return decodeRecord(this.record(doc), this.#file.name);
  }

  /** Returns the record as it is in the file. */
  record(doc: DocId): Buffer {
    const frame = this.#frameOf(doc);
    const records = this.#frames.get(frame) ?? this.#load(frame);
    return records[doc - this.#firstDocs[frame]!]!;
  }

  #frameOf(doc: DocId): number {
    let low = 0;
    let high = this.#firstDocs.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (this.#firstDocs[middle]! <= doc) low = middle;
      else high = middle;
    }
    return low;
  }

  #load(frame: number): Buffer[] {
    const at = this.#offsets[frame]!;
    const bytes = decompress(this.#file.read(at, this.#offsets[frame + 1]! - at), this.#file.name, at);
    const reader = new ByteReader(bytes, this.#file.name);
    const count = this.#firstDocs[frame + 1]! - this.#firstDocs[frame]!;
    const records = Array.from({ length: count }, () => reader.raw(reader.varint()));
    if (this.#frames.size >= KEPT_FRAMES) this.#frames.delete(this.#frames.keys().next().value!);
    this.#frames.set(frame, records);
    return records;
  }
}

function decompress(frame: Buffer, file: string, at: number): Buffer {
  try {
    return zstdDecompressSync(frame, { chunkSize: chunkBytes(frame) });
  } catch (cause) {
    throw new CorruptError(file, at, 'a zstd frame', messageOf(cause));
  }
}

/**
 * Returns one more than the length of the content, so that zstd allocates one buffer of about the right size;
 * larger ones would burden the garbage collector on every page of results. By RFC 8878, 3.1.1.1 the length
 * follows the magic number and a byte of flags, if there is neither a window nor a dictionary.
 */
function chunkBytes(frame: Buffer): number {
  const flags = frame[4] ?? 0;
  const isPlain = (flags & (SINGLE_SEGMENT | DICTIONARY)) === SINGLE_SEGMENT;
  if (isPlain && flags >> 6 === 1) return frame.readUInt16LE(5) + 256 + 1;
  if (isPlain && flags >> 6 === 2) return Math.min(frame.readUInt32LE(5) + 1, MAX_CHUNK_BYTES);
  return DEFAULT_CHUNK_BYTES;
}
