/**
 * Knowledge that the pages of a host share: how often pages with the same URL pattern change, and whether the hints
 * of the host are right.
 *
 *   all sites -> host -> URL pattern -> prior belief about a page without a history
 *
 * Each level has the mean and the variance of the logarithms of the rates of its pages, and counts as LEVEL_PAGES pages
 * of the level below. Only pages with enough visits of their own are counted, because the others repeat the prior.
 *
 * A hint is trusted after it has been right MIN_RIGHT times, and while it is right twice as often as wrong:
 *
 *   changed  the `lastmod` of a sitemap or the date of a feed said that a page has changed
 *   rates    `changefreq`, and the time since `lastmod`, said how often the pages of a pattern change
 */
import { beliefOfLogarithms, type RateBelief } from './change-rate.ts';

/** Number, sum and sum of squares of the logarithms of rates. */
export interface RateSums {
  pages: number;
  sum: number;
  squares: number;
}

interface Pattern extends RateSums {
  claimedPages: number;
  claimedSum: number;
}

interface HintRecord {
  right: number;
  wrong: number;
}

export interface SharedRates {
  site: RateSums;
  patterns: Record<string, Pattern>;
  changed: HintRecord;
  rates: HintRecord;
}

const LEVEL_PAGES = 4;
const MAX_PATTERNS = 64;
const MIN_RIGHT = 3;
/** The counts of a hint are halved at this number, so that later hints count more. */
const MAX_HINTS = 64;
/** Without any knowledge, a page changes every ten days; the true rate may be a hundred times higher or lower. */
const DEFAULT = { mean: Math.log(0.1), variance: 5 };
const CLAIM_VARIANCE = 1;
/** A claimed rate is right if it is within this factor of the measured one. */
const RIGHT_FACTOR = Math.log(4);

export function noSums(): RateSums {
  return { pages: 0, sum: 0, squares: 0 };
}

export function newSharedRates(): SharedRates {
  const hints = () => ({ right: 0, wrong: 0 });
  return { site: noSums(), patterns: {}, changed: hints(), rates: hints() };
}

/** Returns the belief about a page that has no history. */
export function priorOf(
  all: Readonly<RateSums>,
  { site, patterns, rates }: SharedRates,
  pattern: string,
): RateBelief {
  const known = patterns[pattern];
  let level = below(below(DEFAULT, all), site);
  if (known) {
    if (known.claimedPages > 0 && isTrusted(rates))
      level = { mean: known.claimedSum / known.claimedPages, variance: CLAIM_VARIANCE };
    level = below(level, known);
  }
  return beliefOfLogarithms(level.mean, level.variance);
}

/** Returns true if the prior of this pattern rests on pages of the site or on trusted hints. */
export function isInformed({ site, patterns, rates }: SharedRates, pattern: string): boolean {
  return site.pages > 0 || ((patterns[pattern]?.claimedPages ?? 0) > 0 && isTrusted(rates));
}

/**
 * Counts the rate of a page instead of the one that was counted before. On the first count, judges what the site has
 * claimed about the rates of such pages.
 */
export function countRate(
  all: RateSums,
  shared: SharedRates,
  pattern: string,
  before: number | null,
  logRate: number,
): void {
  const known = patternIn(shared, pattern);
  if (known && before === null && known.claimedPages > 0) {
    const claimed = known.claimedSum / known.claimedPages;
    countHint(shared.rates, Math.abs(claimed - logRate) <= RIGHT_FACTOR);
  }
  for (const sums of known ? [all, shared.site, known] : [all, shared.site]) {
    if (before !== null) add(sums, -1, before);
    add(sums, 1, logRate);
  }
}

/** Keeps the rate that a sitemap claims for pages of this pattern. */
export function countClaim(shared: SharedRates, pattern: string, logRate: number): void {
  const known = patternIn(shared, pattern);
  if (!known) return;
  known.claimedPages++;
  known.claimedSum += logRate;
  if (known.claimedPages > 1000) {
    known.claimedPages /= 2;
    known.claimedSum /= 2;
  }
}

export function countHint(record: HintRecord, wasRight: boolean): void {
  record[wasRight ? 'right' : 'wrong']++;
  if (record.right + record.wrong < MAX_HINTS) return;
  record.right /= 2;
  record.wrong /= 2;
}

export function isTrusted({ right, wrong }: HintRecord): boolean {
  return right >= MIN_RIGHT && right >= 2 * wrong;
}

function patternIn({ patterns }: SharedRates, pattern: string): Pattern | null {
  const known = patterns[pattern];
  if (known) return known;
  if (Object.keys(patterns).length >= MAX_PATTERNS) return null;
  patterns[pattern] = { ...noSums(), claimedPages: 0, claimedSum: 0 };
  return patterns[pattern];
}

function add(sums: RateSums, pages: number, logRate: number): void {
  sums.pages = Math.max(0, sums.pages + pages);
  sums.sum += pages * logRate;
  sums.squares += pages * logRate * logRate;
}

/** Combines the distribution of a level with the pages of the level below it. */
function below(level: { mean: number; variance: number }, { pages, sum, squares }: Readonly<RateSums>) {
  const total = LEVEL_PAGES + pages;
  const mean = (LEVEL_PAGES * level.mean + sum) / total;
  const own = Math.max(0, squares - 2 * mean * sum + pages * mean * mean);
  const variance = (LEVEL_PAGES * (level.variance + (level.mean - mean) ** 2) + own) / total;
  return { mean, variance: Math.max(variance, 0.2) };
}
