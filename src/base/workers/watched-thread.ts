/**
 * Watches a thread whose work may kill it or never finish.
 *
 * The thread writes the number of its current piece of work into shared memory (`BusyCell`). This costs no
 * message, and can still be read after the thread has died. The watcher ends a thread whose current step takes
 * longer than the limit of its current work. `parser-pool.ts` replaces the thread, because only the pool knows
 * which work has to be repeated.
 *
 * The limit is processor time of the thread, so that a page does not fail because other processes use the
 * machine. However, a thread that waits uses no processor time, and during long native calls its processor time
 * cannot be read. Therefore a thread is also ended when the elapsed time of a step is STALLED_FACTOR times the
 * limit. The elapsed time is counted in ticks of the watcher's timer, so no thread is ended because the machine
 * slept or its clock was changed.
 */
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf } from '../errors.ts';
import { heapLimitsOf } from './heap-limits.ts';

const TICK_MS = 100;
const STALLED_FACTOR = 10;
const IDLE = -1;

export interface ThreadDeath {
  kind: 'stuck' | 'out of memory' | 'ended';
  message: string;
  /** The number of the piece of work during which the thread died; null if it had no work. */
  piece: number | null;
  /** False if the thread died before it could take any work. */
  hasBegun: boolean;
}

/** Returns a text that explains the death of a thread to the caller whose work failed. */
export function deathReason(kind: ThreadDeath['kind'], limitMs: number): string {
  if (kind === 'stuck') return `took longer than ${limitMs / 1000} s to read`;
  return kind === 'out of memory' ? 'took too much memory to read' : 'ended the thread that read it';
}

interface WatchedThreadOptions<Reply> {
  file: URL;
  /** The `workerData` of the thread, without the cell of the watcher. */
  data: object;
  resourceLimits: ResourceLimits;
  /** Returns the limit of processor time for one step of the current work; null while the thread is idle. */
  limitMs(): number | null;
  onReply(reply: Reply): void;
  /**
   * Called when the thread dies, at most once. Not called after `close`. The thread sends no reply after this
   * call.
   */
  onDeath(death: ThreadDeath): void;
}

export class WatchedThread<Request, Reply> {
  readonly #options: WatchedThreadOptions<Reply>;
  readonly #cell = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #isOver = false;
  #steps = 0;
  #stuckMs = 0;
  /** The processor time of the thread when the current step was first measured; null before that. */
  #cpuMsBefore: number | null = null;
  #isMeasuring = false;

  constructor(options: WatchedThreadOptions<Reply>) {
    const { file, data, resourceLimits } = options;
    this.#options = options;
    this.#cell[0] = IDLE;
    this.#worker = new Worker(file, {
      workerData: { ...data, cell: this.#cell.buffer },
      resourceLimits: heapLimitsOf(resourceLimits),
    });
    this.#worker.on('message', (reply: Reply) => {
      if (!this.#isOver) options.onReply(reply);
    });
    this.#worker.on('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#died(isMemory ? 'out of memory' : 'ended', messageOf(error));
    });
    this.#worker.on('exit', (code) => this.#died('ended', `it ended with code ${code}`));
    this.#timer = setInterval(() => this.#look(), TICK_MS);
    this.#timer.unref();
  }

  post(request: Request): void {
    this.#worker.postMessage(request);
  }

  /** The number of the piece of work that the thread is doing; null if there is none. */
  get piece(): number | null {
    const piece = Atomics.load(this.#cell, 0);
    return piece === IDLE ? null : piece;
  }

  get hasBegun(): boolean {
    return Atomics.load(this.#cell, 1) > 0;
  }

  async close(): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#worker.terminate();
  }

  #look(): void {
    const steps = Atomics.load(this.#cell, 1);
    const limitMs = this.#options.limitMs();
    if (steps !== this.#steps || steps === 0 || limitMs === null) {
      this.#steps = steps;
      this.#stuckMs = 0;
      this.#cpuMsBefore = null;
      return;
    }
    this.#stuckMs += TICK_MS;
    const stalledMs = STALLED_FACTOR * limitMs;
    if (this.#stuckMs >= stalledMs) this.#died('stuck', `no step for ${stalledMs / 1000} s`);
    else if (!this.#isMeasuring) void this.#measure(steps, limitMs);
  }

  /** Measures the processor time of step number `steps`, and ends the thread if the time is over the limit. */
  async #measure(steps: number, limitMs: number): Promise<void> {
    this.#isMeasuring = true;
    const cpuMs = await cpuMsOf(this.#worker);
    this.#isMeasuring = false;
    if (cpuMs === null || steps !== Atomics.load(this.#cell, 1) || steps !== this.#steps) return;
    this.#cpuMsBefore ??= cpuMs;
    if (cpuMs - this.#cpuMsBefore >= limitMs)
      this.#died('stuck', `no step in ${limitMs / 1000} s of processor time`);
  }

  #died(kind: ThreadDeath['kind'], message: string): void {
    if (this.#isOver) return;
    const { piece, hasBegun } = this;
    void this.close();
    this.#options.onDeath({ kind, message, piece, hasBegun });
  }
}

/**
 * Returns the processor time that a thread has used. Resolves when the thread can be interrupted to read it;
 * with null if the thread ends first.
 */
async function cpuMsOf(worker: Worker): Promise<number | null> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return null;
  }
}

/**
 * Reports the current work of a thread to its watcher; used inside the thread. The time limit begins when
 * this object is created, so the start of the thread does not count.
 */
export class BusyCell {
  readonly #cell: Int32Array;

  constructor(workerData: unknown) {
    this.#cell = new Int32Array((workerData as { cell: SharedArrayBuffer }).cell);
    Atomics.add(this.#cell, 1, 1);
  }

  /** Runs `work` and reports it to the watcher as piece number `piece`, counted from 0. */
  during<Result>(piece: number, work: () => Result): Result {
    Atomics.store(this.#cell, 0, piece);
    Atomics.add(this.#cell, 1, 1);
    const result = work();
    Atomics.store(this.#cell, 0, IDLE);
    return result;
  }
}
