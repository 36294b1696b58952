/**
 * Relevance measures (nDCG, MAP, MRR), significance tests, TREC files, and fitting of weights to judged
 * queries.
 */

export {
  METRICS,
  type Measures,
  type Metric,
  meanOf,
  measureRun,
  type Qrels,
  type Run,
  type RunEntry,
} from './metrics.ts';
export { compareValues } from './significance.ts';
export { formatRun, parseQrels, parseTopics, type Topic } from './trec-format.ts';
export { fit, type TuningQuery, tune, type Weights } from './tune.ts';
