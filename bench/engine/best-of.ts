/**
 * Returns the time of the fastest of three runs in milliseconds. It is the run that other work on the machine
 * affected least.
 */
const ROUNDS = 3;

export function bestOf(run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    run();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
