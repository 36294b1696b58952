/**
 * Appends captures to the archive; see warc-format.ts for the bytes.
 *
 *   append*, write* -> flush (encode, write, wait for the disk) -> the caller commits the mark -> rotateIfLarge
 *
 * What was appended is nowhere until `flush`. What lies behind the committed mark is cut when the archive
 * is opened again, and a file is finished only when all of it is committed: so a crash at any moment
 * leaves exactly the records of the last commit. The CDXJ file beside each WARC file follows it: it is
 * never needed to know what is valid, and is mended from the records when it has fallen behind.
 */
import { type AppendFile, type Clock, type Directory, partOf } from '../base/mod.ts';
import { encodeCdx } from './cdx-format.ts';
import { finishCdx, repairCdx, resumeCdx } from './cdx-writer.ts';
import {
  cdxNameOf,
  compressRecord,
  WARC_COMPRESSIONS,
  type WarcCompression,
  warcName,
} from './warc-compression.ts';
import { type EncodedBatch, InlineEncoder, type WarcEncoder } from './warc-encoder.ts';
import { type Archivable, encodeWarcinfo } from './warc-format.ts';

/** Where the archive stood at a commit: everything behind it is cut when the archive is opened again. */
export interface WarcMark {
  file: number;
  length: number;
}

export const WARC_START: WarcMark = { file: 1, length: 0 };

export interface WarcWriterOptions {
  directory: Directory;
  /** The position of the last commit. */
  mark: WarcMark;
  /** A file that has grown past this is finished at the next `rotateIfLarge`. */
  rotateBytes: number;
  /** Product and version, for `warcinfo`. */
  software: string;
  clock: Clock;
  /** Of new files; one that was begun otherwise is continued as it is. */
  compression?: WarcCompression;
  /** Who encodes: a `ThreadEncoder` leaves this thread free. The writer closes it. */
  encoder?: WarcEncoder;
}

export class WarcWriter {
  readonly #options: WarcWriterOptions;
  readonly #encoder: WarcEncoder;
  #file: number;
  #compression: WarcCompression;
  #part: AppendFile;
  #cdx: AppendFile;
  #queue: Archivable[] = [];

  /** Opens the archive as it stood at `mark`, with what was not committed cut away. */
  constructor(options: WarcWriterOptions) {
    const { directory, mark } = options;
    this.#options = options;
    this.#encoder = options.encoder ?? new InlineEncoder();
    repairCdx(directory);
    const isFinished = finishedName(directory, mark.file) !== undefined;
    const keepBytes = isFinished ? 0 : mark.length;
    this.#file = isFinished ? mark.file + 1 : mark.file;
    this.#compression = this.#compressionOf(keepBytes);
    this.#part = this.#openPart(keepBytes);
    this.#cdx = resumeCdx(directory, this.#name, this.#part.length);
  }

  /** Where the archive stands after the last `flush`. */
  get mark(): WarcMark {
    return { file: this.#file, length: this.#part.length };
  }

  /** Of the file that is being written. */
  get compression(): WarcCompression {
    return this.#compression;
  }

  append(item: Archivable): void {
    this.#queue.push(item);
  }

  /** Appends records that were encoded elsewhere, with this file's compression. */
  write({ bytes, entries }: EncodedBatch): void {
    if (entries.length === 0) return;
    const filename = this.#name;
    const start = this.#part.length;
    this.#part.write(bytes);
    const lines = entries.map((entry) => encodeCdx({ ...entry, offset: start + entry.offset, filename }));
    this.#cdx.write(Buffer.from(`${lines.join('\n')}\n`));
  }

  /** Makes what was appended durable and returns the position to commit. One at a time. */
  async flush(): Promise<WarcMark> {
    const items = this.#queue;
    this.#queue = [];
    if (items.length > 0) this.write(await this.#encoder.encode(items, this.#compression));
    await this.#part.sync();
    return this.mark;
  }

  /** Appends a batch and makes it durable. */
  appendBatch(items: readonly Archivable[]): Promise<WarcMark> {
    this.#queue.push(...items);
    return this.flush();
  }

  /** Finishes a file that has grown large. Call it only when the mark of the last `flush` is committed. */
  rotateIfLarge(): void {
    if (this.#part.length < this.#options.rotateBytes) return;
    const { directory, compression = 'gzip' } = this.#options;
    const name = this.#name;
    this.#part.close();
    this.#cdx.close();
    directory.rename(partOf(name), name);
    finishCdx(directory, name);
    directory.remove(partOf(cdxNameOf(name)));
    this.#file++;
    this.#compression = compression;
    this.#part = this.#openPart(0);
    this.#cdx = resumeCdx(directory, this.#name, this.#part.length);
  }

  /** What was appended and not flushed is dropped. */
  close(): void {
    this.#part.close();
    this.#cdx.close();
    this.#encoder.close();
  }

  get #name(): string {
    return warcName(this.#file, this.#compression);
  }

  #compressionOf(keepBytes: number): WarcCompression {
    const { directory, compression = 'gzip' } = this.#options;
    const begun = WARC_COMPRESSIONS.find((each) => directory.has(partOf(warcName(this.#file, each))));
    return keepBytes > 0 && begun ? begun : compression;
  }

  #openPart(keepBytes: number): AppendFile {
    const { directory, software, clock } = this.#options;
    if (keepBytes === 0) this.#removeUncommitted();
    const part = directory.append(partOf(this.#name), keepBytes);
    if (keepBytes > 0) return part;
    const warcinfo = encodeWarcinfo(this.#name, software, clock.now());
    part.write(compressRecord(warcinfo, this.#compression));
    return part;
  }

  /** Of a file with this number nothing was committed, whatever it was compressed with. */
  #removeUncommitted(): void {
    const { directory } = this.#options;
    for (const each of WARC_COMPRESSIONS) directory.remove(partOf(warcName(this.#file, each)));
    directory.remove(partOf(cdxNameOf(this.#name)));
  }
}

function finishedName(directory: Directory, file: number): string | undefined {
  return WARC_COMPRESSIONS.map((each) => warcName(file, each)).find((name) => directory.has(name));
}
