/** Where the files beside the state stood at the last commit, and the first commit of all. */
import { JOURNAL_START, WARC_START } from '../archive/mod.ts';
import { type Directory, UsageError } from '../base/mod.ts';
import type { CommitMarks, CrawlState } from './crawl-state.ts';

/**
 * The marks of the last commit. If there was none, that nothing is written yet is committed before a file
 * is touched: files that are there already are not ours to cut.
 */
export async function openMarks(state: CrawlState, directories: readonly Directory[]): Promise<CommitMarks> {
  const known = await state.marks();
  if (known) return known;
  for (const directory of directories) {
    if (directory.isEmpty()) continue;
    throw new UsageError(
      'lost-state',
      `${directory.path} holds files of a crawl whose crawl.db is gone: restore it, or name another directory with --data`,
    );
  }
  const marks = { warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 };
  const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 0 };
  await state.commit({ ...nothing, ...marks });
  return marks;
}
