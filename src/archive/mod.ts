/**
 * archive: stores every fetched response byte for byte (WARC), finds responses by URL and time (CDXJ), and
 * exports them as WARC or WACZ. All other data of the engine can be rebuilt from it.
 */

export { exportCdx, exportWacz, exportWarc } from './archive-export.ts';
export { exportCapturesAsWacz } from './capture-export.ts';
export { archiveFiles } from './archive-files.ts';
export { type ArchivePiece, type ArchivePlace, archivePieces, pieceOfFile } from './archive-pieces.ts';
export { ArchiveReader, type CaptureReader } from './archive-reader.ts';
export {
  archivedRecord,
  currentCapture,
  findOriginal,
  interpretRecord,
  mayHaveMeaning,
  type RecordMeaning,
  recordStandingOf,
} from './archived-page.ts';
export {
  CDX_MATCHES,
  type CdxEntry,
  type CdxMatch,
  type CdxQuery,
  cdxTimestamp,
  encodeCdx,
  parseCdxTimestamp,
  REVISIT_MIME,
} from './cdx/mod.ts';
export { archiveBytes, checkArchive, rebuildCdx, wholeBytes } from './check-archive.ts';
export {
  DOCUMENT_TYPE,
  documentDigest,
  documentIdOf,
  encodeDocument,
  MAX_DOCUMENT_BYTES,
  pageOfDocument,
  parseDocument,
  type TextDocument,
} from './document-record.ts';
export {
  type CaptureNeed,
  type FetchedCaptures,
  fetchAndRun,
  type RemoteCaptures,
  readFetched,
} from './fetched-captures.ts';
export { isRemoved } from './gone-policy.ts';
export { capturesOfFile, purgeArchive } from './purge-archive.ts';
export { RecordReader } from './record-reader.ts';
export {
  type Archivable,
  type ArchivedRecord,
  archivableOf,
  type Capture,
  describeItem,
  detectCompression,
  type EncodedBatch,
  encodeBatch,
  encodeWarcHead,
  headerOf,
  isCapture,
  type LocatedRecord,
  noDamage,
  readWarc,
  repairCdx,
  resumeCdx,
  scanMembers,
  ThreadEncoder,
  WARC_START,
  type WarcCompression,
  type WarcMark,
  type WarcRecord,
  WarcWriter,
  type WarcWriterOptions,
} from './warc/mod.ts';
