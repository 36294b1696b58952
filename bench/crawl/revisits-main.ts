/**
 * Measures how fresh the revisit schedule keeps collections with known change rates (revisits.ts,
 * docs/decisions/0017). Prints a JSON row per collection and number of visits.
 *
 *   node bench/crawl/revisits-main.ts [pages]
 */
import { simulate } from './revisits.ts';

const pages = Number(process.argv[2] ?? 2000);
for (const alikeSites of [false, true]) {
  for (const visitsPerDay of [0.1, 0.25, 0.5, 1, 2]) {
    const options = { pages, visitsPerDay, alikeSites, slowest: 1 / 365, fastest: 24, days: 365, seed: 7 };
    const { gyre, uniform, proportional, optimum, visitsPerDay: made } = simulate(options);
    const row = {
      sites: alikeSites ? 'alike' : 'mixed',
      allowed: visitsPerDay,
      made: Number(made.toFixed(3)),
      gyre: Number(gyre.toFixed(3)),
      uniform: Number(uniform.toFixed(3)),
      proportional: Number(proportional.toFixed(3)),
      optimum: Number(optimum.toFixed(3)),
      overBest: Number((gyre / Math.max(uniform, proportional)).toFixed(3)),
      ofOptimum: Number((gyre / optimum).toFixed(3)),
    };
    console.log(JSON.stringify(row));
  }
}
