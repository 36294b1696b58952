/** Reads finished journal files; see journal-format.ts for the bytes. */
import { crc32, zstdDecompressSync } from 'node:zlib';
import { ByteReader, CorruptError, checkSealHeader, type Directory, SEAL_HEADER_BYTES } from '../base/mod.ts';
import { JOURNAL_KIND, type JournalRecord } from './journal-format.ts';
import { visibleFiles } from './journal-generation.ts';

/** Returns the finished files after `after`, oldest first. `after` is a file name or the empty string. */
export function journalFiles(directory: Directory, after = ''): string[] {
  return visibleFiles(directory).filter((name) => name > after);
}

/** Yields the records of one finished file frame by frame, so that memory holds one frame at a time. */
export function* readJournal(directory: Directory, name: string): Generator<JournalRecord> {
  const bytes = directory.read(name);
  checkSealHeader(bytes, JOURNAL_KIND, name);
  const reader = new ByteReader(bytes, name, SEAL_HEADER_BYTES);
  let count = 0;
  for (let length = reader.u32(); length > 0; length = reader.u32()) {
    const frameAt = reader.at - 4;
    const checksum = reader.u32();
    const payload = reader.raw(length);
    if (crc32(payload) !== checksum) {
      throw new CorruptError(name, frameAt, `checksum ${checksum.toString(16)}`, crc32(payload).toString(16));
    }
    for (const record of decodeRecords(zstdDecompressSync(payload), name)) {
      yield record;
      count++;
    }
  }
  const expected = reader.u32();
  if (count !== expected) throw new CorruptError(name, reader.at - 4, `${expected} records`, `${count}`);
}

function* decodeRecords(payload: Uint8Array, name: string): Generator<JournalRecord> {
  const reader = new ByteReader(payload, name);
  while (reader.remaining > 0) {
    const jsonBytes = reader.u32();
    const textBytes = reader.u32();
    const record = JSON.parse(reader.utf8(jsonBytes)) as JournalRecord;
    const text = reader.utf8(textBytes);
    if (record.kind === 'page') record.page.text = text;
    yield record;
  }
}
