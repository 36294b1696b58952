/** Reads finished journal files; see journal-format.ts for the bytes. */
import { crc32, zstdDecompressSync } from 'node:zlib';
import { ByteReader, CorruptError, checkSealHeader, type Directory, SEAL_HEADER_BYTES } from '../base/mod.ts';
import { JOURNAL_KIND, type JournalRecord, type RecordVersion } from './journal-format.ts';
import type { JournalFrame } from './journal-writer.ts';
import { isRead, type JournalPosition, parseJournalName, visibleFiles } from './journal-generation.ts';

const LINE_END = 0x0a;

/** A record with the version that decides whether it replaces another record of its URL. */
export interface VersionedRecord {
  record: JournalRecord;
  version: RecordVersion;
}

/**
 * Returns the finished files that a reader at the position `after` has not read. The files of each writer are
 * in ascending order.
 */
export function journalFiles(directory: Directory, after: JournalPosition = {}): string[] {
  return visibleFiles(directory).filter((name) => !isRead(after, name));
}

/** Yields the records of one finished file frame by frame, so that only one frame is in memory at a time. */
export function* readVersions(directory: Directory, name: string): Generator<VersionedRecord> {
  const { writer } = parseJournalName(name);
  for (const { payload, epoch } of readPayloads(directory.read(name), name)) {
    for (const record of decodeRecords(payload, name)) {
      yield { record, version: { fetchedAt: record.fetchedAt, epoch, writer } };
    }
  }
}

/** Yields the frames of a journal file as they are stored, to copy them to another journal. `name` is for errors. */
export function* readFrames(bytes: Buffer, name: string): Generator<JournalFrame> {
  for (const { stored, payload } of readPayloads(bytes, name))
    yield { payload: stored, records: countRecords(payload, name) };
}

interface FramePayload {
  /** The payload as it is stored, compressed. */
  stored: Buffer;
  payload: Buffer;
  epoch: number;
}

/** Yields the payloads of the frames of a file, and checks their checksums and the number of records at the end. */
function* readPayloads(bytes: Buffer, name: string): Generator<FramePayload> {
  checkSealHeader(bytes, JOURNAL_KIND, name);
  const reader = new ByteReader(bytes, name, SEAL_HEADER_BYTES);
  const epoch = reader.u32();
  let records = 0;
  for (let length = reader.u32(); length > 0; length = reader.u32()) {
    const frameAt = reader.at - 4;
    const checksum = reader.u32();
    const stored = reader.raw(length);
    if (crc32(stored) !== checksum) {
      throw new CorruptError(name, frameAt, `checksum ${checksum.toString(16)}`, crc32(stored).toString(16));
    }
    const payload = zstdDecompressSync(stored);
    records += countRecords(payload, name);
    yield { stored, payload, epoch };
  }
  const expected = reader.u32();
  if (records !== expected) throw new CorruptError(name, reader.at - 4, `${expected} records`, `${records}`);
}

/** Counts the records of a frame by their lengths, without decoding them. */
function countRecords(payload: Buffer, name: string): number {
  const reader = new ByteReader(payload, name);
  let count = 0;
  for (; reader.at < payload.length; count++) reader.raw(reader.u32());
  return count;
}

/** Yields the records of one finished file without their versions, for readers that need every record. */
export function* readJournal(directory: Directory, name: string): Generator<JournalRecord> {
  for (const { record } of readVersions(directory, name)) yield record;
}

function* decodeRecords(payload: Uint8Array, name: string): Generator<JournalRecord> {
  const reader = new ByteReader(payload, name);
  while (reader.remaining > 0) {
    const bytes = reader.raw(reader.u32());
    const jsonEnd = bytes.indexOf(LINE_END);
    if (jsonEnd < 0) throw new CorruptError(name, reader.at - bytes.length, 'a line of JSON', 'no line end');
    const record = parseRecord(bytes.toString('utf8', 0, jsonEnd));
    if (!record) throw new CorruptError(name, reader.at - bytes.length, 'a record', 'other JSON or no JSON');
    if (record.kind === 'page') record.page.text = bytes.toString('utf8', jsonEnd + 1);
    yield record;
  }
}

const KINDS: ReadonlySet<unknown> = new Set<JournalRecord['kind']>(['page', 'alias', 'gone']);

/** Returns null if the text is not JSON, or not a record. */
function parseRecord(json: string): JournalRecord | null {
  try {
    const record = JSON.parse(json) as JournalRecord;
    const hasPage = record.kind !== 'page' || (typeof record.page === 'object' && record.page !== null);
    return KINDS.has(record.kind) && hasPage && typeof record.url === 'string' ? record : null;
  } catch {
    return null;
  }
}
