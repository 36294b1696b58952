/** Reads stored documents back; see stored-format.ts for the bytes. */
import { zstdDecompressSync } from 'node:zlib';
import { ByteReader, CorruptError, messageOf, type RandomFile } from '../base/mod.ts';
import type { DocId, StoredDocument } from './document.ts';

export class StoredReader {
  readonly #file: RandomFile;
  /** First document of each frame, and the document count. */
  readonly #firstDocs: number[] = [0];
  /** File offset of each frame, and of the end of the last. */
  readonly #offsets: number[];
  #cached = -1;
  #records: Buffer[] = [];

  /** `tables` stands at the frames and is left behind them. */
  constructor(file: RandomFile, documentsAt: number, tables: ByteReader) {
    this.#file = file;
    this.#offsets = [documentsAt];
    const frameCount = tables.varint();
    for (let frame = 0; frame < frameCount; frame++) {
      this.#firstDocs.push(this.#firstDocs[frame]! + tables.varint());
      this.#offsets.push(this.#offsets[frame]! + tables.varint());
    }
  }

  /** Fast for documents in ascending order: the last frame is kept. */
  document(doc: DocId): StoredDocument {
    const frame = this.#frameOf(doc);
    if (frame !== this.#cached) this.#load(frame);
    const reader = new ByteReader(this.#records[doc - this.#firstDocs[frame]!]!, this.#file.name);
    const fetchedAt = reader.varint();
    const maxSnippet = reader.varint() - 1;
    const url = reader.text();
    const title = reader.text();
    const description = reader.text();
    const language = reader.text();
    const document = { url, title, description, language, text: reader.text(), fetchedAt };
    return maxSnippet < 0 ? document : { ...document, maxSnippet };
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

  #load(frame: number): void {
    const at = this.#offsets[frame]!;
    const bytes = decompress(this.#file.read(at, this.#offsets[frame + 1]! - at), this.#file.name, at);
    const reader = new ByteReader(bytes, this.#file.name);
    const count = this.#firstDocs[frame + 1]! - this.#firstDocs[frame]!;
    this.#records = Array.from({ length: count }, () => reader.raw(reader.varint()));
    this.#cached = frame;
  }
}

function decompress(frame: Buffer, file: string, at: number): Buffer {
  try {
    return zstdDecompressSync(frame);
  } catch (cause) {
    throw new CorruptError(file, at, 'a zstd frame', messageOf(cause));
  }
}
