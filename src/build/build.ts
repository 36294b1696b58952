/** Brings the index up to the journal once, merges included; see indexer.ts. */
import type { RankTable } from '../graph/mod.ts';
import { type BuildReport, Indexer, type IndexerOptions } from './indexer.ts';

export interface BuildOptions extends IndexerOptions {
  /** For the documents of new segments; the others keep the ranks they have. */
  ranks: RankTable | null;
}

export async function buildIndex({ ranks, ...options }: BuildOptions): Promise<BuildReport> {
  const indexer = new Indexer(options);
  try {
    await indexer.catchUp(ranks);
    await indexer.settle();
    return indexer.report;
  } finally {
    await indexer.close();
  }
}
