/**
 * WARC files: encoding captures, appending them, parsing records of any writer, and keeping the CDXJ file of
 * each WARC file up to date. Each record is compressed separately, so that it can be read alone. Damaged
 * records are skipped and reported; the reader continues at the next record.
 */

export { cdxEntryOf, finishCdx, repairCdx, resumeCdx, rewriteCdx } from './cdx-writer.ts';
export { detectCompression, readMembers } from './compressed-members.ts';
export { archivableOf, isCapture } from './foreign-record.ts';
export { type HttpMessage, headerOf } from './http-message.ts';
export {
  cdxNameOf,
  compressRecord,
  isWarcName,
  WARC_COMPRESSIONS,
  type WarcCompression,
  warcName,
  warcNumber,
} from './warc-compression.ts';
export { describeItem, type EncodedBatch, encodeBatch, ThreadEncoder } from './warc-encoder.ts';
export type { Archivable, Capture } from './warc-format.ts';
export { type WarcRecord, warcDate } from './warc-parser.ts';
export {
  type ArchivedRecord,
  digestMismatch,
  httpOf,
  type LocatedRecord,
  noDamage,
  readRecord,
  readRecordIn,
  readWarc,
  scanMembers,
} from './warc-reader.ts';
export {
  encodeWarcHead,
  WARC_START,
  type WarcMark,
  WarcWriter,
  type WarcWriterOptions,
} from './warc-writer.ts';
