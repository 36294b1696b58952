/** Indexes all finished journal files once, including merges; see indexer.ts. */
import type { LinkTables } from './apply-ranks.ts';
import { type BuildReport, Indexer, type IndexerOptions } from './indexer.ts';

/**
 * The link tables apply to the documents of new segments; other documents keep their ranks and anchor texts.
 */
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
