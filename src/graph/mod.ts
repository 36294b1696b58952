/** graph: who links to whom, in which words, and how much that makes each page worth. */
export type { AnchorText } from './anchors-format.ts';
export { type AnchorTable, openAnchors } from './anchors-reader.ts';
export type { HostSignals } from './host-signals.ts';
export { type HostTable, openHosts } from './hosts-file.ts';
export { type LinkTable, openLinks, type RankedUrl } from './links-reader.ts';
export { type PageRankOptions, type PageRankResult, pageRank, RankEngine } from './pagerank.ts';
export { type RankOptions, type RankReport, rankPages } from './rank-pages.ts';
export {
  exportRanks,
  RANK_VARIANTS,
  type RankedName,
  type RankVariant,
  topByVariant,
  topPages,
} from './ranks-export.ts';
export { newestRanks, openRanks, type RankTable } from './ranks-reader.ts';
export { GraphFile } from './tiles-reader.ts';
export { GraphBuilder, type GraphBuilderOptions } from './tiles-writer.ts';
