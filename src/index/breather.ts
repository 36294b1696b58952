/**
 * Long work on a thread that also answers requests: lets them through every few milliseconds, and ends
 * when it is called off.
 */
import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

export class Breather {
  readonly #signal: AbortSignal | undefined;
  #since = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Cheap enough to ask for every term. */
  get isDue(): boolean {
    return performance.now() - this.#since >= SLICE_MS;
  }

  /** Waits for one turn of the event loop; throws the signal's reason if it was aborted. */
  async breathe(): Promise<void> {
    await setImmediate();
    this.#signal?.throwIfAborted();
    this.#since = performance.now();
  }
}
