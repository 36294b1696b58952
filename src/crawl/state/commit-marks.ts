/** Reads and parses the marks of the last commit, or makes the first commit. */

import { WARC_START } from '../../archive/mod.ts';
import { type Directory, parseSealedJson, UsageError } from '../../base/mod.ts';
import { JOURNAL_START } from '../../journal/mod.ts';
import type { CommitMarks, CrawlState } from './crawl-state.ts';

/**
 * Returns the marks of the last commit. If there was none, commits empty marks before any file is written.
 * Refuses directories that already contain files: they belong to another crawl and must not be truncated.
 */
export async function openMarks(state: CrawlState, directories: readonly Directory[]): Promise<CommitMarks> {
  const known = await state.marks();
  if (known) return known;
  for (const directory of directories) {
    if (directory.isEmpty()) continue;
    throw new UsageError(
      'lost-state',
      `${directory.path} has files of a crawl but no crawl.db: restore it, or choose another directory with --data`,
    );
  }
  const marks = { warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 };
  const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 0 };
  await state.commit({ ...nothing, ...marks });
  return marks;
}

const MARK_KEYS = ['warc', 'journal', 'seenBytes', 'seenCheck', 'sketches'];

/**
 * Parses stored marks and verifies their checksum, because archive and journal are truncated to these lengths.
 * `file` and `advice` are parts of the error message.
 */
export function parseMarks(json: string, file: string, advice: string): CommitMarks {
  return parseSealedJson(Buffer.from(json), { file, keys: MARK_KEYS, advice }) as unknown as CommitMarks;
}
