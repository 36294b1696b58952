/**
 * `crawl.log`: a line of JSON for every answer and every failure, in the order of the commits, for
 * people with `tail -f` and for programs with a line reader. When it has grown past its limit it becomes
 * `crawl.log.1`, and the one before that is forgotten. It is a by-product: a crash may repeat or lose the
 * lines of its last moment.
 *
 *   {"time":"2026-01-02T03:04:05.678Z","url":"https://example.org/","status":200,"state":"done","reason":"page","bytes":512,"ms":87}
 */
import type { AppendFile, Directory } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';

const FILE = 'crawl.log';
const OLD_FILE = 'crawl.log.1';

export interface CrawlLogLine {
  /** ISO 8601. */
  time: string;
  url: CanonicalUrl;
  status: number;
  /**
   * What the URL became: done, refused, failed, or ready for another try; `robots` for a robots.txt, `icon` for
   * the icon of a site, `probe` for one that was made up.
   */
  state: string;
  reason: string;
  bytes: number;
  ms: number;
}

export class CrawlLog {
  readonly #directory: Directory;
  readonly #maxBytes: number;
  #file: AppendFile;

  constructor(directory: Directory, maxBytes: number) {
    this.#directory = directory;
    this.#maxBytes = maxBytes;
    this.#file = directory.append(FILE, directory.has(FILE) ? directory.sizeOf(FILE) : 0);
  }

  write(lines: readonly CrawlLogLine[]): void {
    if (lines.length === 0) return;
    this.#file.write(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
    if (this.#file.length > this.#maxBytes) this.#rotate();
  }

  close(): void {
    this.#file.close();
  }

  #rotate(): void {
    this.#file.close();
    this.#directory.rename(FILE, OLD_FILE);
    this.#file = this.#directory.append(FILE, 0);
  }
}
