/**
 * Opens the sketches of a crawl, and rebuilds them from the journal if they are lost or damaged. That is
 * possible because everything in `dedup/near.*` is computed from the text of the pages, which the journal
 * has.
 *
 *   damaged -> crawl.db forgets the entries -> journal, oldest file first -> new entries -> crawl.db knows them
 *
 * A crash during the rebuild leaves `SKETCHES_LOST` in crawl.db, and the next start begins again. The cost is
 * a scan of the whole journal, about the time of `gyre build --rebuild` without its writing, and about 100
 * bytes of memory per page.
 */

import { CorruptError, type Directory, type Log } from '../../base/mod.ts';
import { type JournalRecord, journalFiles, readJournal } from '../../journal/mod.ts';
import { isListed } from '../../page/mod.ts';
import { sketchOfPage } from '../../sketch/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../url/mod.ts';
import { type NearDuplicateOptions, NearDuplicates } from '../duplicates/mod.ts';
import { type CrawlState, SKETCHES_LOST, type SketchEntry } from '../state/mod.ts';

/** The subdirectory of the sketches in the crawl directory. */
export const SKETCHES_DIRECTORY = 'dedup';

export interface SketchesOptions {
  state: CrawlState;
  directory: Directory;
  journal: Directory;
  nearDuplicates?: NearDuplicateOptions | undefined;
  log: Log;
}

/** Opens the sketches. `sketches` is their number at the last commit. */
export async function openSketches(options: SketchesOptions, sketches: number): Promise<NearDuplicates> {
  const { directory, nearDuplicates, log } = options;
  if (sketches === SKETCHES_LOST) return rebuildSketches(options);
  try {
    return new NearDuplicates(directory, sketches, nearDuplicates, warnOnce(log));
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    log.warn('sketches damaged, rebuilt from the journal', { reason: error.message });
    return rebuildSketches(options);
  }
}

/** Replaces all sketches and their entries in crawl.db. Skips damaged journal files with a warning. */
export async function rebuildSketches(options: SketchesOptions): Promise<NearDuplicates> {
  const { state, directory, journal, nearDuplicates, log } = options;
  await state.replaceSketches(new Map(), SKETCHES_LOST);
  const near = new NearDuplicates(directory, 0, nearDuplicates, warnOnce(log));
  const entries = new Map<bigint, SketchEntry>();
  for (const file of journalFiles(journal)) {
    try {
      for (const record of readJournal(journal, file)) addRecord(record, near, entries);
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      log.warn('journal file damaged, sketches of its pages skipped', { file, reason: error.message });
    }
    // Flush after each journal file, to free the memory of the added entries.
    await near.flush();
  }
  await state.replaceSketches(entries, await near.flush());
  return near;
}

/**
 * Adds the sketch of a journal record. A later record of the same URL replaces an earlier one, as it did in the
 * crawl that wrote the records.
 */
function addRecord(record: JournalRecord, near: NearDuplicates, entries: Map<bigint, SketchEntry>): void {
  const key = fingerprint(record.url);
  const before = entries.get(key);
  if (before?.isOwn) near.retire(before.entry);
  entries.delete(key);
  if (record.kind === 'page' && isListed(record.page)) {
    const entry = near.add(key, sketchOfPage(record.page));
    if (entry !== null) entries.set(key, { entry, isOwn: true });
  } else if (record.kind === 'alias' && isCopy(record.reason)) {
    const shared = entries.get(fingerprint(record.of as CanonicalUrl));
    if (shared) entries.set(key, { entry: shared.entry, isOwn: false });
  }
}

function isCopy(reason: string): boolean {
  return reason === 'duplicate' || reason === 'near-duplicate';
}

/** Returns an error handler that logs only the first damaged sketch. */
function warnOnce(log: Log): (error: CorruptError) => void {
  let isTold = false;
  return (error) => {
    if (!isTold) log.warn('sketch damaged', { reason: error.message, advice: 'run gyre doctor --repair' });
    isTold = true;
  };
}
