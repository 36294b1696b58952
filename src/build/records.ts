/** Reads the records of a journal file up to the first damage. */

import { CorruptError, type Directory } from '../base/mod.ts';
import { readVersions, type VersionedRecord } from '../journal/mod.ts';

/** Calls `onDamage` if the rest of the file cannot be read. */
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
