/** The records of a journal file, as far as it can be read. */
import { type JournalRecord, readJournal } from '../archive/mod.ts';
import { CorruptError, type Directory } from '../base/mod.ts';

/** `onDamage` is told why the rest of the file is left out. */
export function* recordsOf(
  journal: Directory,
  file: string,
  onDamage: (error: CorruptError) => void,
): Generator<JournalRecord> {
  try {
    yield* readJournal(journal, file);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    onDamage(error);
  }
}
