/** The number of runs. The fastest run counts, because other work on the machine affected it least. */
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

/** Returns the processor time of this process, which does not include other work on the machine. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
