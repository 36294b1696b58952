/**
 * Decides if the difference between two rankings is significant: a paired randomisation test.
 *
 * If both rankings were equally good, exchanging their values for a query would make no difference on average.
 * Therefore the signs of the differences are chosen at random many times. `p` is the share of these trials
 * whose mean difference, positive or negative, is at least as large as the observed one. Unlike the t-test, it
 * does not assume a normal distribution, which the values of few queries between 0 and 1 do not have (Smucker,
 * Allan and Carterette, "A comparison of statistical significance tests for information retrieval evaluation",
 * 2007).
 */
import { Random } from '../../base/mod.ts';

export interface ProfileComparison {
  difference: number;
  p: number;
}

/** A difference with a smaller p is significant. */
export const SIGNIFICANT = 0.05;
const THROWS = 10_000;
const SEED = 42;
/** The tolerance for rounding: adding the same numbers in another order may change the sum by this amount. */
const ROUNDING = 1e-12;

/** Tests whether two rankings differ. Both lists have the values of the same queries in the same order. */
export function compareValues(first: readonly number[], second: readonly number[]): ProfileComparison {
  const differences = first.map((value, at) => second[at]! - value);
  const seen = sumOf(differences);
  const random = new Random(SEED);
  let extreme = 0;
  for (let thrown = 0; thrown < THROWS; thrown++) {
    let sum = 0;
    for (const difference of differences) sum += random.next() < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= Math.abs(seen) - ROUNDING) extreme++;
  }
  return {
    difference: differences.length > 0 ? seen / differences.length : 0,
    p: (extreme + 1) / (THROWS + 1),
  };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
