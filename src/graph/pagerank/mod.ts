/**
 * Computes PageRank by power iteration over the tiles of a graph file, in a WebAssembly kernel that several
 * threads run. The result does not depend on the number of threads.
 */

export {
  DEFAULT_TOLERANCE,
  type PageRankOptions,
  type PageRankResult,
  pageRank,
  RankEngine,
} from './pagerank.ts';
export { topNodes } from './top-ranks.ts';
export { backEdgeRanks, hostScores } from './variants.ts';
