/** Compresses stored documents into frames; see stored-format.ts for the bytes. */
import { constants, zstdCompressSync } from 'node:zlib';
import { ByteWriter } from '../base/mod.ts';
import type { StoredDocument } from './document.ts';
import { STORED_FRAME_BYTES } from './stored-format.ts';

const PARAMS = { [constants.ZSTD_c_compressionLevel]: 1 };

export class StoredWriter {
  readonly #write: (bytes: Uint8Array) => void;
  readonly #frame = new ByteWriter(2 * STORED_FRAME_BYTES);
  readonly #record = new ByteWriter();
  readonly #frameTable = new ByteWriter();
  #frameCount = 0;
  #docsInFrame = 0;

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  add(document: StoredDocument): void {
    const record = this.#record;
    record.clear();
    record.varint(document.fetchedAt);
    record.varint(document.maxSnippet === undefined ? 0 : document.maxSnippet + 1);
    record.text(document.url);
    record.text(document.title);
    record.text(document.description);
    record.text(document.language);
    record.text(document.text);
    this.#frame.varint(record.length);
    this.#frame.raw(record.view());
    this.#docsInFrame++;
    if (this.#frame.length >= STORED_FRAME_BYTES) this.endFrame();
  }

  endFrame(): void {
    if (this.#docsInFrame === 0) return;
    const content = this.#frame.view();
    const frame = zstdCompressSync(content, { params: PARAMS, pledgedSrcSize: content.length });
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
