/** Indexes all finished journal files once, and merges segments where due. indexer.ts does the work. */
import type { LinkTables } from './apply-ranks.ts';
import { type BuildReport, Indexer, type IndexerOptions } from './indexer.ts';

/**
 * The options of a build. The link tables are used only for the documents that this build indexes; older
 * documents keep their ranks and anchor texts.
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
