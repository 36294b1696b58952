/**
 * Sends requests to a worker thread and receives its replies.
 *
 *   owner: `new WorkerChannel(file).ask(request)`  -- id, request -->  thread: `serveChannel(handle)`
 *                                                  <-- id, reply or error --
 *                                                  <-- events, at any time --
 *
 * An error in the thread rejects its request with the same code, message and stack. If the thread dies, all
 * requests to it are rejected, also later ones. The owner of the channel decides whether to start another
 * thread.
 *
 * Threads that parse untrusted bytes use `parser-pool.ts` instead, which also limits their time, sends requests
 * in batches and finds out which request killed a thread.
 */
import { parentPort, type ResourceLimits, type Transferable, Worker } from 'node:worker_threads';
import { GyreError, isDiskFull, messageOf, systemCode, UsageError } from '../errors.ts';
import { collectWhenHigh } from '../memory-level.ts';
import { heapLimitsOf } from './heap-limits.ts';

interface Asked<Request> {
  id: number;
  request: Request;
}

type Told<Reply, Event> =
  | { kind: 'reply'; id: number; reply: Reply }
  | {
      kind: 'failed';
      id: number;
      code: string;
      message: string;
      advice: string;
      isUsage: boolean;
      stack: string;
    }
  | { kind: 'event'; event: Event };

interface WorkerChannelOptions<Event> {
  data?: unknown;
  resourceLimits?: ResourceLimits;
  onEvent?(event: Event): void;
}

export class WorkerChannel<Request, Reply, Event = never> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>();
  #nextId = 0;
  #death: GyreError | null = null;
  /** Resolves with the reason when the thread has ended. */
  readonly ended: Promise<string>;

  constructor(file: URL, { data, resourceLimits = {}, onEvent }: WorkerChannelOptions<Event> = {}) {
    this.#worker = new Worker(file, { workerData: data, resourceLimits: heapLimitsOf(resourceLimits) });
    this.#worker.on('message', (told: Told<Reply, Event>) => {
      if (told.kind === 'event') onEvent?.(told.event);
      else this.#settle(told);
    });
    this.#worker.on('error', (error) => this.#die(messageOf(error), error));
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        resolve(this.#die(`it ended with code ${code}`).message);
      });
    });
  }

  /**
   * Sends a request and resolves with the reply. The buffers in `transfer` are moved to the thread, not
   * copied.
   */
  ask(request: Request, transfer: Transferable[] = []): Promise<Reply> {
    if (this.#death) return Promise.reject(this.#death);
    const waiting = Promise.withResolvers<Reply>();
    this.#waiting.set(this.#nextId, waiting);
    this.#worker.ref();
    this.#worker.postMessage({ id: this.#nextId++, request } satisfies Asked<Request>, transfer);
    return waiting.promise;
  }

  /** Lets the process end while this thread still exists, provided that the thread is idle. */
  unref(): void {
    if (this.#waiting.size === 0) this.#worker.unref();
  }

  /** Ends the thread even if it is busy. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(told: Exclude<Told<Reply, Event>, { kind: 'event' }>): void {
    const waiting = this.#waiting.get(told.id);
    this.#waiting.delete(told.id);
    if (told.kind === 'reply') waiting?.resolve(told.reply);
    else waiting?.reject(errorOf(told));
  }

  #die(why: string, cause?: unknown): GyreError {
    const death = this.#death ?? new GyreError('thread-died', `the thread has died: ${why}`, { cause });
    this.#death = death;
    for (const { reject } of this.#waiting.values()) reject(death);
    this.#waiting.clear();
    return death;
  }
}

/** Sends one request to a thread of its own. If the signal is aborted, ends the thread and resolves. */
export async function askThread<Request>(file: URL, request: Request, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const thread = new WorkerChannel<Request, void>(file);
  const stop = () => void thread.close();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await thread.ask(request);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.close();
  }
}

/** Creates an error with the code, message and stack of an error that was thrown in the thread. */
function errorOf({
  code,
  message,
  advice,
  isUsage,
  stack,
}: Extract<Told<never, never>, { kind: 'failed' }>): GyreError {
  const error = new (isUsage ? UsageError : GyreError)(code, message, { advice });
  error.stack = stack;
  return error;
}

interface ChannelHandler<Request, Reply> {
  handle(request: Request): Reply | Promise<Reply>;
  /** Returns the buffers of a reply that are moved to the owner instead of copied. */
  transferOf?(reply: Reply): ArrayBuffer[];
  /** Returns true for the last request. The thread replies to it, takes no more requests, and ends. */
  isLast?(request: Request): boolean;
}

/**
 * Runs in the thread: replies to requests. If `handle` is asynchronous, several requests are in progress at a
 * time.
 */
export function serveChannel<Request, Reply>({
  handle,
  transferOf = () => [],
  isLast = () => false,
}: ChannelHandler<Request, Reply>): void {
  collectWhenHigh();
  portOf().on('message', async ({ id, request }: Asked<Request>) => {
    try {
      const reply = await handle(request);
      send<Reply, never>({ kind: 'reply', id, reply }, transferOf(reply));
    } catch (error) {
      const code = isDiskFull(error) ? 'ENOSPC' : systemCode(error) || 'internal';
      const advice = error instanceof GyreError ? error.advice : '';
      const isUsage = error instanceof UsageError;
      const message = messageOf(error);
      const stack = error instanceof Error ? (error.stack ?? message) : message;
      send<never, never>({ kind: 'failed', id, code, message, advice, isUsage, stack });
    }
    if (isLast(request)) portOf().close();
  });
}

/** Runs in the thread: sends the owner a message that is not a reply. */
export function sendEvent(event: unknown): void {
  send({ kind: 'event', event });
}

function send<Reply, Event>(told: Told<Reply, Event>, transfer: ArrayBuffer[] = []): void {
  portOf().postMessage(told, transfer);
}

function portOf(): NonNullable<typeof parentPort> {
  if (!parentPort) throw new Error('this module is for worker threads');
  return parentPort;
}
