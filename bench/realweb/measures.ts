/**
 * Computes measures of ranked results for queries with graded pages.
 *
 *   success@k      1 if one of the first k results has grade 2 or 3
 *   acceptable@1   1 if the first result has grade 1, 2 or 3
 *   MRR@10         1 / rank of the first result of grade 2 or 3, 0 if it is not among ten
 *   nDCG@10        Σ (2^grade − 1) / log2(rank + 1), divided by the sum of the best possible order
 */
import { mean } from '../statistics.ts';
import { type JudgedQuery, pageKey } from './judged-queries.ts';

export const MEASURES = ['success@1', 'success@3', 'acceptable@1', 'MRR@10', 'nDCG@10'] as const;
export type Measures = Record<(typeof MEASURES)[number], number>;

/** The mean measures over the queries of one kind, or of all kinds. */
export type KindMeasures = { kind: string; queries: number } & Measures;

const DEPTH = 10;
const GOOD_GRADE = 2;

/** Returns the measures of one query. `urls` are its results, best first. */
export function measureResults({ grades }: JudgedQuery, urls: readonly string[]): Measures {
  const found = urls.slice(0, DEPTH).map((url) => grades.get(pageKey(url)) ?? 0);
  const firstGood = found.findIndex((grade) => grade >= GOOD_GRADE);
  const ideal = discountedGain([...grades.values()].sort((a, b) => b - a).slice(0, DEPTH));
  return {
    'success@1': firstGood === 0 ? 1 : 0,
    'success@3': firstGood >= 0 && firstGood < 3 ? 1 : 0,
    'acceptable@1': (found[0] ?? 0) > 0 ? 1 : 0,
    'MRR@10': firstGood >= 0 ? 1 / (firstGood + 1) : 0,
    'nDCG@10': ideal > 0 ? discountedGain(found) / ideal : 0,
  };
}

function discountedGain(grades: readonly number[]): number {
  return grades.reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

/**
 * Returns the means of each kind of query, in order of first appearance, then the means of all queries as kind `all`.
 */
export function meansByKind(
  queries: readonly JudgedQuery[],
  runs: readonly (readonly string[])[],
): KindMeasures[] {
  const measured = queries.map((query, at) => ({
    kind: query.kind,
    measures: measureResults(query, runs[at]!),
  }));
  const kinds = [...new Set(queries.map(({ kind }) => kind))];
  return [...kinds, 'all'].map((kind) => {
    const chosen = measured.filter((one) => kind === 'all' || one.kind === kind);
    const means = MEASURES.map((name) => [name, mean(chosen.map(({ measures }) => measures[name]))]);
    return { kind, queries: chosen.length, ...(Object.fromEntries(means) as Measures) };
  });
}
