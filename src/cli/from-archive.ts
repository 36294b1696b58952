/** `gyre build --from-archive`: the journal made anew from the archive, before the index takes it up. */
import { type RebuildReport, RecordReader, rebuildJournal, WARC_START } from '../archive/mod.ts';
import { type Log, UsageError } from '../base/mod.ts';
import { hasCrawlState, openCrawlState, recordOfVerdict } from '../crawl/mod.ts';
import { loadExtractors } from '../page/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { DataDirectory } from './data-directory.ts';
import { lockCrawl } from './locks.ts';

export interface FromArchiveOptions {
  signal: AbortSignal;
  onProgress(report: RebuildReport): void;
  /** The paths of modules with extractors. */
  extractors: readonly string[];
  /** For reading one page. */
  limitMs: number;
  log: Log;
}

/**
 * Replaces the journal, unless `signal` stops it: then the old one stays. The caller holds the index's
 * lock; the crawl's is taken here, as nobody may write to archive and journal meanwhile.
 */
export async function journalFromArchive(
  data: DataDirectory,
  options: FromArchiveOptions,
): Promise<RebuildReport> {
  const { signal, onProgress, extractors, log } = options;
  if (!hasCrawlState(data.root)) {
    throw new UsageError('no-archive', `${data.root.path} has no archive yet: crawl or import first`);
  }
  const lock = lockCrawl(data.root);
  const reader = new RecordReader(options);
  const state = openCrawlState(data.root);
  try {
    const parse = { extractors: await loadExtractors(extractors) };
    const end = (await state.marks())?.warc ?? WARC_START;
    const knownAs = (url: CanonicalUrl, fetchedAt: number) => {
      const verdict = state.findings.verdictOf(url);
      return verdict && recordOfVerdict(verdict, fetchedAt);
    };
    return await rebuildJournal(data.archive, data.journal, {
      end,
      signal,
      knownAs,
      onProgress,
      parse,
      log,
      read: (record, url) => reader.read(record, url),
    });
  } finally {
    reader.close();
    state.close();
    lock.release();
  }
}
