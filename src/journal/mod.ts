/**
 * journal: every parsed page in the order of capture, with aliases and removals. The crawl and imports
 * append; graph and build read finished files. There may be several writers. If two records have the same
 * URL, their versions decide which one counts. The journal can be rebuilt from the archive.
 */

export { findJournalDamage } from './check-journal.ts';
export { cursorAfter, cursorAt, positionOfCursor } from './journal-cursor.ts';
export {
  type AliasRecord,
  compareVersions,
  type GoneRecord,
  type JournalRecord,
  MAIN_WRITER,
  type PageRecord,
  type RecordVersion,
} from './journal-format.ts';
export {
  advance,
  beginGeneration,
  completeGeneration,
  firstFile,
  firstHidden,
  isRead,
  type JournalPosition,
  journalName,
  missingFiles,
  parseJournalName,
  resetDamagedGeneration,
} from './journal-generation.ts';
export { purgeJournal } from './purge-journal.ts';
export {
  journalFiles,
  readFrames,
  readJournal,
  readVersions,
  type VersionedRecord,
} from './journal-reader.ts';
export {
  encodeFrames,
  encodeJournalFile,
  encodePieces,
  encodeRecord,
  JOURNAL_START,
  type JournalFrame,
  type JournalMark,
  JournalWriter,
} from './journal-writer.ts';
export { newestRecords } from './newest-records.ts';
