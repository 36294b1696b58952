/**
 * One exchange with a server, from the request to its outcome. Holds no more than the size limits allow and
 * ends within the time limit, whatever the server does: a clock of its own watches over it from the first
 * moment, so that no way of being slow, or of saying nothing, holds a host's lease for ever.
 */
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/mod.ts';
import { headersOf } from './answer.ts';
import { explainFailure } from './fetch-failure.ts';

export type FetchOutcome = Response | Abandoned | Failed;

export interface Response {
  kind: 'response';
  status: number;
  statusText: string;
  /** Names in lower case; of a repeated header all values, in order. */
  headers: Map<string, string[]>;
  /** Names and values in turn, as received. */
  rawHeaders: string[];
  /** As received, content coding kept; whoever has it read gives it away. */
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
  /** … but not soon, and not for other pages of the host either: it is set aside. */
  setAside?: boolean;
  elapsedMs: number;
}

export interface ExchangeOptions {
  clock: Clock;
  /** For a whole exchange. */
  timeLimitMs: number;
  /** For a body as it is received. */
  maxBodyBytes: number;
  wanted: Wanted;
  cutBytes: number;
}

/** Decides from the headers whether the body is wanted. */
export type Wanted = (status: number, contentType: string) => boolean;

/** Why we hung up on purpose. */
class HangUp extends Error {
  readonly outcome: Abandoned | Failed;

  constructor(outcome: Abandoned | Failed) {
    super(outcome.reason);
    this.outcome = outcome;
  }
}

export class Exchange implements Dispatcher.DispatchHandler {
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
    const elapsedMs = this.#elapsedMs();
    const failed = (): Failed => ({ kind: 'failed', ...explainFailure(error), elapsedMs });
    this.#finish(error instanceof HangUp ? error.outcome : failed());
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

function textOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')));
}
