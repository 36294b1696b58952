/**
 * Runs long work of single hosts in slices, because the same thread also receives the responses of all other
 * hosts.
 *
 * Work shorter than a slice runs to its end at once. Longer work continues in one queue shared by all hosts,
 * where a slice of `SLICE_MS` is followed by a pause four times as long. So long work takes at most a fifth
 * of the thread's time, however many hosts have some, and no run is much longer than a slice.
 */
import { sleep } from '../base/mod.ts';

const SLICE_MS = 2;
const PAUSE_FACTOR = 4;

export class SlicedWork {
  /** Resolves when the last work in the queue has ended and its pause is over. */
  #queue: Promise<void> = Promise.resolve();

  /** Runs `steps` to the end and returns the result. A single step should take less than a millisecond. */
  async run<Result>(steps: Iterator<void, Result>): Promise<Result> {
    for (;;) {
      const startedAt = performance.now();
      let elapsedMs = 0;
      let step = steps.next();
      while (!step.done && elapsedMs < SLICE_MS) {
        step = steps.next();
        elapsedMs = performance.now() - startedAt;
      }
      if (step.done) return step.value;
      this.#queue = this.#queue.then(() => sleep(PAUSE_FACTOR * elapsedMs));
      await this.#queue;
    }
  }
}
