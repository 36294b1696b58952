/**
 * The first stage of a search: finds the matching documents of a segment and computes their first-stage scores.
 * Plain queries run in the search kernel, all others use iterators over postings lists.
 */

export {
  evaluate,
  type ListPlace,
  type Match,
} from './evaluate.ts';
export { KernelSearch, type ListsInMemory } from './kernel-search.ts';
export { findNearest, similarityOf } from './nearest.ts';
export { findTitled } from './titled.ts';
