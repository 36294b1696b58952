/**
 * Divides long work on a thread that also serves requests: every 10 ms, other work of the event loop gets a
 * turn. Stops the work if a signal is aborted.
 */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * True if the work has run long enough and should pause. This check is fast enough to be made after every
   * term.
   */
  get isDue(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Lets the event loop run once. If the signal was aborted, throws the signal's reason. */
  async pause(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
