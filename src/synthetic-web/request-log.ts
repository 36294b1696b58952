/**
 * The log of every request that reached the server, in order of arrival, with its start and end times.
 *
 * Times are milliseconds of the server's monotonic clock. `startedAt` is when the request's headers were
 * read. `finishedAt` is when the last byte was handed to the kernel, which is before the client can have seen
 * the end, or when the server noticed that the client had disconnected, which is after.
 */
export interface LogEntry {
  /** The position of the entry in the log, from 0. */
  number: number;
  method: string;
  host: string;
  path: string;
  userAgent: string;
  acceptEncoding: string;
  /** Validators of a conditional request; empty for other requests. */
  ifNoneMatch: string;
  ifModifiedSince: string;
  startedAt: number;
  /** Null while the response is being sent. */
  finishedAt: number | null;
  /** 0 when nothing was sent, not even a status line. */
  status: number;
  /** `left`: the client closed the connection before the end. `cut`: the server closed it on purpose. */
  outcome: 'open' | 'complete' | 'left' | 'cut';
  /** Bytes on the wire, including headers. */
  bytesSent: number;
  contentEncoding: string;
  /** The time before which `Retry-After` forbids requests to this host; null without that header. */
  retryAt: number | null;
}

/** Iterable, so that checkers accept a log or a list of entries. */
export class RequestLog implements Iterable<LogEntry> {
  readonly #entries: LogEntry[] = [];

  get length(): number {
    return this.#entries.length;
  }

  [Symbol.iterator](): Iterator<LogEntry> {
    return this.#entries.values();
  }

  entries(from = 0): readonly LogEntry[] {
    return this.#entries.slice(from);
  }

  /** Adds an entry for a request that has begun. The server changes the entry when the response ends. */
  append(entry: Omit<LogEntry, 'number'>): LogEntry {
    const numbered = { number: this.#entries.length, ...entry };
    this.#entries.push(numbered);
    return numbered;
  }

  /** Removes all entries; numbers start again at 0. */
  clear(): void {
    this.#entries.length = 0;
  }

  /** Returns one entry per line. */
  toNdjson(from = 0): string {
    return this.#entries
      .slice(from)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
  }
}
