/**
 * The first stage: finds the matching documents of a segment and computes their first-stage scores. Plain
 * queries run in the search kernel, others through iterators.
 */

export {
  evaluate,
  type ListPlace,
  type Match,
} from './evaluate.ts';
export { KernelSearch, type ListsInMemory } from './kernel-search.ts';
export { findNearest, similarityOf } from './nearest.ts';
