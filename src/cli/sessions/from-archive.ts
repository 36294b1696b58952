/** `gyre build --from-archive`: rebuilds the journal from the archive, before the index reads it. */

import { RecordReader, WARC_START } from '../../archive/mod.ts';
import { type Log, UsageError } from '../../base/mod.ts';
import { hasCrawlState, openCrawlState, recordOfVerdict } from '../../crawl/mod.ts';
import { type RebuildReport, rebuildJournal } from '../../import/mod.ts';
import { loadExtractors, type ReadingPlan } from '../../page/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { lockCrawl } from '../locks.ts';
import { readRemovals, removedBy } from '../removals/mod.ts';

interface FromArchiveOptions {
  signal: AbortSignal;
  onProgress(report: RebuildReport): void;
  reading: ReadingPlan;
  /** Time limit for parsing one page, in milliseconds. */
  limitMs: number;
  log: Log;
  /** True if the caller already holds the crawl lock. */
  isLocked?: boolean;
}

/**
 * Rebuilds the journal from the archive and replaces the old one; if `signal` aborts, the old journal stays. The
 * caller holds the index lock. The crawl lock is taken here unless `isLocked`, because no other process may write to
 * archive and journal meanwhile.
 */
export async function journalFromArchive(
  data: DataDirectory,
  options: FromArchiveOptions,
): Promise<RebuildReport> {
  const { signal, onProgress, reading, log } = options;
  if (!hasCrawlState(data.root)) {
    throw new UsageError(
      'no-archive',
      `${data.root.path} has no archive: run gyre crawl or gyre import first`,
    );
  }
  const lock = options.isLocked ? null : lockCrawl(data.root);
  const reader = new RecordReader(options);
  const state = openCrawlState(data.root);
  try {
    const parse = { extractors: await loadExtractors(reading.extractors) };
    const end = (await state.marks())?.warc ?? WARC_START;
    const removed = removedBy(readRemovals(data.root));
    const knownAs = async (url: CanonicalUrl, fetchedAt: number) => {
      const verdict = await state.verdictOf(url);
      // Crawls of earlier versions recorded near duplicates as aliases. Near duplicates are documents now, so these
      // records are skipped.
      return verdict && verdict.kind !== 'near-duplicate' ? recordOfVerdict(verdict, fetchedAt) : null;
    };
    return await rebuildJournal(data.archive, data.journal, {
      end,
      signal,
      knownAs,
      isRemoved: (url) => removed.matches(url),
      onProgress,
      parse,
      log,
      read: (record, url) => reader.read(record, url),
    });
  } finally {
    reader.close();
    state.close();
    lock?.release();
  }
}
