/** How the CLI speaks: results on stdout, everything else on stderr. */
import { createLog, formatSize, type Log, systemClock } from '../base/mod.ts';
import type { CrawlSnapshot } from '../crawl/mod.ts';
import { commandFor } from './advice.ts';
import type { Config } from './config.ts';
import type { CrawlRates } from './crawl-rates.ts';

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** What is no result. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** `1 page`, `2 pages`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A reader that has seen enough, such as `head`, is no error. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

export function stderrLog(config: Config): Log {
  return createLog({
    level: config.log.level,
    format: process.stderr.isTTY ? 'text' : 'json',
    clock: systemClock,
    write: (line) => process.stderr.write(line),
  });
}

/** One line that is rewritten on a terminal, and a line now and then elsewhere. */
export class ProgressLine {
  readonly #stream = process.stderr;
  readonly #everyMs = this.#stream.isTTY ? 200 : 5_000;
  #shownAt = 0;
  #last = '';

  show(text: string): void {
    const now = Date.now();
    if (text === this.#last || now - this.#shownAt < this.#everyMs) return;
    this.#shownAt = now;
    this.#last = text;
    if (this.#stream.isTTY)
      this.#stream.write(`\r\u001b[K${text.slice(0, (this.#stream.columns || 80) - 1)}`);
    else this.#stream.write(`${text}\n`);
  }

  clear(): void {
    if (this.#stream.isTTY && this.#last !== '') this.#stream.write('\r\u001b[K');
    this.#last = '';
  }
}

/** `crawled 90 pages (12/s), 3.1 MiB (0.4 MiB/s); 200 queued on 9 hosts, 4 asked now; in the way: HTTP 503 (2), timeout`. */
export function crawlLine(
  snapshot: CrawlSnapshot,
  { pagesPerSecond, bytesPerSecond }: CrawlRates,
  data: string,
): string {
  const { state, pages, bytes, queued, activeHosts, underWay } = snapshot;
  const paused = state === 'paused' ? `paused, ${commandFor('resume', data)} goes on; ` : '';
  const done = `crawled ${counted(pages, 'page')} (${Math.round(pagesPerSecond)}/s), ${formatSize(bytes)} (${formatSize(Math.round(bytesPerSecond))}/s)`;
  const left = `${queued} queued on ${counted(activeHosts, 'host')}, ${underWay} asked now`;
  const troubles = troubleList(snapshot);
  return `${paused}${done}; ${left}${troubles === '' ? '' : `; in the way: ${troubles}`}`;
}

/** What stood in the way, most frequent first: `robots.txt (3), HTTP 503`. */
export function troubleList({ troubles }: CrawlSnapshot): string {
  const sorted = Object.entries(troubles).sort((a, b) => b[1] - a[1]);
  return sorted.map(([reason, count]) => (count === 1 ? reason : `${reason} (${count})`)).join(', ');
}
