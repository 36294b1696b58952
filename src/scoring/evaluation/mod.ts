/**
 * Measures the relevance of rankings (nDCG, MAP, MRR), tests significance, reads TREC files, and fits weights
 * to judged queries.
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
