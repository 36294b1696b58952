/** Appends captures to the archive; see warc-format.ts for the bytes. */
import { type AppendFile, type Clock, type Directory, partOf } from '../base/mod.ts';
import { type Capture, encodeCapture, encodeWarcinfo, WARC_SUFFIX } from './warc-format.ts';

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
}

export class WarcWriter {
  readonly #options: WarcWriterOptions;
  #file: number;
  #part: AppendFile;

  /** Opens the archive as it stood at `mark`, with what was not committed cut away. */
  constructor(options: WarcWriterOptions) {
    this.#options = options;
    const finished = options.directory.has(warcName(options.mark.file));
    this.#file = finished ? options.mark.file + 1 : options.mark.file;
    this.#part = this.#openPart(finished ? 0 : options.mark.length);
  }

  get mark(): WarcMark {
    return { file: this.#file, length: this.#part.length };
  }

  append(capture: Capture): void {
    this.#part.write(encodeCapture(capture));
  }

  /** Makes what was appended durable and returns the position to commit. */
  async flush(): Promise<WarcMark> {
    await this.#part.sync();
    return this.mark;
  }

  /** Finishes a file that has grown large. Call it only when the mark of the last `flush` is committed. */
  rotateIfLarge(): void {
    if (this.#part.length < this.#options.rotateBytes) return;
    this.#part.close();
    const name = warcName(this.#file);
    this.#options.directory.rename(partOf(name), name);
    this.#file++;
    this.#part = this.#openPart(0);
  }

  close(): void {
    this.#part.close();
  }

  #openPart(keepBytes: number): AppendFile {
    const { directory, software, clock } = this.#options;
    const name = warcName(this.#file);
    const part = directory.append(partOf(name), keepBytes);
    if (keepBytes === 0) part.write(encodeWarcinfo(name, software, clock.now()));
    return part;
  }
}

export function warcName(file: number): string {
  return String(file).padStart(8, '0') + WARC_SUFFIX;
}
