/** Limits how often something is read: at most once in LEAST_MS, and for at most one hundredth of the time. */
import type { Clock } from '../../base/mod.ts';

const LEAST_MS = 1_000;
const FACTOR = 100;

export class Pace {
  readonly #clock: Clock;
  #dueAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isDue(): boolean {
    return this.#clock.now() >= this.#dueAt;
  }

  /** Reports a read that took this long. */
  read(tookMs: number): void {
    this.#dueAt = this.#clock.now() + Math.max(LEAST_MS, FACTOR * tookMs);
  }
}
