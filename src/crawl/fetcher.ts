/**
 * One request, one outcome. Whatever a server does, `fetch` resolves within the time limit and
 * holds no more than the size limit; it never throws for what the web does.
 *
 * Does not undo content codings: whoever reads the body does.
 * Does not follow redirects: a redirect is a link, and every hop passes through the same rules,
 * robots and politeness as any link. Does not retry or wait either; the frontier does.
 */
import { isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import { type Clock, systemCode } from '../base/mod.ts';
import { type CanonicalUrl, originOf, pathOf } from '../url/mod.ts';
import { type AddressGuard, AddressRefusedError } from './address-guard.ts';
import { headersOf } from './answer.ts';
import type { Resolver } from './resolver.ts';

/** What we ask servers for: all that `decodeBody` can undo. */
const ACCEPT_ENCODING = 'gzip, deflate, br, zstd';

export type FetchOutcome = Response | Abandoned | Failed;

export interface Response {
  kind: 'response';
  status: number;
  statusText: string;
  /** Names in lower case; of a repeated header all values, in order. */
  headers: Map<string, string[]>;
  /** Names and values in turn, as received. */
  rawHeaders: string[];
  /** As received, content coding kept. */
  payload: Buffer;
  requestHead: string;
  ipAddress: string;
  elapsedMs: number;
}

/** We hung up after the headers: the type is not one we read. */
export interface Abandoned {
  kind: 'abandoned';
  status: number;
  reason: string;
  elapsedMs: number;
}

export interface Failed {
  kind: 'failed';
  reason: string;
  /** Another try may go better. */
  retry: boolean;
  elapsedMs: number;
}

export interface FetcherOptions {
  userAgent: string;
  guard: AddressGuard;
  resolver: Resolver;
  clock: Clock;
  /** For a whole exchange. */
  timeLimitMs: number;
  /** For a body as it is received. */
  maxBodyBytes: number;
}

/** Decides from the headers whether the body is wanted. */
export type Wanted = (status: number, contentType: string) => boolean;

export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #agent: Agent;
  readonly #addresses = new Map<string, string>();

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#agent = new Agent({
      connect: this.#guardedConnector(),
      connections: 1,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: 64 * 1024,
      headersTimeout: options.timeLimitMs,
      bodyTimeout: options.timeLimitMs,
      strictContentLength: false,
    });
    this.#agent.on('disconnect', (origin) => this.#addresses.delete(String(origin).replace(/\/$/, '')));
  }

  /** With `cutBytes`, a longer body is cut there instead of refused. */
  fetch(url: CanonicalUrl, wanted: Wanted, cutBytes = Number.POSITIVE_INFINITY): Promise<FetchOutcome> {
    const origin = originOf(url);
    const headers = {
      'user-agent': this.#options.userAgent,
      accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5',
      'accept-encoding': ACCEPT_ENCODING,
    };
    return new Promise((resolve) => {
      const exchange = new Exchange({ ...this.#options, wanted, cutBytes }, (outcome) => {
        if (outcome.kind === 'response') {
          outcome.requestHead = requestHead(url, headers);
          outcome.ipAddress = this.#addresses.get(origin) ?? '';
        }
        resolve(outcome);
      });
      try {
        this.#agent.dispatch({ origin, path: pathOf(url), method: 'GET', headers }, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
    });
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #guardedConnector(): buildConnector.connector {
    const { guard, resolver, timeLimitMs } = this.#options;
    const connect = buildConnector({
      lookup: resolver.lookup as never,
      timeout: Math.min(timeLimitMs, 10_000),
      allowH2: false,
    });
    return (options, callback) => {
      // An address in the URL never reaches `lookup`: it is checked here, before any packet is sent.
      const literal = options.hostname.replace(/^\[|\]$/g, '');
      if (isIP(literal) !== 0 && !guard.allows(literal)) {
        return callback(new AddressRefusedError(literal), null);
      }
      connect(options, (...result) => {
        const [error, socket] = result;
        if (error) return callback(error, null);
        const address = socket.remoteAddress ?? '';
        if (!guard.allows(address)) {
          socket.destroy();
          return callback(new AddressRefusedError(address), null);
        }
        const port = options.port ? `:${options.port}` : '';
        this.#addresses.set(`${options.protocol}//${options.hostname}${port}`, address);
        callback(null, socket);
      });
    };
  }
}

/** Why we hung up on purpose. */
class HangUp extends Error {
  readonly outcome: Abandoned | Failed;

  constructor(outcome: Abandoned | Failed) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}

interface ExchangeOptions extends FetcherOptions {
  wanted: Wanted;
  cutBytes: number;
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #settle: ((outcome: FetchOutcome) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  #sizeBytes = 0;
  #status = 0;
  #statusText = '';
  #rawHeaders: string[] = [];
  #headers = new Map<string, string[]>();

  constructor(options: ExchangeOptions, settle: (outcome: FetchOutcome) => void) {
    this.#options = options;
    this.#settle = settle;
    this.#startedAt = options.clock.now();
    this.#timer = setTimeout(() => this.#hangUp(this.#failed('timeout', true)), options.timeLimitMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (!this.#settle) controller.abort(new Error('too late'));
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText = '',
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#statusText = statusText;
    this.#rawHeaders = textOf(controller.rawHeaders);
    this.#headers = headersOf(this.#rawHeaders);
    const contentType = this.#headers.get('content-type')?.[0] ?? '';
    if (!this.#options.wanted(status, contentType)) {
      const reason = `unwanted type ${contentType.split(';', 1)[0]!.trim().slice(0, 60) || 'none'}`;
      this.#hangUp({ kind: 'abandoned', status, reason, elapsedMs: this.#elapsedMs() });
    } else if (this.#announcesTooMuch()) {
      this.#hangUp(this.#failed('too large', false));
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes >= this.#options.cutBytes) this.#cut(chunk);
    else if (this.#sizeBytes > this.#options.maxBodyBytes) this.#hangUp(this.#failed('too large', false));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish(this.#response());
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { reason, retry } = explain(error);
    this.#finish(error instanceof HangUp ? error.outcome : this.#failed(reason, retry));
  }

  #response(): Response {
    return {
      kind: 'response',
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      rawHeaders: this.#rawHeaders,
      payload: this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks),
      requestHead: '',
      ipAddress: '',
      elapsedMs: this.#elapsedMs(),
    };
  }

  #announcesTooMuch(): boolean {
    const { cutBytes, maxBodyBytes } = this.#options;
    return cutBytes > maxBodyBytes && Number(this.#headers.get('content-length')?.[0]) > maxBodyBytes;
  }

  /** Enough has come: what is here is the answer. */
  #cut(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.onResponseEnd();
    this.#controller?.abort(new Error('enough'));
  }

  #hangUp(outcome: Abandoned | Failed): void {
    this.#controller?.abort(new HangUp(outcome));
    this.#finish(outcome);
  }

  #finish(outcome: FetchOutcome): void {
    clearTimeout(this.#timer);
    this.#settle?.(outcome);
    this.#settle = null;
  }

  #failed(reason: string, retry: boolean): Failed {
    return { kind: 'failed', reason, retry, elapsedMs: this.#elapsedMs() };
  }

  #elapsedMs(): number {
    return this.#options.clock.now() - this.#startedAt;
  }
}

function requestHead(url: CanonicalUrl, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`GET ${pathOf(url)} HTTP/1.1`, `host: ${originOf(url).replace(/^\w+:\/\//, '')}`, ...lines].join(
    '\r\n',
  );
}

function textOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}

/** What happened in words for the operator, and whether to try again. */
function explain(error: Error): { reason: string; retry: boolean } {
  if (error instanceof AddressRefusedError) return { reason: 'address not allowed', retry: false };
  const code = systemCode(error);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return { reason: 'host name not found', retry: true };
  if (code === 'ECONNREFUSED') return { reason: 'connection refused', retry: true };
  if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH') return { reason: 'no network route', retry: true };
  if (
    code.startsWith('CERT_') ||
    code.includes('SSL') ||
    code.includes('SELF_SIGNED') ||
    code.startsWith('ERR_TLS')
  ) {
    return { reason: `TLS: ${code}`, retry: false };
  }
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    return { reason: 'timeout', retry: true };
  }
  if (error instanceof errors.ConnectTimeoutError) return { reason: 'connection timeout', retry: true };
  if (error instanceof errors.HeadersOverflowError) return { reason: 'headers too large', retry: false };
  return { reason: `connection broken (${code || error.name})`, retry: true };
}
