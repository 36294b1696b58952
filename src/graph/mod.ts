/**
 * graph: the link graph, anchor texts, PageRank of pages and hosts, and signals of link farms. Its only input
 * is the journal.
 */

export { type AnchorTable, type LinkedText, openAnchors } from './anchors/mod.ts';
export { checkGraph } from './check-graph.ts';
export { type HostTable, openHosts } from './hosts/mod.ts';
export { type LinkTable, openLinks, type RankedUrl } from './links-reader.ts';
export {
  FIRST_PHASE,
  type FinishedTask,
  fetchRankedParts,
  type NextTask,
  openRankedParts,
  type RankBoard,
  type RankJob,
  type RankTaskResult,
  type RankWorkerOptions,
  type TakenTask,
  taskCountOf,
  workOnRanks,
} from './parts/mod.ts';
export { type RankOptions, type RankProgress, type RankReport, rankPages } from './rank-pages.ts';
export { isRankingDue } from './ranking-due.ts';
export {
  exportRanks,
  RANK_VARIANTS,
  type RankedName,
  type RankVariant,
  topByVariant,
  topPages,
} from './ranks-export.ts';
export { newestRanks, openRanks, type RankTable } from './ranks-reader.ts';
export { rankedUpTo } from './runs/mod.ts';
