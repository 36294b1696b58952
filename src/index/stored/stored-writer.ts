/** Compresses stored documents into frames; stored-format.ts describes the bytes. */
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter } from '../../base/mod.ts';
import { STORED_FRAME_BYTES } from './stored-format.ts';

/**
 * The first output buffer of zstd is larger than the content of a frame by this number of bytes. A compressed
 * frame is never larger than that, so zstd never needs a second buffer.
 */
const CHUNK_ROOM = 1024;
const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };

export class StoredWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #frame = new ByteWriter(2 * STORED_FRAME_BYTES);
  readonly #frameTable = new ByteWriter();
  #frameCount = 0;
  #docsInFrame = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** Adds a document, encoded by stored-record.ts. */
  add(record: Uint8Array): void {
    this.#frame.varint(record.length);
    this.#frame.raw(record);
    this.#docsInFrame++;
    if (this.#frame.length >= STORED_FRAME_BYTES) this.endFrame();
  }

  endFrame(): void {
    if (this.#docsInFrame === 0) return;
    const content = this.#frame.view();
    const frame = zstdCompressSync(content, {
      params: PARAMS,
      pledgedSrcSize: content.length,
      chunkSize: content.length + CHUNK_ROOM,
    });
    this.#write(frame);
    this.#frameTable.varint(this.#docsInFrame);
    this.#frameTable.varint(frame.length);
    this.#frameCount++;
    this.#frame.clear();
    this.#docsInFrame = 0;
  }

  /**
   * Writes the table of frames: the number of frames, then the number of documents and the byte length of each
   * frame.
   */
  writeFrames(out: ByteWriter): void {
    out.varint(this.#frameCount);
    out.raw(this.#frameTable.view());
  }
}
