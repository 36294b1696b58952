/**
 * Measures how fresh an adaptive schedule of revisits keeps a collection, and how many visits it takes
 * (docs/decisions/0017).
 *
 *   node bench/crawl/revisits-main.ts [pages]
 *
 * Pages change at random times (Poisson). The average time between changes differs from page to page: from
 * two hours to 120 days, evenly distributed over its logarithm. A year is simulated, and only its second half
 * is measured, after the intervals have settled. After a visit, a page counts as fresh until it changes. Each
 * adaptive rule is compared with a fixed interval that makes the same number of visits. Prints a JSON row per
 * rule: `name, freshness, visitsPerPageAndDay, freshnessFixed`.
 */
import { DAY_MS, Random } from '../../src/base/mod.ts';
import { HOUR_MS } from '../../src/base/units.ts';

const SPAN = 365 * DAY_MS;
const FIRST = DAY_MS;
const MAX = 60 * DAY_MS;
/**
 * The adaptive rules. After a visit, the interval to the next visit is multiplied by `unchanged` or `changed`,
 * depending on whether the page has changed, but the interval never falls below `min`.
 */
const RULES: [name: string, unchanged: number, changed: number, min: number][] = [
  ['grow 1.5, halve, 1 h', 1.5, 0.5, HOUR_MS],
  ['grow 1.5, halve, 6 h', 1.5, 0.5, 6 * HOUR_MS],
  ['grow 1.5, halve, 12 h', 1.5, 0.5, 12 * HOUR_MS],
  ['grow 1.5, halve, 1 d', 1.5, 0.5, DAY_MS],
  ['double, halve, 12 h', 2, 0.5, 12 * HOUR_MS],
  ['grow 1.2, halve, 12 h', 1.2, 0.5, 12 * HOUR_MS],
  ['grow 1.2, halve, 6 h', 1.2, 0.5, 6 * HOUR_MS],
];

interface Outcome {
  freshMs: number;
  visits: number;
}

const pageCount = Number(process.argv[2] ?? 2000);
for (const [name, unchanged, changed, min] of RULES) {
  const next = (interval: number, hasChanged: boolean) =>
    Math.min(Math.max(interval * (hasChanged ? changed : unchanged), min), MAX);
  const adaptive = collection(next, FIRST);
  const days = (pageCount * SPAN) / 2 / DAY_MS;
  const interval = (days * DAY_MS) / adaptive.visits;
  const fixed = collection(() => interval, interval);
  const share = ({ freshMs }: Outcome) => Number((freshMs / (days * DAY_MS)).toFixed(3));
  const visitsPerPageAndDay = Number((adaptive.visits / days).toFixed(2));
  console.log(
    JSON.stringify({ name, freshness: share(adaptive), visitsPerPageAndDay, freshnessFixed: share(fixed) }),
  );
}

function collection(next: (interval: number, changed: boolean) => number, first: number): Outcome {
  const random = new Random(7);
  const total: Outcome = { freshMs: 0, visits: 0 };
  for (let page = 0; page < pageCount; page++) {
    const period = 2 * HOUR_MS * (120 * 12) ** (page / pageCount);
    const { freshMs, visits } = life(period, next, first, random);
    total.freshMs += freshMs;
    total.visits += visits;
  }
  return total;
}

/** Simulates the visits to one page, which changes every `period` on average. */
function life(
  period: number,
  next: (interval: number, changed: boolean) => number,
  first: number,
  random: Random,
): Outcome {
  const outcome: Outcome = { freshMs: 0, visits: 0 };
  let interval = first;
  for (let at = 0; at < SPAN; ) {
    const untilChange = -Math.log(1 - random.next()) * period;
    const until = Math.min(at + interval, SPAN);
    if (at >= SPAN / 2) outcome.freshMs += Math.min(untilChange, until - at);
    at = until;
    if (at >= SPAN / 2) outcome.visits++;
    interval = next(interval, untilChange < interval);
  }
  return outcome;
}
