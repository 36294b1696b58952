/**
 * Measures the quality of a ranking by relevance judgements, as trec_eval defines it.
 *
 *   nDCG@10      ndcg_cut_10: the sum of grade / log2(rank + 1), divided by the sum for the best possible order
 *   MAP          map: the mean, over all relevant documents, of the precision at the rank of each
 *   MRR          recip_rank: one over the rank of the first relevant document
 *   P@10         P_10: the number of relevant documents among the first ten, divided by ten
 *   recall@100   recall_100: the share of all relevant documents that are among the first hundred
 *   success@1    success_1: 1 if the first document is relevant
 *   success@3    success_3: 1 if one of the first three documents is relevant
 *
 * A document is relevant from grade 1 on; documents without a judgement count as not relevant. Results are
 * sorted by descending score as a 32-bit float; results with equal scores by descending identifier. The rank
 * in a run file is ignored.
 *
 * A query with judgements but without results counts as zero, as with `trec_eval -c`, so that an engine does
 * not gain by returning nothing.
 */

/** The grades of the judged documents of one query. */
export type Judgements = ReadonlyMap<string, number>;
export type Qrels = ReadonlyMap<string, Judgements>;

export interface RunEntry {
  doc: string;
  score: number;
}

export type Run = ReadonlyMap<string, readonly RunEntry[]>;

export const METRICS = ['nDCG@10', 'MAP', 'MRR', 'P@10', 'recall@100', 'success@1', 'success@3'] as const;
export type Metric = (typeof METRICS)[number];
export type Measures = Record<Metric, number>;

/** Returns the measures of each judged query, in the order of `qrels`. */
export function measureRun(qrels: Qrels, run: Run): Map<string, Measures> {
  return new Map([...qrels].map(([query, judged]) => [query, measure(judged, run.get(query) ?? [])]));
}

export function meanOf(measures: Iterable<Measures>): Measures {
  const all = [...measures];
  const mean = (metric: Metric) =>
    all.length === 0 ? 0 : all.reduce((sum, one) => sum + one[metric], 0) / all.length;
  return Object.fromEntries(METRICS.map((metric) => [metric, mean(metric)])) as Measures;
}

export function measure(judged: Judgements, entries: readonly RunEntry[]): Measures {
  const grades = inOrder(entries).map(({ doc }) => Math.max(0, judged.get(doc) ?? 0));
  const ideal = [...judged.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const first = grades.findIndex((grade) => grade > 0);
  const relevantIn = (depth: number) => grades.slice(0, depth).filter((grade) => grade > 0).length;
  const best = discountedGain(ideal, 10);
  return {
    'nDCG@10': best > 0 ? discountedGain(grades, 10) / best : 0,
    MAP: averagePrecision(grades, ideal.length),
    MRR: first < 0 ? 0 : 1 / (first + 1),
    'P@10': relevantIn(10) / 10,
    'recall@100': ideal.length > 0 ? relevantIn(100) / ideal.length : 0,
    'success@1': first === 0 ? 1 : 0,
    'success@3': first >= 0 && first < 3 ? 1 : 0,
  };
}

/**
 * Sorts results as trec_eval does: by descending score, and results with equal scores by descending identifier.
 */
export function inOrder(entries: readonly RunEntry[]): RunEntry[] {
  return [...entries].sort(
    (a, b) => Math.fround(b.score) - Math.fround(a.score) || (a.doc < b.doc ? 1 : a.doc > b.doc ? -1 : 0),
  );
}

function discountedGain(grades: readonly number[], depth: number): number {
  return grades.slice(0, depth).reduce((sum, grade, at) => sum + grade / Math.log2(at + 2), 0);
}

function averagePrecision(grades: readonly number[], relevant: number): number {
  if (relevant === 0) return 0;
  let found = 0;
  let sum = 0;
  for (const [at, grade] of grades.entries()) if (grade > 0) sum += ++found / (at + 1);
  return sum / relevant;
}
