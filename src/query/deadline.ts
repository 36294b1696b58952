/**
 * The time limit of a query.
 *
 *   arrival ......... limit ... limit + GRACE_MS
 *   | the whole query |  finish  |
 *
 * Every stage of a query counts steps; a step is about one posting or one dictionary word. The clock is read every
 * STEPS_PER_LOOK steps. At the limit, the first stage stops and keeps the matches so far. The second stage and the
 * snippets of those matches may use the grace period. After the grace period, the results are returned as they are.
 * A stage that has no usable result if it stops half-way throws a LateError, and the response is empty and partial.
 *
 * Once a query is late, it stays late, even if the clock is set back.
 */
import { type Clock, GyreError } from '../base/mod.ts';

const STEPS_PER_LOOK = 4096;
/**
 * The grace period after the time limit, in ms. The second stage and the snippets of the matches found so far may
 * use it.
 */
const GRACE_MS = 75;

export class LateError extends GyreError {
  constructor() {
    super('query-late', 'The query took longer than the time limit; use fewer words or operators.');
  }
}

export class Deadline {
  readonly #clock: Clock;
  readonly #atMs: number;
  readonly #isHurried: () => boolean;
  #stepsToLook = STEPS_PER_LOOK;
  #lateSince: number | null = null;

  /**
   * `isHurried` is called repeatedly. If it returns true, because other queries wait for the thread, the query ends
   * early.
   */
  constructor(clock: Clock, atMs: number, isHurried: () => boolean = () => false) {
    this.#clock = clock;
    this.#atMs = atMs;
    this.#isHurried = isHurried;
  }

  /** Reads the clock. Returns the time until the limit in ms; negative if the query is late. */
  leftMs(): number {
    const isLate = this.isLate();
    return (isLate ? this.#lateSince! : this.#atMs) - this.#clock.now();
  }

  /** Reads the clock; returns true if the query is late. */
  isLate(): boolean {
    if (this.#lateSince !== null) return true;
    const now = this.#clock.now();
    if (now <= this.#atMs && !this.#isHurried()) return false;
    this.#lateSince = Math.min(now, this.#atMs);
    return true;
  }

  /** Returns true if the query is late and the grace period is over. */
  isOver(): boolean {
    return this.isLate() && this.#clock.now() - this.#lateSince! >= GRACE_MS;
  }

  /** Counts steps and reads the clock every STEPS_PER_LOOK steps; returns true if the query is late. */
  spend(steps: number): boolean {
    return this.#isLookDue(steps) ? this.isLate() : this.#lateSince !== null;
  }

  /**
   * Counts steps and throws a LateError if the query is late. Used for work whose result is useless unless the
   * work is finished.
   */
  require(steps: number): void {
    if (this.spend(steps)) throw new LateError();
  }

  /** Reads the clock and throws a LateError if the query is late. */
  requireNow(): void {
    if (this.isLate()) throw new LateError();
  }

  /**
   * Counts steps and reads the clock every STEPS_PER_LOOK steps; returns true if the grace period is over.
   */
  spendGrace(steps: number): boolean {
    return this.#isLookDue(steps) && this.isOver();
  }

  /**
   * Counts steps and throws a LateError if the grace period is over. Used by the second stage and by snippets.
   */
  requireFinish(steps: number): void {
    if (this.spendGrace(steps)) throw new LateError();
  }

  #isLookDue(steps: number): boolean {
    this.#stepsToLook -= steps;
    if (this.#stepsToLook > 0) return false;
    this.#stepsToLook = STEPS_PER_LOOK;
    return true;
  }
}

/** A deadline that never passes, for benchmarks and measurements. */
export const NO_DEADLINE = new Deadline({ now: () => 0 }, Number.POSITIVE_INFINITY);
