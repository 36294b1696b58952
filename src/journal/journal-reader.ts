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
    for (const line of zstdDecompressSync(payload).toString().split('\n')) {
      yield JSON.parse(line) as JournalRecord;
      count++;
    }
  }
  const expected = reader.u32();
  if (count !== expected) throw new CorruptError(name, reader.at - 4, `${expected} records`, `${count}`);
}
