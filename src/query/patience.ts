/**
 * Lets the iterators of one evaluation give up when the query is late. An iterator that gave up reports that
 * it has no more documents, which is wrong below a `not`. Therefore the caller that walks the documents must
 * check `isOut` before it accepts a match.
 */
import type { Deadline } from './deadline.ts';

export class Patience {
  readonly #deadline: Deadline;
  #isOut = false;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** True if an iterator gave up. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /** Counts steps; returns true if the iterator has to give up. */
  spend(steps: number): boolean {
    if (this.#deadline.spend(steps)) this.#isOut = true;
    return this.#isOut;
  }

  /**
   * Like `spend`, for opening iterators. Opening may use the grace period, because without open iterators a
   * late query would have no results at all.
   */
  spendToOpen(steps: number): boolean {
    if (this.#deadline.spendGrace(steps)) this.#isOut = true;
    return this.#isOut;
  }
}
