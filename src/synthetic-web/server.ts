/**
 * Serves a synthetic web: all hosts on one port of 127.0.0.1, distinguished by the Host header. Sends the
 * responses of the sites, including deliberate failures, and writes the request log.
 *
 *     request -> site of its host -> response -> delay, headers, body, ending -> log
 *
 * `control.test` is not part of the web; see control.ts. A request for a host that is not in the plan gets
 * 421 and is logged like any other.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { pipeline } from 'node:stream';
import { type Clock, sleep, systemClock } from '../base/mod.ts';
import { answerControl, CONTROL_HOST } from './control.ts';
import type { WebOptions } from './options.ts';
import { planWeb, type WebPlan } from './plan.ts';
import { type LogEntry, RequestLog } from './request-log.ts';
import { type Ending, failureResponse, type Tally, urlOf, type Visit, type WebResponse } from './site.ts';

export interface WebServerOptions {
  /** The port to listen on. 0, the default, chooses any free port. */
  port?: number;
  /** The clock that determines the version of changing pages and the end of a `Retry-After` period. */
  clock?: Clock;
  /** The time before every response, as on a network. Default 0. */
  latencyMs?: number;
}

export interface SyntheticWeb {
  readonly port: number;
  readonly seeds: string[];
  readonly plan: WebPlan;
  readonly log: RequestLog;
  url(host: string, path: string): string;
  /** Ends all connections, including hanging ones. */
  close(): Promise<void>;
}

export async function startWeb(
  web: WebPlan | WebOptions,
  { port = 0, clock = systemClock, latencyMs = 0 }: WebServerOptions = {},
): Promise<SyntheticWeb> {
  const plan = 'sites' in web ? web : planWeb(web);
  const server = new WebServer(plan, clock, latencyMs);
  const bound = await server.listen(port);
  return {
    port: bound,
    seeds: plan.seeds(bound),
    plan,
    log: server.log,
    url: (host, path) => urlOf({ host, path }, bound),
    close: () => server.close(),
  };
}

class WebServer {
  readonly log = new RequestLog();
  readonly #plan: WebPlan;
  readonly #clock: Clock;
  readonly #latencyMs: number;
  readonly #server: Server;
  readonly #tallies = new Map<string, Tally>();
  #port = 0;

  constructor(plan: WebPlan, clock: Clock, latencyMs: number) {
    this.#plan = plan;
    this.#clock = clock;
    this.#latencyMs = latencyMs;
    this.#server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) =>
      this.#handle(request, response),
    );
  }

  listen(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ port, host: '127.0.0.1', backlog: 4096 }, () => {
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve(this.#port);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const host = hostOf(request);
    if (host === CONTROL_HOST) {
      answerControl(request, response, this.#plan, this.log, this.#port);
      return;
    }
    const entry = this.#openEntry(request, response, host);
    // The time of the visit. A date in `Retry-After` is relative to it, so the log uses the same time.
    const visitedAt = performance.now();
    const visit = this.#visit(request, response, host);
    if (this.#clock !== systemClock) response.setHeader('date', new Date(visit.now).toUTCString());
    const answer = this.#answer(visit);
    entry.retryAt = answer.retryAfterMs === undefined ? null : visitedAt + answer.retryAfterMs;
    const delayMs = this.#latencyMs + (answer.delayMs ?? 0);
    if (delayMs === 0) send(answer, request, response, entry);
    else void sleep(delayMs, visit.signal).then(() => send(answer, request, response, entry));
  }

  #answer(visit: Visit): WebResponse {
    const site = this.#plan.sites.get(visit.host);
    return site
      ? (site.answer(visit) ?? failureResponse(404, 'not found'))
      : failureResponse(421, 'no such host');
  }

  #visit(request: IncomingMessage, response: ServerResponse, host: string): Visit {
    const now = this.#clock.now();
    const path = pathOf(request);
    const port = this.#port;
    return {
      host,
      path,
      port,
      now,
      get signal() {
        return leaving(response);
      },
      header: (name) => String(request.headers[name] ?? ''),
      url: (other, otherPath) => urlOf({ host: other, path: otherPath }, port),
      tally: (key = host + path) => this.#tally(key, now),
    };
  }

  #tally(key: string, now: number): Tally {
    const known = this.#tallies.get(key) ?? { earlier: 0, firstAt: now };
    this.#tallies.set(key, { ...known, earlier: known.earlier + 1 });
    return known;
  }

  #openEntry(request: IncomingMessage, response: ServerResponse, host: string): LogEntry {
    const { socket, headers } = request;
    const sentBefore = socket.bytesWritten;
    const entry = this.log.append({
      method: request.method ?? '',
      host,
      path: pathOf(request),
      userAgent: headers['user-agent'] ?? '',
      acceptEncoding: String(headers['accept-encoding'] ?? ''),
      ifNoneMatch: headers['if-none-match'] ?? '',
      ifModifiedSince: headers['if-modified-since'] ?? '',
      startedAt: performance.now(),
      finishedAt: null,
      status: 0,
      outcome: 'open',
      bytesSent: 0,
      contentEncoding: '',
      retryAt: null,
    });
    const finish = (outcome: LogEntry['outcome']) => {
      if (entry.bytesSent > 0) return;
      entry.finishedAt ??= performance.now();
      entry.bytesSent = socket.bytesWritten - sentBefore;
      if (entry.outcome === 'open') entry.outcome = outcome;
    };
    response.once('finish', () => finish('complete'));
    response.once('close', () => finish('left'));
    return entry;
  }
}

function send(
  answer: WebResponse,
  request: IncomingMessage,
  response: ServerResponse,
  entry: LogEntry,
): void {
  const { status, headers = {}, ending = 'finish' } = answer;
  if (response.destroyed) return;
  if (ending === 'cut') entry.outcome = 'cut';
  entry.status = status;
  entry.contentEncoding = headers['content-encoding'] ?? '';
  if (status === 0) {
    if (ending === 'cut') response.destroy();
  } else if (request.method === 'HEAD' || status === 304) {
    response.writeHead(status, headers).end();
  } else if (typeof answer.body === 'function') {
    response.writeHead(status, headers);
    pipeline(answer.body(), response, ignoreLeaving);
  } else {
    const bytes =
      typeof answer.body === 'string' ? Buffer.from(answer.body) : (answer.body ?? Buffer.alloc(0));
    sendBytes(status, headers, bytes, ending, response, entry);
  }
}

function sendBytes(
  status: number,
  headers: Record<string, string>,
  bytes: Uint8Array,
  ending: Ending,
  response: ServerResponse,
  entry: LogEntry,
): void {
  if (ending === 'finish') {
    // The time is set before the last bytes are sent, because the event that reports their end may come after
    // the client has received them.
    entry.finishedAt = performance.now();
    response.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  response.writeHead(status, headers).flushHeaders();
  response.write(bytes, () => {
    if (ending === 'cut') response.destroy();
  });
}

/** Ignores the error of a client that disconnects in the middle of a stream, because the log records it. */
function ignoreLeaving(): void {}

/**
 * Returns a signal that is aborted when the client disconnects. It is created only for the few responses that
 * wait, because an abort controller for every request would slow down benchmarks.
 */
function leaving(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => controller.abort());
  return controller.signal;
}

/**
 * Returns the path of a request. A client that uses this server as a proxy sends the whole URL instead of the
 * path (RFC 9112 § 3.2.2). The Host header is the same.
 */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').replace(/^http:\/\/[^/?]*/, '') || '/';
}

function hostOf(request: IncomingMessage): string {
  const host = request.headers.host ?? '';
  const colon = host.lastIndexOf(':');
  return (colon < 0 ? host : host.slice(0, colon)).toLowerCase();
}
