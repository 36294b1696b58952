/** Copies `crawl.db` of a running crawl, as of one commit. */
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import type { Directory } from '../../../base/mod.ts';
import type { CommitMarks } from '../crawl-state.ts';
import { STATE_FILE } from './sqlite-schema.ts';
import { openCrawlState } from './sqlite-state.ts';

/** A number of pages that no database has, so that all pages are copied in one step. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies the database into a directory without one, and returns the marks of the commit that the copy has. It is one
 * step of SQLite's backup, because a step after a commit of the crawl would begin again.
 */
export async function copyCrawlState(from: Directory, to: Directory): Promise<CommitMarks | null> {
  const database = new DatabaseSync(join(from.path, STATE_FILE), { readOnly: true, timeout: 5000 });
  try {
    await backup(database, join(to.path, STATE_FILE), { rate: ALL_PAGES });
  } finally {
    database.close();
  }
  const copy = openCrawlState(to);
  try {
    return await copy.marks();
  } finally {
    copy.close();
  }
}
