/** Opens the files of a crawl: archive, journal, crawl log, seen set and sketches. */
import { CorruptError } from '../base/mod.ts';
import { CrawlLog } from './crawl-log.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { NearDuplicates } from './duplicates/mod.ts';
import { SeenLog, type SeenMark, SeenSet } from './frontier/mod.ts';
import { openSketches, SKETCHES_DIRECTORY } from './identity/mod.ts';
import { PolitenessLedger } from './politeness-ledger.ts';
import {
  type CaptureMark,
  type CaptureStore,
  type CommitMarks,
  fingerprintPages,
  openCaptureStore,
} from './state/mod.ts';

const CRAWL_LOG_BYTES = 64 * 1024 * 1024;

/** Open files of a crawl other than `crawl.db`. Each is truncated to its length at the last commit. */
interface CrawlFiles {
  captures: CaptureStore;
  seen: SeenSet;
  seenLog: SeenLog;
  near: NearDuplicates;
  crawlLog: CrawlLog;
  ledger: PolitenessLedger;
}

export async function openFiles(options: CrawlOptions, marks: CommitMarks): Promise<CrawlFiles> {
  const { archive, warcBytes: rotateBytes, warcCompression: compression, software, clock } = options;
  const openLocal = async (mark: CaptureMark) =>
    openCaptureStore({ archive, journal: options.journal, rotateBytes, software, clock, compression }, mark);
  const { state, directory, log, nearDuplicates, openCaptures = openLocal } = options;
  const captures = await openCaptures(marks);
  const { seen, seenLog } = await openSeen(options, marks);
  const crawlLog = new CrawlLog(directory, CRAWL_LOG_BYTES);
  const ledger = new PolitenessLedger(directory, clock);
  const sketches = directory.directory(SKETCHES_DIRECTORY);
  const near = await openSketches(
    { state, directory: sketches, journal: options.journal, nearDuplicates, log },
    marks.sketches,
  );
  return { captures, seen, seenLog, near, crawlLog, ledger };
}

async function openSeen(options: CrawlOptions, mark: SeenMark): Promise<{ seen: SeenSet; seenLog: SeenLog }> {
  const { directory, state, log, memory } = options;
  const seen = new SeenSet(memory.seenBytes);
  try {
    return { seen, seenLog: await SeenLog.open(directory, mark, seen) };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    log.warn('seen.log damaged, rebuilt from crawl.db', { reason: error.message });
    const remade = new SeenSet(memory.seenBytes);
    return { seen: remade, seenLog: await SeenLog.rebuild(directory, fingerprintPages(state), remade) };
  }
}
