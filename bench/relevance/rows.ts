/** Renders the results of bench:relevance as rows of a table, and as ratios to the baseline. */

import type { Metric } from '../../src/scoring/evaluation/metrics.ts';
import { compareValues, METRICS, type Measures, meanOf } from '../../src/scoring/mod.ts';
import type { BenchRow } from '../report.ts';
import type { ProfileMeasures } from './measure.ts';

export const YARDSTICK = 'bm25';

export function rowsOf(measures: readonly ProfileMeasures[]): BenchRow[] {
  const rows = measures.map((one) => rowOf(`${one.collection}: ${one.profile}`, one.mean));
  return [
    ...rows,
    ...profilesOf(measures).map((profile) => rowOf(`mean: ${profile}`, meanOver(measures, profile))),
  ];
}

/**
 * Returns the mean measures over the collections. Each collection has the same weight, regardless of its
 * number of queries.
 */
export function meanOver(measures: readonly ProfileMeasures[], profile: string): Measures {
  return meanOf(measures.filter((one) => one.profile === profile).map(({ mean }) => mean));
}

export function profilesOf(measures: readonly ProfileMeasures[]): string[] {
  return [...new Set(measures.map(({ profile }) => profile))];
}

/**
 * Returns the ratios of `default` to the baseline in nDCG@10 and MAP: the lowest ratio over the collections, and the
 * ratio of the means over all collections. Also returns the p-values over all queries.
 */
export function ratiosOf(measures: readonly ProfileMeasures[]): Record<string, number> {
  const own = measures.filter(({ profile }) => profile === 'default');
  const ratio = (a: Measures, b: Measures, metric: Metric) => a[metric] / b[metric];
  const yardstickOf = ({ collection }: ProfileMeasures) =>
    measures.find((one) => one.collection === collection && one.profile === YARDSTICK)!;
  const least = (metric: Metric) =>
    Math.min(...own.map((one) => ratio(one.mean, yardstickOf(one).mean, metric)));
  const mean = (metric: Metric) =>
    ratio(meanOver(measures, 'default'), meanOver(measures, YARDSTICK), metric);
  return {
    ndcgMean: mean('nDCG@10'),
    ndcgLeast: least('nDCG@10'),
    mapMean: mean('MAP'),
    mapLeast: least('MAP'),
    ndcgP: significance(measures, 'default', 'nDCG@10'),
    mapP: significance(measures, 'default', 'MAP'),
  };
}

/**
 * Returns the p-value of the difference between a profile and the baseline, over the queries of all
 * collections.
 */
export function significance(measures: readonly ProfileMeasures[], profile: string, metric: Metric): number {
  const values = (name: string) =>
    measures
      .filter((one) => one.profile === name)
      .flatMap(({ queries }) => queries.map((one) => one[metric]));
  return compareValues(values(YARDSTICK), values(profile)).p;
}

function rowOf(name: string, mean: Measures): BenchRow {
  return { name, ...Object.fromEntries(METRICS.map((metric) => [metric, mean[metric].toFixed(4)])) };
}
