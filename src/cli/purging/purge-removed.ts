/**
 * Deletes every byte of purged pages from the data directory: captures, journal records, lines of the crawl log,
 * free pages of the database, sketches, links and anchor texts. The index was purged before.
 *
 * The URLs of the pages stay: in the list of removals, in the audit log, in `crawl.db`, and in the links
 * of other pages.
 */
import { purgeArchive } from '../../archive/mod.ts';
import type { Directory, Log } from '../../base/mod.ts';
import { openCrawlState, purgeRemovals, rebuildSketches, SKETCHES_DIRECTORY } from '../../crawl/mod.ts';
import { newestRanks } from '../../graph/mod.ts';
import { purgeJournal } from '../../journal/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import type { RemovedUrls } from '../removals/mod.ts';
import { nearDuplicatesOf } from '../sessions/crawl-session.ts';
import { rankOnce } from '../sessions/index-session.ts';
import type { Config } from '../settings/mod.ts';

const CRAWL_LOGS = ['crawl.log', 'crawl.log.1'];

interface PurgeCounts {
  archiveRecords: number;
  journalRecords: number;
  logLines: number;
}

/**
 * Deletes the data of purged pages. The caller has finished the archive and journal files that were growing.
 * Returns how many items of each kind were deleted.
 */
export async function purgeRemoved(
  data: DataDirectory,
  purged: RemovedUrls,
  { config, log }: { config: Config; log: Log },
): Promise<PurgeCounts & Record<string, number>> {
  const isPurged = (text: string) => {
    const url = text === '' ? null : canonicalize(text);
    return url !== null && purged.matches(url);
  };
  const { records: archiveRecords } = await purgeArchive(data.archive, isPurged);
  const { records: journalRecords } = await purgeJournal(data.journal, (url) => purged.matches(url));
  const logLines = CRAWL_LOGS.reduce((sum, name) => sum + purgeLog(data.root, name, isPurged), 0);
  await sketchAgain(data, config, log);
  purgeRemovals(data.root, purged);
  if (newestRanks(data.graph) > 0) rankOnce(data, log, { afresh: true });
  return { archiveRecords, journalRecords, logLines };
}

/** Deletes the lines of purged URLs from a crawl log; returns their number. */
function purgeLog(root: Directory, name: string, isPurged: (url: string) => boolean): number {
  if (!root.has(name)) return 0;
  const lines = root.read(name).toString().split('\n');
  const kept = lines.filter((line) => !isPurged(urlOfLine(line)));
  if (kept.length < lines.length) root.replace(name, Buffer.from(kept.join('\n')));
  return lines.length - kept.length;
}

/** Returns the URL in a line of the crawl log; the empty string if the line was truncated by a crash. */
function urlOfLine(line: string): string {
  return /"url":"([^"]*)"/.exec(line)?.[1] ?? '';
}

/**
 * Replaces all sketches. Sketches are made from the texts of pages, so they are made again from the remaining
 * journal.
 */
async function sketchAgain({ root, journal }: DataDirectory, config: Config, log: Log): Promise<void> {
  const state = openCrawlState(root);
  try {
    const directory = root.directory(SKETCHES_DIRECTORY);
    const nearDuplicates = nearDuplicatesOf(config);
    (await rebuildSketches({ state, directory, journal, nearDuplicates, log })).close();
  } finally {
    state.close();
  }
}
