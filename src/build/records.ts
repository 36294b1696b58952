/** The records of a journal file, as far as it can be read. */
import { type JournalRecord, readJournal } from '../archive/mod.ts';
import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';

/** A damaged file must not keep all later ones out of the index for ever. */
export function* recordsOf(journal: Directory, file: string, log: Log): Generator<JournalRecord> {
  try {
    yield* readJournal(journal, file);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    log.error('journal file damaged: its rest is left out', { file, why: messageOf(error) });
  }
}
