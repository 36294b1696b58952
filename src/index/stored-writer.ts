/** Compresses stored documents into frames; see stored-format.ts for the bytes. */
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter } from '../base/mod.ts';
import { STORED_FRAME_BYTES } from './stored-format.ts';

/** What a frame may be longer than its content: so it is written in one piece. */
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

  /** Takes a document as stored-record.ts encodes it. */
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

  /** The part of the tables: a count of frames, then documents and byte length of each. */
  writeFrames(out: ByteWriter): void {
    out.varint(this.#frameCount);
    out.raw(this.#frameTable.view());
  }
}
