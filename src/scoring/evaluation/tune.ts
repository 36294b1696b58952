/**
 * Fits the weights of a linear profile to judgements by coordinate ascent: each weight in turn is tried
 * larger, smaller and zero, and the best value is kept, until no change helps.
 *
 * The measure is the mean of nDCG@10 and MAP: nDCG@10 covers the first page of results, MAP the whole list.
 * Cross-validation measures the gain on queries that were not used for fitting: the queries are divided into
 * folds, and each fold is evaluated with weights that were fitted to the other folds.
 *
 * Features are computed once, with the starting profile. Therefore the parameters of features (k1, fields,
 * feedback) are not fitted, and the candidates that have all features (close candidates) stay ahead of the
 * others.
 */
import { type Judgements, measure } from './metrics.ts';
import { compareValues, type ProfileComparison, SIGNIFICANT } from './significance.ts';

export interface TuningQuery {
  judged: Judgements;
  /** The candidates of the query in the order of the starting profile. */
  candidates: readonly { doc: string; features: readonly number[] }[];
}

export type Weights = readonly number[];

interface TuningOptions {
  /** The index of the feature whose weight stays fixed. All other weights are relative to it. */
  fixed: number;
  /** The number of close candidates: the candidates that are scored with all features. */
  close: number;
  folds: number;
}

interface Tuning {
  weights: Weights;
  /** The gain by cross-validation: measured on queries to which the weights were not fitted. */
  held: ProfileComparison;
  /** True if `held` is a significant loss, which means that the weights are overfitted. */
  isWorse: boolean;
  /** The mean of the measure over all queries, before and after fitting. */
  before: number;
  after: number;
}

const FACTORS = [0, 0.5, 0.8, 1.25, 2];
/** The values to try for a weight that is 0. */
const FIRST_TRIES = [0.05, 0.2, 0.5];
const MAX_ROUNDS = 6;
/** The minimum gain for which a weight is changed. */
const LEAST_GAIN = 1e-4;

export function tune(queries: readonly TuningQuery[], start: Weights, options: TuningOptions): Tuning {
  const before: number[] = [];
  const after: number[] = [];
  for (let fold = 0; fold < options.folds; fold++) {
    const held = queries.filter((_, at) => at % options.folds === fold);
    const rest = queries.filter((_, at) => at % options.folds !== fold);
    const fitted = fit(rest, start, options);
    before.push(...held.map((query) => quality(query, start, options.close)));
    after.push(...held.map((query) => quality(query, fitted, options.close)));
  }
  const weights = fit(queries, start, options);
  const held = compareValues(before, after);
  return {
    weights,
    held,
    isWorse: held.difference < 0 && held.p < SIGNIFICANT,
    before: meanQuality(queries, start, options.close),
    after: meanQuality(queries, weights, options.close),
  };
}

export function fit(queries: readonly TuningQuery[], start: Weights, options: TuningOptions): Weights {
  let best = start;
  let bestQuality = meanQuality(queries, best, options.close);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = bestQuality;
    for (let at = 0; at < start.length; at++) {
      if (at === options.fixed || isConstant(queries, at)) continue;
      for (const value of triesFor(best[at]!)) {
        const tried = best.with(at, value);
        const triedQuality = meanQuality(queries, tried, options.close);
        if (triedQuality < bestQuality + LEAST_GAIN) continue;
        best = tried;
        bestQuality = triedQuality;
      }
    }
    if (bestQuality === before) break;
  }
  return best;
}

function triesFor(weight: number): number[] {
  return weight === 0 ? FIRST_TRIES : FACTORS.map((factor) => factor * weight);
}

/**
 * Returns true if a feature has the same value for all candidates of each query. Its weight cannot be fitted
 * and is not changed.
 */
function isConstant(queries: readonly TuningQuery[], at: number): boolean {
  const first = queries[0]?.candidates[0]?.features[at];
  return queries.every(({ candidates }) => candidates.every(({ features }) => features[at] === first));
}

function meanQuality(queries: readonly TuningQuery[], weights: Weights, close: number): number {
  const sum = queries.reduce((total, query) => total + quality(query, weights, close), 0);
  return queries.length > 0 ? sum / queries.length : 0;
}

function quality({ judged, candidates }: TuningQuery, weights: Weights, close: number): number {
  const scores = candidates.map(({ features }) =>
    features.reduce((sum, value, at) => sum + value * weights[at]!, 0),
  );
  const order = [...candidates.keys()].sort(
    (a, b) => Number(a >= close) - Number(b >= close) || scores[b]! - scores[a]! || a - b,
  );
  const entries = order.map((at, place) => ({ doc: candidates[at]!.doc, score: order.length - place }));
  const measures = measure(judged, entries);
  return (measures['nDCG@10'] + measures.MAP) / 2;
}
