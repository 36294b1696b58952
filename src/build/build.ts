/**
 * Indexes all finished journal files once, and merges segments where due. indexer.ts does the work. `indexPages` indexes
 * only some pages, for searches in what is new.
 */
import type { Directory, Log } from '../base/mod.ts';
import { IndexWriter, SegmentBuffer } from '../index/mod.ts';
import type { PageRecord } from '../journal/mod.ts';
import { adoptWith, type LinkTables } from './apply-ranks.ts';
import { indexDocumentOf } from './index-document.ts';
import { type BuildReport, Indexer, type IndexerOptions } from './indexer.ts';
import { LexiconGatherer } from './lexicons/mod.ts';
import { writeSegment } from './write-segment.ts';

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

/**
 * Builds an index of a few pages in an empty directory, without ranks and anchor texts. All pages are in memory at once,
 * and no two have the same URL.
 */
export async function indexPages(index: Directory, pages: readonly PageRecord[], log: Log): Promise<void> {
  const writer = new IndexWriter(index, log, { fresh: true });
  try {
    const buffer = new SegmentBuffer();
    for (const page of pages) buffer.add(indexDocumentOf(page));
    const segment = await writeSegment(writer, index, buffer, new LexiconGatherer());
    adoptWith(writer, segment, { ranks: null }, log);
    writer.commit();
  } finally {
    writer.close();
  }
}
