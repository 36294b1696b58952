/**
 * The log of every request that reached the server, in order of arrival, with its start and end times.
 *
 * Times are milliseconds of the server's monotonic clock. `startedAt` is the time at which the headers of the
 * request were read. `finishedAt` is the time at which the last byte was passed to the kernel, shortly before
 * the client receives it. If the client disconnected, `finishedAt` is the time at which the server noticed
 * this.
 */
export interface LogEntry {
  /** The position of the entry in the log, from 0. */
  number: number;
  method: string;
  host: string;
  path: string;
  userAgent: string;
  acceptEncoding: string;
  /** The validators of a conditional request; empty strings for other requests. */
  ifNoneMatch: string;
  ifModifiedSince: string;
  startedAt: number;
  /** The time at which the response ended; null while it is being sent. */
  finishedAt: number | null;
  /** The HTTP status; 0 if not even a status line was sent. */
  status: number;
  /**
   * How the response ended. `left`: the client closed the connection early. `cut`: the server closed it on
   * purpose.
   */
  outcome: 'open' | 'complete' | 'left' | 'cut';
  /** The number of bytes sent, including headers. */
  bytesSent: number;
  contentEncoding: string;
  /**
   * The time before which `Retry-After` of the response forbids requests to the host; null if it has no such
   * header.
   */
  retryAt: number | null;
}

/** The log of a server. It is iterable, so that checkers accept a log or a list of entries. */
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

  /** Returns the log from entry `from` on as JSON, one entry per line. */
  toNdjson(from = 0): string {
    return this.#entries
      .slice(from)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
  }
}
