/**
 * Output of the CLI: results go to stdout, everything else to stderr. Control characters in text from the web
 * are escaped.
 */
import { isatty } from 'node:tty';
import { createLog, escapeControls, formatDuration, formatSize, type Log, systemClock } from '../base/mod.ts';
import type { CrawlSnapshot } from '../crawl/mod.ts';
import { commandFor } from './advice.ts';
import { endProcess } from './end-process.ts';
import type { CrawlRates } from './sessions/crawl-rates.ts';
import type { Config } from './settings/mod.ts';

export function print(text: string): void {
  process.stdout.write(`${escapeControls(text)}\n`);
}

/** Writes a message that is not a result to stderr. */
export function tell(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? CLEAR_LINE : ''}${escapeControls(text)}\n`);
}

/** Returns a number with its noun, for example `1 page` or `2 pages`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** Exits quietly when the reader of stdout, such as `head`, closes the pipe. */
export function endWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') endProcess(0);
    throw error;
  });
}

/** Waits until the output is written. Without this, the end of the process cuts off what a slow reader has not yet taken. */
export async function flushOutput(): Promise<void> {
  const streams = [process.stdout, process.stderr];
  await Promise.all(
    streams.map((stream) => new Promise<void>((resolve) => stream.write('', () => resolve()))),
  );
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

const STDERR = 2;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Returns the log of this process: prose on a terminal, JSON elsewhere. In a thread, `process.stderr` is a pipe to the main
 * thread, so the file descriptor is asked. On a terminal each line first clears the progress line, which is shown again
 * below it.
 */
export function stderrLog(config: Config): Log {
  const isTerminal = isatty(STDERR);
  return createLog({
    level: config.log.level,
    format: isTerminal ? 'text' : 'json',
    clock: systemClock,
    write: (line) => process.stderr.write(isTerminal ? CLEAR_LINE + line : line),
  });
}

/**
 * Cuts a line to `width` characters. Whole facts are left out at its end if commas or semicolons separate them, so that no
 * number is cut in two.
 */
function fitLine(line: string, width: number): string {
  if (line.length <= width) return line;
  const kept = line.slice(0, width - 1);
  const end = Math.max(kept.lastIndexOf(', '), kept.lastIndexOf('; '), kept.lastIndexOf(' | '));
  return `${kept.slice(0, end > width / 2 ? end : kept.length)}…`;
}

const REPEAT_MS = 1_000;

type ProgressStream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & { write(text: string): unknown };

/**
 * A progress line: it is rewritten in place on a terminal, and printed every five seconds elsewhere, so that short work
 * prints none.
 */
export class ProgressLine {
  readonly #stream: ProgressStream;
  readonly #everyMs: number;
  #shownAt: number;
  #last = '';

  constructor(stream: ProgressStream = process.stderr) {
    this.#stream = stream;
    this.#everyMs = stream.isTTY ? 200 : 5_000;
    this.#shownAt = stream.isTTY ? 0 : Date.now();
  }

  show(line: string): void {
    const now = Date.now();
    const text = escapeControls(line);
    // A terminal gets an unchanged line again, because a message may have cleared it.
    const isSame = text === this.#last && !(this.#stream.isTTY && now - this.#shownAt >= REPEAT_MS);
    if (isSame || now - this.#shownAt < this.#everyMs) return;
    this.#shownAt = now;
    this.#last = text;
    if (this.#stream.isTTY) this.#stream.write(CLEAR_LINE + fitLine(text, (this.#stream.columns || 80) - 1));
    else this.#stream.write(`${text}\n`);
  }

  clear(): void {
    if (this.#stream.isTTY && this.#last !== '') this.#stream.write(CLEAR_LINE);
    this.#last = '';
  }
}

/**
 * Renders the state of a crawl, for example `crawled 90 pages (12/s), 3.1 MiB (0.4 MiB/s); 200 queued on 9 hosts, at least
 * 17 s`, followed by the requests in flight and the errors. `indexed`, the number of indexed pages, comes first. The time is that of the queued URLs; the crawl may find more.
 */
export function crawlLine(
  snapshot: CrawlSnapshot,
  { pagesPerSecond, bytesPerSecond }: CrawlRates,
  data: string,
  indexed?: number,
): string {
  const { state, pages, bytes, queued, activeHosts, underWay } = snapshot;
  const paused = state === 'paused' ? `paused, ${commandFor('resume', data)} continues; ` : '';
  const done = `crawled ${counted(pages, 'page')} (${Math.round(pagesPerSecond)}/s), ${formatSize(bytes)} (${formatSize(Math.round(bytesPerSecond))}/s)`;
  const isMoving = state === 'running' && queued > 0 && pagesPerSecond > 0;
  const time = isMoving ? `, at least ${formatDuration((queued / pagesPerSecond) * 1000)}` : '';
  const left = `${queued} queued on ${counted(activeHosts, 'host')}${time}, ${underWay} in flight`;
  const troubles = troubleList(snapshot);
  const full = snapshot.isDiskFull ? 'DISK NEARLY FULL, not fetching; ' : '';
  const first = indexed === undefined ? '' : `${indexed} indexed; `;
  return `${full}${paused}${first}${done}; ${left}${troubles === '' ? '' : `; errors: ${troubles}`}`;
}

/** Renders the errors of a crawl, the most frequent first, for example `robots.txt (3), HTTP 503`. */
export function troubleList({ troubles }: CrawlSnapshot): string {
  const sorted = Object.entries(troubles).sort((a, b) => b[1] - a[1]);
  return sorted.map(([reason, count]) => (count === 1 ? reason : `${reason} (${count})`)).join(', ');
}
