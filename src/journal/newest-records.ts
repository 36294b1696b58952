/**
 * Yields the newest record of each URL. A first pass over the journal finds the newest records, and a second pass
 * reads them, so only a few bytes for each URL are in memory.
 */
import type { Directory } from '../base/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { compareVersions, type JournalRecord, type RecordVersion } from './journal-format.ts';
import { isRead, type JournalPosition } from './journal-generation.ts';
import { readJournal, readVersions } from './journal-reader.ts';

interface NewestRecord {
  record: JournalRecord;
  /** True if the record is after the position, so that a reader at the position does not know it. */
  isLater: boolean;
  /** True if the URL has a record before the position for which `isNotable` returned true. */
  wasNotable: boolean;
}

interface NewestOptions {
  after?: JournalPosition;
  isNotable?(record: JournalRecord): boolean;
}

interface Newest {
  version: RecordVersion;
  number: number;
  wasNotable: boolean;
}

/** `files` are the finished files of the journal that count, in their order. */
export function* newestRecords(
  directory: Directory,
  files: readonly string[],
  { after = {}, isNotable = () => false }: NewestOptions = {},
): Generator<NewestRecord> {
  const newest = new Map<bigint, Newest>();
  let number = 0;
  for (const file of files) {
    const isBefore = isRead(after, file);
    for (const { record, version } of readVersions(directory, file)) {
      const key = fingerprint(record.url);
      const known = newest.get(key);
      const wasNotable = (known?.wasNotable ?? false) || (isBefore && isNotable(record));
      if (!known || compareVersions(version, known.version) >= 0)
        newest.set(key, { version, number, wasNotable });
      else known.wasNotable = wasNotable;
      number++;
    }
  }
  number = 0;
  for (const file of files) {
    const isLater = !isRead(after, file);
    for (const record of readJournal(directory, file)) {
      const found = newest.get(fingerprint(record.url));
      if (found?.number === number++) yield { record, isLater, wasNotable: found.wasNotable };
    }
  }
}
