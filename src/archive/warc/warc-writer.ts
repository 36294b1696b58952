/**
 * Appends captures to the archive; see warc-format.ts for the bytes.
 *
 *   append*, write* -> flush (encode, write, wait for the disk) -> the caller commits the mark -> rotateIfLarge
 *
 * Appended captures exist only in memory until `flush`. When the archive is opened again, everything after
 * the committed mark is cut, and a file is finished only when all of it is committed. A crash at any time
 * therefore leaves exactly the records of the last commit. The CDXJ file of a WARC file is written after the
 * WARC file. Missing lines are restored from the records.
 */
import { type AppendFile, type Clock, type Directory, partOf } from '../../base/mod.ts';
import { encodeCdx } from '../cdx/mod.ts';
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

/** The end of the archive at a commit. When the archive is opened again, everything after the mark is cut. */
export interface WarcMark {
  file: number;
  length: number;
}

export const WARC_START: WarcMark = { file: 1, length: 0 };

export interface WarcWriterOptions {
  directory: Directory;
  /** The end of the archive at the last commit. */
  mark: WarcMark;
  /** The size limit of a WARC file. A larger file is finished at the next `rotateIfLarge`. */
  rotateBytes: number;
  /** The product name and version that the `warcinfo` record names. */
  software: string;
  clock: Clock;
  /** The compression of new files; a file that was begun with another compression is continued with it. */
  compression?: WarcCompression;
  /** Encodes the records. A `ThreadEncoder` keeps the caller's thread free. The writer closes the encoder. */
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

  /** Opens the archive as it was at `mark` and cuts all data after it. */
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

  get mark(): WarcMark {
    return { file: this.#file, length: this.#part.length };
  }

  get compression(): WarcCompression {
    return this.#compression;
  }

  append(item: Archivable): void {
    this.#queue.push(item);
  }

  /** Appends records that the caller has encoded with the compression of the current file. */
  write({ bytes, entries }: EncodedBatch): void {
    if (entries.length === 0) return;
    const filename = this.#name;
    const start = this.#part.length;
    this.#part.write(bytes);
    const lines = entries.map((entry) => encodeCdx({ ...entry, offset: start + entry.offset, filename }));
    this.#cdx.write(Buffer.from(`${lines.join('\n')}\n`));
  }

  /** Writes all appended captures to disk and returns the mark to commit. Only one call may run at a time. */
  async flush(): Promise<WarcMark> {
    const items = this.#queue;
    this.#queue = [];
    if (items.length > 0) this.write(await this.#encoder.encode(items, this.#compression));
    await this.#part.sync();
    return this.mark;
  }

  /**
   * Finishes the current file if it has grown large. Call this only after the mark of the last `flush` is
   * committed.
   */
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

  /** Closes the archive. Captures that were appended and not flushed are dropped. */
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
    part.write(encodeWarcHead(this.#name, { software, now: clock.now(), compression: this.#compression }));
    return part;
  }

  /**
   * Removes the part files with the number of the current file in any compression, because none of their data
   * is committed.
   */
  #removeUncommitted(): void {
    const { directory } = this.#options;
    for (const each of WARC_COMPRESSIONS) directory.remove(partOf(warcName(this.#file, each)));
    directory.remove(partOf(cdxNameOf(this.#name)));
  }
}

/** Encodes the record with which the WARC file `name` begins. */
export function encodeWarcHead(
  name: string,
  { software, now, compression }: { software: string; now: number; compression: WarcCompression },
): Buffer {
  return compressRecord(encodeWarcinfo(name, software, now), compression);
}

function finishedName(directory: Directory, file: number): string | undefined {
  return WARC_COMPRESSIONS.map((each) => warcName(file, each)).find((name) => directory.has(name));
}
