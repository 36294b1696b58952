/**
 * One exchange with a server, from the request to its outcome. Whatever the server does, the exchange holds
 * no more than the size limits allow and ends within the time limit. Its own timer runs from the start, so
 * that no slow or silent server can hold a host's lease for ever.
 *
 * Limits on body bytes are not enough: a chunk of one byte costs as much time as one of 64 KiB, and an interim
 * response (`103 Early Hints`) as much as a final one. Therefore the numbers of chunks and of interim responses
 * are limited too, and so are all bytes outside the body: the headers, and later the frames of chunks, their
 * extensions and trailers (`maxWireBytes`). A body that arrives fast is received in turns, with pauses in which
 * the bodies of other hosts are received.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../../base/mod.ts';
import { headersOf } from '../response-headers.ts';
import { BodyBuffer } from './body-buffer.ts';
import { explainFailure } from './fetch-failure.ts';
import type { WatchedHandler } from './guarded-agent.ts';

export type FetchOutcome = Response | Abandoned | Failed;

export interface Response {
  kind: 'response';
  status: number;
  statusText: string;
  /** For each header name in lower case, the values. A repeated header has all its values, in order. */
  headers: Map<string, string[]>;
  /** Response headers as received: name, value, name, value, and so on. */
  rawHeaders: string[];
  /**
   * The body as received, before content codings such as gzip are decoded. `ResponseParser.parse` frees the buffer,
   * which must not be used afterwards.
   */
  payload: Buffer;
  requestHead: string;
  ipAddress: string;
  elapsedMs: number;
}

/** Outcome of a response whose body was not received, because its content type is not one that we parse. */
interface Abandoned {
  kind: 'abandoned';
  status: number;
  contentType: string;
  elapsedMs: number;
}

export interface Failed {
  kind: 'failed';
  reason: string;
  /** True if a retry of the request may succeed. */
  retry: boolean;
  /** True if the failure affects all pages of the host and will last: the host is parked. */
  isLasting?: boolean;
  elapsedMs: number;
}

interface ExchangeOptions {
  clock: Clock;
  /** Time limit for a whole exchange, from the request to the end of the response. */
  timeLimitMs: number;
  /** Size limit of a body before content codings are decoded. */
  maxBodyBytes: number;
  wanted: Wanted;
  cutBytes: number;
  /** Returns false while no request may be sent. It is called just before the request is sent. */
  mayFetch?: () => boolean;
}

/** Outcome of a request that was not sent, because no request may be sent at the moment. */
export const NOT_SENT: Failed = { kind: 'failed', reason: 'not sent', retry: true, elapsedMs: 0 };

/** Maximum number of interim responses (status 1xx) per request; honest servers send one or two. */
const MAX_INTERIM = 10;
/**
 * Maximum number of chunks of a body with few bytes. For each BYTES_PER_CHUNK bytes of the body, one more chunk
 * is allowed.
 */
const FREE_CHUNKS = 4_096;
const BYTES_PER_CHUNK = 64;
/**
 * Number of body bytes after which an exchange pauses, so that the bodies of other hosts are received. Receiving this
 * much takes less than a millisecond, or a few milliseconds if the chunks are small.
 */
const BYTES_PER_TURN = 128 * 1024;
/**
 * Limit for received bytes outside of the body: heads of interim and final responses, and trailers. For each chunk of
 * the body FRAME_BYTES are added to the limit.
 */
const MAX_HEAD_BYTES = 64 * 1024;
const FRAME_BYTES = 32;

/** Function that decides from status and content type whether the body of a response is received. */
export type Wanted = (status: number, contentType: string) => boolean;

/**
 * Maximum size of an unwanted body that is received and dropped instead of closing the connection, because a new
 * connection would cost more.
 */
const MAX_DROPPED_BYTES = 16 * 1024;

/**
 * Error with which requests are aborted whose outcome is already known. One shared object is used, because the stack
 * trace of a new error would take more time than the request.
 */
const HUNG_UP = new Error('aborted on purpose');

export class Exchange implements WatchedHandler {
  readonly #options: ExchangeOptions;
  readonly #startedAt: number;
  readonly #timer: NodeJS.Timeout;
  readonly #body = new BodyBuffer();
  #settle: ((outcome: FetchOutcome) => void) | null;
  #controller: Dispatcher.DispatchController | null = null;
  #interimCount = 0;
  #chunkCount = 0;
  /** Number of body bytes that had been received at the last pause. */
  #pausedAtBytes = 0;
  /** The Content-Length of the response, or null. */
  #announcedBytes: number | null = null;
  /** The outcome of the current response, if its body is being dropped because it is not wanted; otherwise null. */
  #abandoned: Abandoned | null = null;
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
    if (!this.#settle) controller.abort(HUNG_UP);
    else if (this.#options.mayFetch?.() === false) this.#hangUp(NOT_SENT);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    statusText = '',
  ): void {
    if (status < 200) {
      if (++this.#interimCount > MAX_INTERIM) this.#hangUp(this.#failed('too many interim responses', false));
      return;
    }
    this.#status = status;
    this.#statusText = statusText;
    this.#rawHeaders = textOf(controller.rawHeaders);
    this.#headers = headersOf(this.#rawHeaders);
    const announced = Number(this.#headers.get('content-length')?.[0]);
    this.#announcedBytes = announced >= 0 ? announced : null;
    const contentType = this.#headers.get('content-type')?.[0] ?? '';
    if (!this.#options.wanted(status, contentType)) {
      this.#abandon(status, contentType);
    } else if (this.#announcesTooMuch()) {
      this.#hangUp(this.#failed('too large', false));
    }
  }

  /** Ends a response whose body is not wanted. The connection stays open if the body is known to be short. */
  #abandon(status: number, contentType: string): void {
    const type = contentType.split(';', 1)[0]!.trim().slice(0, 60) || 'none';
    const abandoned: Abandoned = {
      kind: 'abandoned',
      status,
      contentType: type,
      elapsedMs: this.#elapsedMs(),
    };
    if (this.#announcedBytes !== null && this.#announcedBytes <= MAX_DROPPED_BYTES)
      this.#abandoned = abandoned;
    else this.#hangUp(abandoned);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#abandoned) {
      if (++this.#chunkCount > FREE_CHUNKS) this.#hangUp(this.#abandoned);
      return;
    }
    const { cutBytes, maxBodyBytes } = this.#options;
    const sizeBytes = this.#body.sizeBytes + chunk.length;
    if (sizeBytes > maxBodyBytes && sizeBytes < cutBytes) this.#hangUp(this.#failed('too large', false));
    else if (++this.#chunkCount > FREE_CHUNKS + sizeBytes / BYTES_PER_CHUNK)
      this.#hangUp(this.#failed('too many small chunks', false));
    else {
      this.#body.append(chunk, this.#announcedBytes);
      if (sizeBytes >= cutBytes) this.#cut();
      else if (sizeBytes - this.#pausedAtBytes >= BYTES_PER_TURN) this.#pause();
    }
  }

  /** Maximum number of bytes that the connection may have received since the request was sent. */
  get maxWireBytes(): number {
    const droppedBytes = this.#abandoned ? MAX_DROPPED_BYTES : 0;
    return MAX_HEAD_BYTES + droppedBytes + this.#body.sizeBytes + FRAME_BYTES * this.#chunkCount;
  }

  /**
   * Called by the connection if it received more than `maxWireBytes`, or if the head of the response has too many
   * lines.
   */
  onWireLimit(): void {
    const reason = this.#status === 0 ? 'headers too large' : 'too many bytes around the body';
    this.#hangUp(this.#failed(reason, false));
  }

  onResponseEnd(): void {
    this.#finish(this.#abandoned ?? this.#response());
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (!this.#settle) return;
    const elapsedMs = this.#elapsedMs();
    this.#finish(this.#abandoned ?? { kind: 'failed', ...explainFailure(error), elapsedMs });
  }

  #response(): Response {
    return {
      kind: 'response',
      status: this.#status,
      statusText: this.#statusText,
      headers: this.#headers,
      rawHeaders: this.#rawHeaders,
      payload: this.#body.take(),
      requestHead: '',
      ipAddress: '',
      elapsedMs: this.#elapsedMs(),
    };
  }

  #announcesTooMuch(): boolean {
    const { cutBytes, maxBodyBytes } = this.#options;
    return cutBytes > maxBodyBytes && (this.#announcedBytes ?? 0) > maxBodyBytes;
  }

  /** Ends the exchange early; the part of the body received so far becomes the response. */
  #cut(): void {
    this.onResponseEnd();
    this.#controller?.abort(HUNG_UP);
  }

  #pause(): void {
    this.#pausedAtBytes = this.#body.sizeBytes;
    this.#controller?.pause();
    setImmediate(() => this.#controller?.resume());
  }

  #hangUp(outcome: Abandoned | Failed): void {
    this.#finish(this.#abandoned ?? outcome);
    this.#controller?.abort(HUNG_UP);
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

function textOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}
