/** Opens the files of a crawl: archive, journal, crawl log, seen set and sketches. */
import { WarcWriter } from '../archive/mod.ts';
import { CorruptError } from '../base/mod.ts';
import { JournalWriter } from '../journal/mod.ts';
import { CrawlLog } from './crawl-log.ts';
import type { CrawlOptions } from './crawl-options.ts';
import type { NearDuplicates } from './duplicates/mod.ts';
import { SeenLog, type SeenMark, SeenSet } from './frontier/mod.ts';
import { openSketches, SKETCHES_DIRECTORY } from './identity/mod.ts';
import type { CommitMarks } from './state/mod.ts';

const CRAWL_LOG_BYTES = 64 * 1024 * 1024;

/** The files next to the state, each cut to its length at the last commit. */
interface CrawlFiles {
  warc: WarcWriter;
  journal: JournalWriter;
  seen: SeenSet;
  seenLog: SeenLog;
  near: NearDuplicates;
  crawlLog: CrawlLog;
}

export async function openFiles(options: CrawlOptions, marks: CommitMarks): Promise<CrawlFiles> {
  const { state, directory, log, nearDuplicates, clock, software } = options;
  const warc = new WarcWriter({
    directory: options.archive,
    mark: marks.warc,
    rotateBytes: options.warcBytes,
    software,
    clock,
    compression: options.warcCompression,
  });
  const journal = new JournalWriter(options.journal, marks.journal);
  const { seen, seenLog } = openSeen(options, marks);
  const crawlLog = new CrawlLog(directory, CRAWL_LOG_BYTES);
  const sketches = directory.directory(SKETCHES_DIRECTORY);
  const near = await openSketches(
    { state, directory: sketches, journal: options.journal, nearDuplicates, log },
    marks.sketches,
  );
  return { warc, journal, seen, seenLog, near, crawlLog };
}

function openSeen(options: CrawlOptions, mark: SeenMark): { seen: SeenSet; seenLog: SeenLog } {
  const { directory, state, log } = options;
  const seen = new SeenSet();
  try {
    return { seen, seenLog: SeenLog.open(directory, mark, seen) };
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    log.warn('seen.log damaged, rebuilt from crawl.db', { reason: error.message });
    const remade = new SeenSet();
    return { seen: remade, seenLog: SeenLog.rebuild(directory, state.fingerprints(), remade) };
  }
}
