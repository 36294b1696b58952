/**
 * The politeness ledger: for each host and day, the requests, the bytes, and every delay with its cause. Site owners
 * and operators can see from it what the crawl did on a host, and why it waited.
 *
 *   politeness/2026-01-02.jsonl     lines with the counts since the line before; a reader adds up the lines of a host
 *   {"host":"https://example.org","requests":2,"bytes":512,"delays":{"setting":[2,2000,1000]},"last":["setting",1000]}
 *
 * A delay is `[number, total in ms, longest in ms]` by its cause. Like the crawl log, the ledger is written after each
 * commit but is not part of it: a crash may lose the lines of one commit.
 *
 * Size: the file of a day is compacted to one line per host when it has grown to twice its size, and when the day is
 * over. A file has at most MAX_HOSTS hosts; the others are added up as `other hosts`. If all files together are larger
 * than MAX_BYTES, the oldest are deleted.
 */
import { type AppendFile, type Clock, type Directory, openDirectory } from '../base/mod.ts';
import { originOf } from '../url/mod.ts';
import type { CrawlLogLine } from './crawl-log.ts';
import type { PoliteDelayCause } from './frontier/mod.ts';

const LEDGER_DIRECTORY = 'politeness';
const OTHERS = 'other hosts';
const MAX_HOSTS = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;
const COMPACT_BYTES = 4 * 1024 * 1024;

/**
 * The cause of a delay: the reason for the delay after a response (frontier/politeness.ts), a failed request, or the code of the reason for which the host waits, such as `retry-after` or `host-group`.
 */
type DelayCause =
  | PoliteDelayCause
  | 'failed'
  | 'retry-after'
  | 'host-group'
  | 'address'
  | 'domain-rate'
  | 'robots-elsewhere'
  | 'icon-elsewhere'
  | 'slow-parsing';

interface LedgerRow {
  host: string;
  requests: number;
  bytes: number;
  /** The number of delays, their sum and the longest of them in ms, by cause. */
  delays: Partial<Record<DelayCause, [count: number, totalMs: number, longestMs: number]>>;
  /** The cause and the length of the last delay; null if there was none. */
  last: [cause: DelayCause, ms: number] | null;
}

/** The rows of one day, `2026-01-02` in UTC. */
export interface LedgerDay {
  day: string;
  rows: LedgerRow[];
}

type LedgerLimits = Partial<Record<'maxHosts' | 'maxBytes' | 'compactBytes', number>>;

export class PolitenessLedger {
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #limits: Required<LedgerLimits>;
  #rows = new Map<string, LedgerRow>();
  #day = '';
  #file: AppendFile | null = null;
  /** The size of the file after it was opened or compacted. */
  #compactedBytes = 0;

  constructor(root: Directory, clock: Clock, limits: LedgerLimits = {}) {
    this.#directory = root.directory(LEDGER_DIRECTORY);
    this.#clock = clock;
    this.#limits = { maxHosts: MAX_HOSTS, maxBytes: MAX_BYTES, compactBytes: COMPACT_BYTES, ...limits };
  }

  delayed(origin: string, cause: DelayCause, delayMs: number): void {
    const ms = Math.round(delayMs);
    const { delays, last } = { delays: { [cause]: [1, ms, ms] }, last: [cause, ms] } as Pick<
      LedgerRow,
      'delays' | 'last'
    >;
    this.#add({ host: origin, requests: 0, bytes: 0, delays, last });
  }

  /** Counts the requests of a commit. Lines of URLs that were refused without a request are skipped. */
  requested(lines: readonly CrawlLogLine[]): void {
    for (const { url, status, bytes, ms } of lines) {
      if (status === 0 && ms === 0) continue;
      this.#add({ host: originOf(url), requests: 1, bytes, delays: {}, last: null });
    }
  }

  /** Appends the counts since the last call to the file of the day. */
  flush(): void {
    if (this.#rows.size === 0) return;
    const day = new Date(this.#clock.now()).toISOString().slice(0, 10);
    if (day !== this.#day) this.#open(day);
    this.#file!.write(encode(this.#rows.values()));
    this.#rows = new Map();
    const limit = Math.max(this.#limits.compactBytes, 2 * this.#compactedBytes);
    if (this.#file!.length > limit) this.#open(day);
  }

  close(): void {
    this.flush();
    this.#file?.close();
    this.#file = null;
  }

  #add(row: LedgerRow): void {
    const known = this.#rows.get(row.host);
    if (known) addRow(known, row);
    else this.#rows.set(row.host, row);
  }

  /** Opens the file of a day. The files of all days are compacted and limited first. */
  #open(day: string): void {
    this.#file?.close();
    const name = `${day}.jsonl`;
    for (const each of new Set([`${this.#day}.jsonl`, name])) this.#compact(each);
    this.#dropOldest(name);
    const sizeBytes = this.#directory.has(name) ? this.#directory.sizeOf(name) : 0;
    this.#file = this.#directory.append(name, sizeBytes);
    this.#compactedBytes = sizeBytes;
    this.#day = day;
  }

  #compact(name: string): void {
    if (!this.#directory.has(name)) return;
    const rows = readRows(this.#directory, name).sort((a, b) => b.requests - a.requests);
    const kept = rows.slice(0, this.#limits.maxHosts);
    const rest = rows.slice(this.#limits.maxHosts);
    const [first, ...more] = rest;
    if (first) {
      const others = { ...first, host: OTHERS };
      for (const row of more) addRow(others, row);
      kept.push(others);
    }
    this.#directory.replace(name, encode(kept));
  }

  #dropOldest(newest: string): void {
    const files = this.#directory.list().filter((name) => name !== newest);
    let sizeBytes = files.reduce((sum, name) => sum + this.#directory.sizeOf(name), 0);
    for (const name of files) {
      if (sizeBytes <= this.#limits.maxBytes) return;
      sizeBytes -= this.#directory.sizeOf(name);
      this.#directory.remove(name);
    }
  }
}

/** Reads the ledger, the newest day first. `isWanted` chooses hosts by their origin, and
 * `days` limits the number of files that are read. Days without a row are left out. */
export function readPoliteness(
  root: Directory,
  {
    isWanted = () => true,
    days = Number.POSITIVE_INFINITY,
  }: { isWanted?(origin: string): boolean; days?: number } = {},
): LedgerDay[] {
  if (!root.has(LEDGER_DIRECTORY)) return [];
  const directory = openDirectory(`${root.path}/${LEDGER_DIRECTORY}`);
  return directory
    .list()
    .filter((name) => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name))
    .reverse()
    .slice(0, days)
    .map((name) => ({
      day: name.slice(0, 10),
      rows: readRows(directory, name).filter(({ host }) => isWanted(host)),
    }))
    .filter(({ rows }) => rows.length > 0);
}

function readRows(directory: Directory, name: string): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  for (const line of directory.read(name).toString().split('\n')) {
    const row = parseRow(line);
    if (!row) continue;
    const known = rows.get(row.host);
    if (known) addRow(known, row);
    else rows.set(row.host, row);
  }
  return [...rows.values()];
}

/** Parses a line. A line that was truncated by a crash gives null. */
function parseRow(line: string): LedgerRow | null {
  if (line === '') return null;
  try {
    return JSON.parse(line) as LedgerRow;
  } catch {
    return null;
  }
}

/** The rows begin with a line end, so that a truncated line at the end of the file does not damage the next one. */
function encode(rows: Iterable<LedgerRow>): Buffer {
  return Buffer.from([...rows].map((row) => `\n${JSON.stringify(row)}`).join(''));
}

function addRow(sum: LedgerRow, row: LedgerRow): void {
  sum.requests += row.requests;
  sum.bytes += row.bytes;
  sum.last = row.last ?? sum.last;
  for (const [cause, [count, totalMs, longestMs]] of Object.entries(row.delays)) {
    const known = sum.delays[cause as DelayCause] ?? [0, 0, 0];
    const longest = Math.max(known[2], longestMs);
    sum.delays[cause as DelayCause] = [known[0] + count, known[1] + totalMs, longest];
  }
}
