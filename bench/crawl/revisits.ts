/**
 * Simulates the revisits of a collection of pages with known change rates and a fixed number of requests, and compares
 * the production schedule with three others that make as many visits.
 *
 * Each page changes at random times (Poisson). A page is fresh from a visit until it changes. The first part of the
 * time is for learning; only the rest is measured.
 *
 *   gyre          `RevisitSchedule`, as in a crawl: it sees only whether a page has changed since its last visit
 *   uniform       all pages have the same interval
 *   proportional  a page that changes twice as often is visited twice as often
 *   optimum       the best intervals for the known rates: the solution of the Lagrange equation of Cho and
 *                 Garcia-Molina, computed here and not by the code of the schedule
 */
import { DAY_MS, Heap, Random } from '../../src/base/mod.ts';
import { RevisitSchedule } from '../../src/crawl/schedule/mod.ts';
import { canonicalize, type CanonicalUrl } from '../../src/url/mod.ts';
import type { VisitHistory } from '../../src/crawl/state/mod.ts';

export interface Simulation {
  pages: number;
  /** Average number of visits of a page per day. */
  visitsPerDay: number;
  /** Changes per day of the page that changes least and most often; the others lie between, by their logarithm. */
  slowest: number;
  fastest: number;
  days: number;
  /** True if the pages of a site have similar rates, false if the rates are unrelated to the site. */
  alikeSites: boolean;
  seed: number;
}

export interface Freshness {
  gyre: number;
  uniform: number;
  proportional: number;
  optimum: number;
  /** Visits per page and day that the schedule made. */
  visitsPerDay: number;
}

/** The measured time begins after this share of the days. */
const LEARNING = 0.5;
const PAGES_PER_SITE = 20;

interface Page {
  url: CanonicalUrl;
  rate: number;
}

export function simulate(options: Simulation): Freshness {
  const pages = pagesOf(options);
  const { freshness, visitsPerDay } = runSchedule(pages, options);
  const rates = pages.map(({ rate }) => rate);
  const total = visitsPerDay * rates.length;
  const sum = rates.reduce((all, rate) => all + rate, 0);
  return {
    gyre: freshness,
    uniform: averageFreshness(rates, () => visitsPerDay),
    proportional: averageFreshness(rates, (rate) => (rate * total) / sum),
    optimum: averageFreshness(rates, optimalVisits(rates, total)),
    visitsPerDay,
  };
}

function pagesOf({ pages, slowest, fastest, alikeSites, seed }: Simulation): Page[] {
  const random = new Random(seed);
  return Array.from({ length: pages }, (_, at) => {
    const place = alikeSites
      ? Math.floor(at / PAGES_PER_SITE) / Math.ceil(pages / PAGES_PER_SITE)
      : random.next();
    const site = Math.floor(at / PAGES_PER_SITE);
    return {
      url: canonicalize(`http://s${site}.test/pages/${at}`)!,
      rate: slowest * (fastest / slowest) ** place,
    };
  });
}

/** Runs the production schedule, and measures the freshness of the pages directly. */
function runSchedule(
  pages: readonly Page[],
  { visitsPerDay, days, seed }: Simulation,
): { freshness: number; visitsPerDay: number } {
  const clock = { time: 0, now: () => clock.time };
  const schedule = new RevisitSchedule({
    ...{ firstMs: DAY_MS, minMs: DAY_MS / 24, maxMs: 60 * DAY_MS, visitsPerDay, policies: [] },
    notes: { notesOf: async () => [], keepNote() {} },
    clock,
  });
  const random = new Random(seed + 1);
  const due = new Heap<Visit>((a, b) => a.at < b.at);
  for (const page of pages)
    due.push({ page, at: random.next() * DAY_MS, visitedAt: 0, history: null, changeAt: 0 });
  const [from, until] = [days * LEARNING * DAY_MS, days * DAY_MS];
  const measured = { freshMs: 0, visits: 0 };
  for (let visit = due.peek(); visit && visit.at < until; visit = due.peek()) {
    clock.time = visit.at;
    count(measured, visit, visit.at, from);
    const { history, intervalMs } = schedule.settle({
      ...{ url: visit.page.url, visitedAt: visit.at, kind: 'page', isDocument: true, importance: 1 },
      ...{ history: visit.history, newLinks: 0, datedLinksPerDay: 0, modifiedAt: 0, isHinted: false },
      hasChanged: visit.history === null ? null : visit.changeAt <= visit.at,
    });
    const untilChange = (-Math.log(1 - random.next()) / visit.page.rate) * DAY_MS;
    const { page, at } = visit;
    due.replaceTop({ page, at: at + intervalMs, visitedAt: at, history, changeAt: at + untilChange });
    if (at >= from) measured.visits++;
  }
  for (let visit = due.pop(); visit; visit = due.pop()) count(measured, visit, until, from);
  const span = (until - from) * pages.length;
  return { freshness: measured.freshMs / span, visitsPerDay: (measured.visits / span) * DAY_MS };
}

interface Visit {
  page: Page;
  at: number;
  visitedAt: number;
  history: VisitHistory | null;
  /** Time of the first change after `visitedAt`. */
  changeAt: number;
}

/** Adds the time in which the page was fresh, from its last visit to `until`, without the time before `from`. */
function count(measured: { freshMs: number }, visit: Visit, until: number, from: number): void {
  if (visit.history === null) return;
  measured.freshMs += Math.max(0, Math.min(visit.changeAt, until) - Math.max(visit.visitedAt, from));
}

/** Average share of time in which pages are fresh, if each is visited in equal intervals. */
function averageFreshness(rates: readonly number[], visitsOf: (rate: number) => number): number {
  const freshnessOf = (rate: number) => {
    const visits = visitsOf(rate);
    return visits === 0 ? 0 : (-Math.expm1(-rate / visits) * visits) / rate;
  };
  return rates.reduce((sum, rate) => sum + freshnessOf(rate), 0) / rates.length;
}

/** Solves dF / dvisits = multiplier for each page, with the multiplier at which the visits add up to `total`. */
function optimalVisits(rates: readonly number[], total: number): (rate: number) => number {
  const visitsAt = (rate: number, multiplier: number) => {
    // With r = rate / visits, dF / dvisits = (1 - (1 + r) exp(-r)) / rate, which grows with r.
    const wanted = multiplier * rate;
    if (wanted >= 1) return 0;
    const r = bisect(1e-9, 1e3, (each) => 1 - (1 + each) * Math.exp(-each) >= wanted);
    return rate / r;
  };
  const multiplier = bisect(
    1e-9,
    1e6,
    (each) => rates.reduce((sum, rate) => sum + visitsAt(rate, each), 0) <= total,
  );
  return (rate) => visitsAt(rate, multiplier);
}

/** Returns the smallest number for which `isEnough` holds, by bisection of the logarithm. */
function bisect(low: number, high: number, isEnough: (value: number) => boolean): number {
  let [from, to] = [Math.log(low), Math.log(high)];
  for (let step = 0; step < 50; step++) {
    const middle = (from + to) / 2;
    if (isEnough(Math.exp(middle))) to = middle;
    else from = middle;
  }
  return Math.exp(to);
}
