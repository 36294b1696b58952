/** Brings the index up to the journal once, merges included; see indexer.ts. */
import type { LinkTables } from './apply-ranks.ts';
import { type BuildReport, Indexer, type IndexerOptions } from './indexer.ts';

/** What links tell is for the documents of new segments; the others keep what they have. */
export interface BuildOptions extends IndexerOptions, LinkTables {}

export async function buildIndex(options: BuildOptions): Promise<BuildReport> {
  const indexer = new Indexer(options);
  try {
    await indexer.catchUp(options);
    await indexer.settle();
    return indexer.report;
  } finally {
    await indexer.close();
  }
}
