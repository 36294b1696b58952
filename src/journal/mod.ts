/**
 * journal: every parsed page in the order of capture, with aliases and removals. The crawl and imports append;
 * graph and build read finished files. The journal can be rebuilt from the archive.
 */

export { findJournalDamage } from './check-journal.ts';
export type { AliasRecord, GoneRecord, JournalRecord, PageRecord } from './journal-format.ts';
export {
  beginGeneration,
  completeGeneration,
  firstFile,
  firstHidden,
  journalName,
  missingFiles,
  resetDamagedGeneration,
} from './journal-generation.ts';
export { journalFiles, readJournal } from './journal-reader.ts';
export {
  encodeFrames,
  encodePieces,
  encodeRecord,
  JOURNAL_START,
  type JournalFrame,
  type JournalMark,
  JournalWriter,
} from './journal-writer.ts';
