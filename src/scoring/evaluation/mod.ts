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
export { compareValues, type ProfileComparison, SIGNIFICANT } from './significance.ts';
export { formatQrels, formatRun, formatTopics, parseQrels, parseTopics, type Topic } from './trec-format.ts';
export { type TuningQuery, tune } from './tune.ts';
