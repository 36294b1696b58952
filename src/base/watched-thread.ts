/**
 * A thread that may die of its work, or never come back from a piece of it, and somebody who notices.
 *
 * The thread says in shared memory which piece it is at (`BusyCell`): that costs no message, and can still be
 * read when the thread is no more. One that makes no step for longer than its limit, while something is
 * expected of it, is ended. It is not replaced here: only the owner knows what has to be done again.
 *
 * Time is counted in ticks that the watcher lived through, so a machine that slept or a clock that was set
 * ends no thread.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf } from './errors.ts';

/** How often a thread is looked at, at most; a shorter limit has it looked at more often. */
const MAX_TICK_MS = 1000;
const TICKS_PER_LIMIT = 8;
const IDLE = -1;

export interface ThreadDeath {
  kind: 'stuck' | 'out of memory' | 'ended';
  message: string;
  /** The piece of work that it died of; null when it was at none. */
  piece: number | null;
}

/** What became of the piece, for whoever asked for it to be read. */
export function deathReason({ kind }: ThreadDeath, limitMs: number): string {
  if (kind === 'stuck') return `took longer than ${limitMs / 1000} s to read`;
  return kind === 'out of memory' ? 'took too much memory to read' : 'ended the thread that read it';
}

export interface WatchedThreadOptions<Reply> {
  file: URL;
  /** What the thread gets besides its cell. */
  data: object;
  limitMs: number;
  resourceLimits: ResourceLimits;
  /** Whether something is expected of it. */
  isAwaited(): boolean;
  onReply(reply: Reply): void;
  /** Told once, unless it was closed before; no reply comes after it. */
  onDeath(death: ThreadDeath): void;
}

export class WatchedThread<Request, Reply> {
  readonly #options: WatchedThreadOptions<Reply>;
  readonly #cell = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT);
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #steps = 0;
  #stuckMs = 0;

  constructor(options: WatchedThreadOptions<Reply>) {
    const { file, data, limitMs, resourceLimits } = options;
    this.#options = options;
    new Int32Array(this.#cell)[0] = IDLE;
    this.#worker = new Worker(file, { workerData: { ...data, cell: this.#cell }, resourceLimits });
    this.#worker.on('message', (reply: Reply) => {
      if (!this.#isOver) options.onReply(reply);
    });
    this.#worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#died(isMemory ? 'out of memory' : 'ended', messageOf(error));
    });
    this.#worker.on('exit', (code) => this.#died('ended', `it ended with code ${code}`));
    const tickMs = Math.min(MAX_TICK_MS, limitMs / TICKS_PER_LIMIT);
    this.#timer = setInterval(() => this.#look(tickMs), tickMs);
    this.#timer.unref();
  }

  post(request: Request): void {
    this.#worker.postMessage(request);
  }

  close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    void this.#worker.terminate();
  }

  #look(tickMs: number): void {
    const steps = Atomics.load(new Int32Array(this.#cell), 1);
    const isMoving = steps !== this.#steps || steps === 0 || !this.#options.isAwaited();
    this.#steps = steps;
    this.#stuckMs = isMoving ? 0 : this.#stuckMs + tickMs;
    const { limitMs } = this.#options;
    if (this.#stuckMs >= limitMs) this.#died('stuck', `no step for ${limitMs / 1000} s`);
  }

  #died(kind: ThreadDeath['kind'], message: string): void {
    if (this.#isOver) return;
    const piece = Atomics.load(new Int32Array(this.#cell), 0);
    this.close();
    this.#options.onDeath({ kind, message, piece: piece === IDLE ? null : piece });
  }
}

/** The thread's side; its clock runs from when it is made, not while the thread is still starting. */
export class BusyCell {
  readonly #cell: Int32Array;

  /** Of what the thread got as its `workerData`. */
  constructor(workerData: unknown) {
    this.#cell = new Int32Array((workerData as { cell: SharedArrayBuffer }).cell);
    Atomics.add(this.#cell, 1, 1);
  }

  /** A number from 0 names the piece. */
  during<Result>(piece: number, work: () => Result): Result {
    Atomics.store(this.#cell, 0, piece);
    Atomics.add(this.#cell, 1, 1);
    const result = work();
    Atomics.store(this.#cell, 0, IDLE);
    return result;
  }
}
