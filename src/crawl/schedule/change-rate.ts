/**
 * Estimates how often a page changes from visits that can only tell whether it has changed since the visit before.
 *
 * Changes are a Poisson process with an unknown rate. The belief about the rate is a Gamma distribution with the
 * parameters `shape` and `days`; its mean, `shape / days`, is the estimate in changes per day.
 *
 *   unchanged after t days    the likelihood is exp(-rate t): `days` grows by t
 *   changed within t days     the likelihood is 1 - exp(-rate t): the exact posterior is a difference of two Gamma
 *                             densities, and the belief becomes the Gamma distribution with the same mean and variance
 *   last change a days ago    the likelihood is rate exp(-rate a) (Cho and Garcia-Molina, "Estimating frequency of
 *                             change", section 5): `shape` grows by 1 and `days` by a
 *
 * Old observations lose weight, so that the estimate follows a page that starts or stops changing. Two numbers per
 * page are enough, whatever the intervals between its visits were.
 */

/** A belief about a rate of events per day. */
export interface RateBelief {
  shape: number;
  days: number;
}

/** Share of its weight that a belief keeps at each visit. About 1 / (1 - KEPT) visits count. */
const KEPT = 0.98;
const MIN_SHAPE = 0.3;
const MAX_SHAPE = 40;
/** Upper bound of `days` per unit of `shape`: no page is believed to change more rarely than once in this time. */
const MAX_DAYS = 1000;
/** The shortest time that is computed with; shorter times count as this one, so that no rate is infinite. */
const MIN_DAYS = 1e-4;

export function meanRate({ shape, days }: RateBelief): number {
  return shape / days;
}

/** Returns the belief after a visit that found no change since the visit `days` days before. */
export function sawNoChange(belief: RateBelief, days: number): RateBelief {
  const aged = age(belief);
  return bounded({ shape: aged.shape, days: aged.days + days });
}

/** Returns the belief after a visit that found a change since the visit `days` days before. */
export function sawChange(belief: RateBelief, days: number): RateBelief {
  const { shape, days: past } = age(belief);
  const span = Math.log1p(Math.max(days, MIN_DAYS) / past);
  const mass = (order: number) => -Math.expm1(-order * span);
  const mean = ((shape / past) * mass(shape + 1)) / mass(shape);
  const square = ((shape * (shape + 1)) / past ** 2) * (mass(shape + 2) / mass(shape));
  const variance = Math.max(square - mean ** 2, mean ** 2 / MAX_SHAPE);
  return bounded({ shape: mean ** 2 / variance, days: mean / variance });
}

/** Returns the belief after a visit that found a change, of which the server said that it was `days` days ago. */
export function sawChangeAt(belief: RateBelief, days: number): RateBelief {
  const aged = age(belief);
  return bounded({ shape: aged.shape + 1, days: aged.days + Math.max(days, MIN_DAYS) });
}

/** Returns the belief after `count` events within `days` days. */
export function sawEvents(belief: RateBelief, count: number, days: number): RateBelief {
  return { shape: belief.shape * COUNT_KEPT + count, days: belief.days * COUNT_KEPT + days };
}

/** Counts are more exact than the answer "changed or not", so fewer visits are needed. */
const COUNT_KEPT = 0.8;

function age({ shape, days }: RateBelief): RateBelief {
  const kept = Math.max(KEPT, Math.min(1, MIN_SHAPE / shape));
  return { shape: shape * kept, days: days * kept };
}

function bounded({ shape, days }: RateBelief): RateBelief {
  const scale = Math.min(1, MAX_SHAPE / shape);
  const kept = shape * scale;
  return { shape: kept, days: Math.min(Math.max(days * scale, MIN_DAYS), MAX_DAYS * kept) };
}

/**
 * Returns the Gamma distribution of rates whose logarithms have this mean and variance. It is the belief about a page
 * that has not been visited twice, from the rates of similar pages.
 */
export function beliefOfLogarithms(mean: number, variance: number): RateBelief {
  // The variance of the logarithm is trigamma(shape), which is close to 1 / shape + 1 / (2 shape^2).
  const shape = Math.min(Math.max((1 + Math.sqrt(1 + 2 * variance)) / (2 * variance), MIN_SHAPE), 8);
  return bounded({ shape, days: Math.exp(digamma(shape) - mean) });
}

function digamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 6; at++) shift -= 1 / at;
  const inverse = 1 / (at * at);
  return shift + Math.log(at) - 0.5 / at - inverse * (1 / 12 - inverse * (1 / 120 - inverse / 252));
}
