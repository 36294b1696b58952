/**
 * Generates load for bench:serve. It writes to sockets directly, so that it takes little processor time from
 * the server. `asFastAs` opens connections that send the next request as soon as they have a response. `steady`
 * sends requests at a fixed rate regardless of the server. The time of such a request counts from the moment at
 * which it was due, even if no connection was free at that moment.
 */
import { connect, type Socket } from 'node:net';

export interface LoadReport {
  seconds: number;
  /**
   * The number of responses by status. `retryAfter` counts the responses with 503 that have a `Retry-After`
   * header.
   */
  statuses: Record<string, number>;
  retryAfter: number;
  /**
   * The times of responses with status 200 in milliseconds, ascending. `firstBytes` are the times to their
   * first byte.
   */
  times: number[];
  firstBytes: number[];
}

export interface Target {
  port: number;
  paths: readonly string[];
  /** The value of the request header Accept-Encoding. By default it lists the encodings of a browser. */
  acceptEncoding?: string;
}

/** Opens `connections` connections. Each sends its next request directly after a response. */
export async function asFastAs(target: Target, connections: number, seconds: number): Promise<LoadReport> {
  const load = new Load(target, connections);
  await load.open();
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    load.clients.map(async (client) => {
      while (performance.now() < until) await load.ask(client, performance.now());
    }),
  );
  return load.finish();
}

/** Requests every path once, and returns the report. */
export async function eachOnce(target: Target, connections: number): Promise<LoadReport> {
  const load = new Load(target, connections);
  await load.open();
  let left = target.paths.length;
  await Promise.all(
    load.clients.map(async (client) => {
      while (left-- > 0) await load.ask(client, performance.now());
    }),
  );
  return load.finish();
}

export async function steady(target: Target, perSecond: number, seconds: number): Promise<LoadReport> {
  const load = new Load(target, 64);
  await load.open();
  const idle = [...load.clients];
  const due: number[] = [];
  const startedAt = performance.now();
  const asked: Promise<void>[] = [];
  let planned = 0;
  const next = () => {
    while (due.length > 0 && idle.length > 0) asked.push(run(idle.pop()!, due.shift()!));
  };
  const run = async (client: Client, at: number) => {
    await load.ask(client, at);
    idle.push(client);
    next();
  };
  while (planned < perSecond * seconds) {
    const now = performance.now();
    for (; planned < ((now - startedAt) / 1000) * perSecond; planned++)
      due.push(startedAt + (planned * 1000) / perSecond);
    next();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  while (due.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await Promise.all(asked);
  return load.finish();
}

export function percentile(ascending: readonly number[], share: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

class Load {
  readonly clients: Client[];
  readonly #target: Target;
  readonly #statuses: Record<string, number> = {};
  readonly #times: number[] = [];
  readonly #firstBytes: number[] = [];
  #retryAfter = 0;
  #startedAt = 0;
  #next = 0;

  constructor(target: Target, connections: number) {
    this.#target = target;
    this.clients = Array.from({ length: connections }, () => new Client(target.acceptEncoding));
  }

  async open(): Promise<void> {
    await Promise.all(this.clients.map((client) => client.open(this.#target.port)));
    this.#startedAt = performance.now();
  }

  async ask(client: Client, since: number): Promise<void> {
    const { paths } = this.#target;
    const status = await client.get(paths[this.#next++ % paths.length]!);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
    if (status === 503 && client.saidRetry) this.#retryAfter++;
    if (status !== 200) return;
    this.#times.push(performance.now() - since);
    this.#firstBytes.push(client.firstByteAt - since);
  }

  finish(): LoadReport {
    for (const client of this.clients) client.close();
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const ascending = (times: number[]) => times.sort((a, b) => a - b);
    const [times, firstBytes] = [ascending(this.#times), ascending(this.#firstBytes)];
    return { seconds, statuses: this.#statuses, retryAfter: this.#retryAfter, times, firstBytes };
  }
}

/**
 * One connection with one request at a time. It parses only the part of HTTP that the measured servers use: every
 * response has a `Content-Length`.
 */
class Client {
  firstByteAt = 0;
  saidRetry = false;
  #socket: Socket | null = null;
  #received: Buffer = Buffer.alloc(0);
  #resolve: ((status: number) => void) | null = null;
  #reject: ((reason: Error) => void) | null = null;
  #port = 0;
  readonly #acceptEncoding: string;

  constructor(acceptEncoding = 'gzip, deflate, br') {
    this.#acceptEncoding = acceptEncoding;
  }

  open(port: number): Promise<void> {
    this.#port = port;
    return new Promise((resolve, reject) => {
      this.#socket = connect({ port, host: '127.0.0.1', noDelay: true }, resolve)
        .on('error', (error) => {
          reject(error);
          this.#reject?.(error);
        })
        .on('close', () => {
          this.#socket = null;
        })
        .on('data', (bytes) => this.#take(bytes));
    });
  }

  /**
   * Requests a path and returns the status. Opens a new connection if the server has closed this one because
   * it was idle.
   */
  async get(path: string): Promise<number> {
    if (!this.#socket?.writable) await this.open(this.#port);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket!.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: ${this.#acceptEncoding}\r\n\r\n`,
      );
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #take(bytes: Buffer): void {
    if (!this.#resolve) return;
    if (this.#received.length === 0) this.firstByteAt = performance.now();
    this.#received = this.#received.length === 0 ? bytes : Buffer.concat([this.#received, bytes]);
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    this.#received = Buffer.alloc(0);
    this.saidRetry = /^retry-after: \d/im.test(head);
    this.#resolve(Number(head.slice(9, 12)));
    this.#resolve = null;
  }
}
