/** graph: who links to whom, and how much that makes each page worth. */
export { type RankOptions, type RankReport, rankPages } from './rank-pages.ts';
export { openRanks, type RankTable } from './ranks-reader.ts';
export type { RankedUrl } from './ranks-writer.ts';
