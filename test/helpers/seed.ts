/**
 * The seed of every property test.
 *
 * `npm test` uses one fixed seed, so that a run on the same commit always tests the same inputs. `npm run
 * test:random` sets `TEST_SEED` to a fresh number; a failure prints the seed, and `TEST_SEED=n` repeats it.
 */
const FIXED_SEED = 20_260_701;

export function testSeed(): number {
  const given = process.env.TEST_SEED;
  if (given === undefined) return FIXED_SEED;
  const seed = Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new Error(`TEST_SEED: expected a whole number, got "${given}"`);
  }
  return seed % 2 ** 31;
}
