/**
 * Whether one ranking is better than another, or only lucky with these queries: a paired randomisation test.
 *
 * If neither were better, each query's two values could as well have come the other way round. So the signs of the
 * differences are thrown at random, many times; `p` is the share of throws whose mean difference is at least as
 * large as the one that was seen, in either direction. Unlike the t-test it assumes nothing of how the values are
 * distributed, and those of few queries, between 0 and 1, are far from normal (Smucker, Allan and Carterette,
 * "A comparison of statistical significance tests for information retrieval evaluation", 2007).
 */
import { Random } from '../../base/mod.ts';

export interface Comparison {
  /** The mean of `second` less that of `first`. */
  difference: number;
  p: number;
}

const THROWS = 10_000;
const SEED = 42;
/** What sums of the same numbers in another order may differ by. */
const ROUNDING = 1e-12;

/** The values are of the same queries in the same order. */
export function compareValues(first: readonly number[], second: readonly number[]): Comparison {
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
