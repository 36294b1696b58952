/** Reads the records of a journal file, and stops at the first damaged record. */

import { CorruptError, type Directory } from '../base/mod.ts';
import { readVersions, type VersionedRecord } from '../journal/mod.ts';

/** Yields the records of a journal file. If a record is damaged, calls `onDamage` and stops. */
export function* recordsOf(
  journal: Directory,
  file: string,
  onDamage: (error: CorruptError) => void,
): Generator<VersionedRecord> {
  try {
    yield* readVersions(journal, file);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    onDamage(error);
  }
}
