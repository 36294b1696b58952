/** archive: what was fetched, kept for ever (WARC), and what it said, for the stages that follow (journal). */
export type { AliasRecord, GoneRecord, JournalRecord, PageRecord } from './journal-format.ts';
export { journalFiles, readJournal } from './journal-reader.ts';
export { JOURNAL_START, type JournalMark, JournalWriter, journalName } from './journal-writer.ts';
