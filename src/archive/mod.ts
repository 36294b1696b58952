/** archive: what was fetched, kept for ever (WARC), and what it said, for the stages that follow (journal). */
export type { AliasRecord, GoneRecord, JournalRecord, PageRecord } from './journal-format.ts';
export { journalFiles, readJournal } from './journal-reader.ts';
export { JOURNAL_START, type JournalMark, JournalWriter, journalName } from './journal-writer.ts';
export type { Capture } from './warc-format.ts';
export { WARC_START, type WarcMark, WarcWriter, warcName } from './warc-writer.ts';
