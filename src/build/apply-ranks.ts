/** New ranks for documents that are indexed already. */
import { type Directory, type Log, silentLog } from '../base/mod.ts';
import type { RankTable } from '../graph/mod.ts';
import { IndexWriter, type RelativeRank } from '../index/mod.ts';

/**
 * Writes a rank for every document beside its segment and swaps the manifest; no postings are rebuilt.
 * The caller holds the lock of the index.
 */
export function applyRanks(index: Directory, ranks: RankTable, log: Log = silentLog): void {
  const writer = new IndexWriter(index, log);
  try {
    writer.setRanks(relativeTo(ranks));
    writer.commit(writer.journal);
    log.info('ranks applied', {
      ranks: ranks.generation,
      docs: writer.docCount,
      generation: writer.generation,
    });
  } finally {
    writer.close();
  }
}

/** Ranks sum to 1 over the graph: times the count of pages, an average page has 1, however large the graph. */
export function relativeTo(ranks: RankTable): RelativeRank {
  return (fingerprint) => ranks.rankOf(fingerprint) * ranks.count;
}
