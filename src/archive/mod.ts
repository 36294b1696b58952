/**
 * archive: what was fetched, kept for ever (WARC, found by CDXJ), and what it said, for the stages that
 * follow (journal). The archive can be taken out, taken in, and read again into a new journal.
 */
export { exportCdx, exportWacz, exportWarc, type WaczPage } from './archive-export.ts';
export { ArchiveReader } from './archive-reader.ts';
export {
  archivedRecord,
  findOriginal,
  type Meaning,
  mayHaveMeaning,
  meaningOf,
  standingOf,
} from './archived-page.ts';
export { type CdxEntry, cdxTimestamp } from './cdx-format.ts';
export { type Decoded, decodeBody } from './content-coding.ts';
export {
  DOCUMENT_TYPE,
  documentDigest,
  documentIdOf,
  encodeDocument,
  MAX_DOCUMENT_BYTES,
  type ParsedDocument,
  pageOfDocument,
  parseDocument,
  type TextDocument,
} from './document-record.ts';
export { archivableOf, isCapture } from './foreign-record.ts';
export { type HttpMessage, headerOf } from './http-message.ts';
export type { AliasRecord, GoneRecord, JournalRecord, PageRecord } from './journal-format.ts';
export { firstFile, journalName, missingFiles } from './journal-generation.ts';
export { journalFiles, readJournal } from './journal-reader.ts';
export {
  encodeFrames,
  encodePage,
  encodeRecord,
  JOURNAL_START,
  type JournalFrame,
  type JournalMark,
  JournalWriter,
} from './journal-writer.ts';
export { type RebuildOptions, type RebuildReport, rebuildJournal } from './rebuild-journal.ts';
export { RecordReader, type RecordReaderOptions } from './record-reader.ts';
export { WARC_COMPRESSIONS, type WarcCompression, warcName } from './warc-compression.ts';
export {
  describeItem,
  type EncodedBatch,
  encodeBatch,
  ThreadEncoder,
  type WarcEncoder,
} from './warc-encoder.ts';
export { type Archivable, type Capture, isResource, type Resource } from './warc-format.ts';
export type { WarcDamage, WarcRecord } from './warc-parser.ts';
export {
  type ArchivedRecord,
  type LocatedRecord,
  noDamage,
  readRecord,
  readWarc,
} from './warc-reader.ts';
export { WARC_START, type WarcMark, WarcWriter, type WarcWriterOptions } from './warc-writer.ts';
export { isZip, openZipEntry, readZipDirectory } from './zip-reader.ts';
