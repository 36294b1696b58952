/** Reads stored documents; stored-format.ts describes the bytes. */
import { zstdDecompressSync } from 'node:zlib';
import { ByteReader, CorruptError, messageOf, type RandomFile } from '../../base/mod.ts';
import type { DocId, StoredDocument } from '../document.ts';
import { STORED_FRAME_BYTES } from './stored-format.ts';
import { decodeRecord } from './stored-record.ts';

/**
 * The size of the decompression buffer in bytes, for frames whose header does not state the length of the
 * content.
 */
const DEFAULT_CHUNK_BYTES = 2 * STORED_FRAME_BYTES;
/** The maximum size of the decompression buffer in bytes, because a damaged header may state any length. */
const MAX_CHUNK_BYTES = 16 * 1024 * 1024;
const SINGLE_SEGMENT = 0x20;
const DICTIONARY = 0x03;
/**
 * The number of decompressed frames in the cache. They take about 2 MB: enough for a page of results and the
 * documents that its query reads.
 */
const KEPT_FRAMES = 64;

export class StoredReader {
  readonly #file: RandomFile;
  /** The number of the first document in each frame, then the total number of documents. */
  readonly #firstDocs: number[] = [0];
  /** The file offset of each frame, then the end of the last frame. */
  readonly #offsets: number[];
  /** The cached frames, the oldest first: for each frame number, the records of its documents. */
  readonly #frames = new Map<number, Buffer[]>();

  /** Reads the table of frames from `tables`, and leaves the reader positioned after it. */
  constructor(file: RandomFile, documentsAt: number, docCount: number, tables: ByteReader) {
    this.#file = file;
    this.#offsets = [documentsAt];
    const frameCount = tables.varint();
    for (let frame = 0; frame < frameCount; frame++) {
      this.#firstDocs.push(this.#firstDocs[frame]! + tables.varint());
      this.#offsets.push(this.#offsets[frame]! + tables.varint());
    }
    const framedDocs = this.#firstDocs.at(-1)!;
    if (framedDocs !== docCount) throw tables.damage(`frames of ${docCount} documents`, `${framedDocs}`);
  }

  /**
   * Returns a stored document. Frames are cached, so this is fast if documents are read in ascending order or
   * were read for a recent query.
   */
  document(doc: DocId): StoredDocument {
    return decodeRecord(this.record(doc), this.#file.name);
  }

  /** Returns the encoded record of a stored document. */
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
    reader.require(count);
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
 * Returns the buffer size for decompressing a frame: one byte more than its content, so that zstd allocates a
 * single buffer of about the right size. Larger buffers would burden the garbage collector on every page of
 * results. The length of the content is in the frame header (RFC 8878, 3.1.1.1): it follows the magic number
 * and a byte of flags, if there is neither a window nor a dictionary.
 */
function chunkBytes(frame: Buffer): number {
  const flags = frame[4] ?? 0;
  const isPlain = (flags & (SINGLE_SEGMENT | DICTIONARY)) === SINGLE_SEGMENT;
  if (isPlain && flags >> 6 === 1) return frame.readUInt16LE(5) + 256 + 1;
  if (isPlain && flags >> 6 === 2) return Math.min(frame.readUInt32LE(5) + 1, MAX_CHUNK_BYTES);
  return DEFAULT_CHUNK_BYTES;
}
