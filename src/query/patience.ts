/**
 * Ends the iterators over matching documents when the query is late. An iterator that was ended early reports that
 * it has no more documents, which gives wrong matches below a `not`. Therefore the caller must check `isOut` before
 * it accepts a match.
 */
import type { Deadline } from './deadline.ts';

export class Patience {
  readonly #deadline: Deadline;
  #isOut = false;

  constructor(deadline: Deadline) {
    this.#deadline = deadline;
  }

  /** True if an iterator was ended early. */
  get isOut(): boolean {
    return this.#isOut;
  }

  /** Counts steps. Returns true if the query is late and the iterator must end. */
  spend(steps: number): boolean {
    if (this.#deadline.spend(steps)) this.#isOut = true;
    return this.#isOut;
  }

  /**
   * Counts steps while iterators are opened. Returns true if the grace period is over. Opening may use the grace
   * period, because a late query without open iterators would have no results at all.
   */
  spendToOpen(steps: number): boolean {
    if (this.#deadline.spendGrace(steps)) this.#isOut = true;
    return this.#isOut;
  }
}
