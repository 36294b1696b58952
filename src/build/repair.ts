/**
 * Restores the documents of damaged segments from the journal.
 *
 * A segment with a wrong checksum cannot be read, so it is unknown which documents it had. Therefore the whole
 * journal is read, from its newest file to its oldest. If the newest record of a URL is in no readable segment,
 * it is indexed again. The manifest is replaced at the end; until then the readable segments are served.
 *
 * If a journal file is damaged or missing too, some documents cannot be restored. The others are indexed, and
 * the damaged segments stay in the manifest, so that every reader skips and reports them.
 *
 * A damaged lexicon needs no journal: it is written again from the stored documents of its segment.
 *
 * The journal is always checked: `--repair` must not report success if the journal is damaged.
 *
 * Memory: one fingerprint per URL of the journal. The caller holds the lock of the index.
 */

import type { CorruptError, Directory, Log } from '../base/mod.ts';
import { IndexWriter, SegmentBuffer, TimeSlice } from '../index/mod.ts';
import { isRead, type JournalRecord, journalFiles, missingFiles, type PageRecord } from '../journal/mod.ts';
import { mayBeFound } from '../page/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { adoptWith, type LinkTables } from './apply-ranks.ts';
import { indexDocumentOf } from './index-document.ts';
import { addMissingLexicons, dropDamagedLexicons, LexiconGatherer } from './lexicons/mod.ts';
import { RecordVersions } from './record-versions.ts';
import { recordsOf } from './records.ts';
import { writeSegment } from './write-segment.ts';

interface RepairOptions extends LinkTables {
  journal: Directory;
  index: Directory;
  log: Log;
  signal?: AbortSignal;
  flushBytes?: number;
  /** Returns true if the operator has removed the URL. */
  isRemoved?(url: CanonicalUrl): boolean;
}

export interface RepairReport {
  /** Names of the damaged segments. They are replaced, unless the journal is damaged too. */
  damaged: string[];
  /** Names of the damaged lexicons. They are written again from the stored documents. */
  lexicons: string[];
  /** Names of journal files that are damaged or missing. */
  lost: string[];
  /** Number of documents that were indexed again. */
  restored: number;
  docCount: number;
}

const DEFAULT_FLUSH_BYTES = 64 * 1024 * 1024;

export async function repairIndex(options: RepairOptions): Promise<RepairReport> {
  const writer = new IndexWriter(options.index, options.log);
  try {
    writer.verify();
    const damaged = [...writer.damaged];
    const lost = new Set<string>();
    checkJournal(writer, options, lost);
    const restored = damaged.length > 0 ? await restore(writer, options, lost) : 0;
    const lexicons = dropDamagedLexicons(writer, options.index);
    await addMissingLexicons(writer, options.index, options.signal);
    writer.commit();
    return { damaged, lexicons, lost: [...lost], restored, docCount: writer.docCount };
  } finally {
    writer.close();
  }
}

async function restore(writer: IndexWriter, options: RepairOptions, lost: Set<string>): Promise<number> {
  const { journal, index, signal, log, flushBytes = DEFAULT_FLUSH_BYTES } = options;
  const buffer = new SegmentBuffer();
  const timeSlice = new TimeSlice(signal);
  let restored = 0;
  const lexicon = new LexiconGatherer();
  const flush = async () => {
    if (buffer.docCount === 0) return;
    restored += buffer.docCount;
    adoptWith(writer, await writeSegment(writer, index, buffer, lexicon, signal), options, log);
  };
  const files = journalFiles(journal).filter((file) => isRead(writer.journal, file));
  const versions = new RecordVersions(index, writer.versions);
  for (const record of newestRecords(journal, files.reverse(), versions)) {
    if (options.isRemoved?.(record.url)) continue;
    if (isWanted(record) && !writer.has(fingerprint(record.url))) buffer.add(indexDocumentOf(record));
    if (buffer.sizeBytes >= flushBytes) await flush();
    if (timeSlice.isDue) await timeSlice.pause();
  }
  await flush();
  if (lost.size === 0) writer.forgetDamaged();
  writer.commit();
  return restored;
}

/** Reads every journal file, and adds the names of damaged or missing files to `lost`. */
function checkJournal(writer: IndexWriter, { journal, log }: RepairOptions, lost: Set<string>): void {
  for (const file of missingFiles(journal, writer.journal)) {
    log.error('journal file missing', { file });
    lost.add(file);
  }
  for (const file of journalFiles(journal)) {
    const onDamage = ({ message }: CorruptError) => {
      log.error('journal file damaged, rest skipped', { file, reason: message });
      lost.add(file);
    };
    recordsOf(journal, file, onDamage).forEach(() => {});
  }
}

/**
 * Yields the newest record of each URL. `files` are journal files, the newest first; each is read twice, to
 * avoid holding it in memory. If two records have the same version, the later one in the file counts.
 * Unreadable records are skipped, because `checkJournal` has already reported them.
 */
function* newestRecords(
  journal: Directory,
  files: readonly string[],
  versions: RecordVersions,
): Generator<JournalRecord> {
  const seen = new Set<bigint>();
  for (const file of files) {
    const lastOf = new Map<bigint, number>();
    let number = 0;
    const records = () => recordsOf(journal, file, () => {});
    for (const { record, version } of records()) {
      const key = fingerprint(record.url);
      if (versions.isNewest(key, version)) lastOf.set(key, number);
      number++;
    }
    number = 0;
    for (const { record } of records()) {
      const key = fingerprint(record.url);
      if (lastOf.get(key) === number++ && !seen.has(key)) yield record;
    }
    for (const key of lastOf.keys()) seen.add(key);
  }
}

function isWanted(record: JournalRecord): record is PageRecord {
  return record.kind === 'page' && mayBeFound(record.page.robots, Date.now());
}
