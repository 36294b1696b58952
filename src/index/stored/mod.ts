/** Stored documents: URL, title and text, in zstd frames of about 32 KiB. */

export { StoredReader } from './stored-reader.ts';
export { type DocumentOpening, decodeOpening, decodeRecord, urlOfRecord } from './stored-record.ts';
export { type StoredPlace, StoredRecords } from './stored-records.ts';
export { StoredWriter } from './stored-writer.ts';
