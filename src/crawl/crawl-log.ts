/**
 * `crawl.log`: one line of JSON per response and per failure, in commit order, for `tail -f` and for programs
 * that read lines. When the file grows past its size limit it is renamed to `crawl.log.1`, which replaces the
 * previous `crawl.log.1`. The log is not part of the transaction: a crash may repeat or lose its last lines.
 *
 *   {"time":"2026-01-02T03:04:05.678Z","url":"https://example.org/","status":200,"state":"done","reason":"page","bytes":512,"ms":87}
 */
import { type AppendFile, type Directory, escapeControls } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';

const FILE = 'crawl.log';
const OLD_FILE = 'crawl.log.1';

export interface CrawlLogLine {
  /** Time of the response or failure in ISO 8601, for example `2026-01-02T03:04:05.678Z`. */
  time: string;
  url: CanonicalUrl;
  status: number;
  /**
   * The new state of the URL: done, refused, failed, or ready for another attempt; `robots` for a robots.txt,
   * `icon` for a site icon, `probe` for a made-up URL that tests how the host reports missing pages.
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
    this.#file.write(Buffer.from(lines.map((line) => `${escapeControls(JSON.stringify(line))}\n`).join('')));
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
