/**
 * Divides long work on a thread that also serves requests: yields to the event loop every 10 ms, and stops if
 * the signal is aborted.
 */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

export class TimeSlice {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Cheap enough to check after every term. */
  get isDue(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Waits for one turn of the event loop; throws the signal's reason if it was aborted. */
  async pause(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
