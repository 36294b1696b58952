/**
 * The witness: every request that reached the server, in order of arrival, with the times between
 * which it occupied its host.
 *
 * Times are milliseconds of the server's monotonic clock. `startedAt` is when the request's headers
 * were read; `finishedAt` when the last byte was handed to the kernel, which is before the client can
 * have seen the end, or when the server learnt that the client had gone, which is after.
 */
export interface LogEntry {
  /** 0, 1, 2 … */
  number: number;
  method: string;
  host: string;
  path: string;
  userAgent: string;
  acceptEncoding: string;
  /** Validators of a conditional request; empty when it is none. */
  ifNoneMatch: string;
  ifModifiedSince: string;
  startedAt: number;
  /** Null while the answer is under way. */
  finishedAt: number | null;
  /** 0 when nothing, not even a status line, was sent. */
  status: number;
  /** `left`: the client closed before the end. `cut`: the server did, on purpose. */
  outcome: 'open' | 'complete' | 'left' | 'cut';
  /** With headers, as they went over the wire. */
  bytesSent: number;
  contentEncoding: string;
  /** `Retry-After` asked for no request to this host before this time; null without that header. */
  retryAt: number | null;
}

/** Iterable, so that checkers take a log and a list of entries alike. */
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

  /** The entry is finished by its owner, the server. */
  append(entry: Omit<LogEntry, 'number'>): LogEntry {
    const numbered = { number: this.#entries.length, ...entry };
    this.#entries.push(numbered);
    return numbered;
  }

  /** Forgets everything; numbers start again at 0. */
  clear(): void {
    this.#entries.length = 0;
  }

  /** One entry a line. */
  toNdjson(from = 0): string {
    return this.#entries
      .slice(from)
      .map((entry) => `${JSON.stringify(entry)}\n`)
      .join('');
  }
}
