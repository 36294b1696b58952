/**
 * Relevance measures (nDCG, MAP, MRR), significance tests, TREC files, and fitting of weights to judged
 * queries.
 */

export {
  METRICS,
  type Measures,
  meanOf,
  measureRun,
  type Qrels,
  type Run,
  type RunEntry,
} from './metrics.ts';
export { compareValues } from './significance.ts';
export { formatRun, parseQrels, parseTopics, type Topic } from './trec-format.ts';
export { type TuningQuery, tune } from './tune.ts';
