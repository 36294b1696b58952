/**
 * Reads a whole journal and lists the files that are damaged or missing. It checks every frame and record of
 * the finished files, and the frames of the growing file up to the mark of the last commit. It changes nothing.
 */
import { crc32 } from 'node:zlib';
import {
  ByteReader,
  CorruptError,
  checkSealHeader,
  type Directory,
  type FileProblem,
  messageOf,
  partOf,
} from '../base/mod.ts';
import { JOURNAL_HEADER_BYTES, JOURNAL_KIND, MAIN_WRITER } from './journal-format.ts';
import {
  advance,
  type JournalPosition,
  journalName,
  missingFiles,
  visibleFiles,
} from './journal-generation.ts';
import { readJournal } from './journal-reader.ts';
import type { JournalMark } from './journal-writer.ts';

interface JournalCheck {
  files: number;
  records: number;
  problems: FileProblem[];
}

/**
 * Returns the damaged and missing files. `position` is the position up to which the index has read the journal.
 * `mark` is the end of the journal at the last commit, or null.
 */
export function findJournalDamage(
  directory: Directory,
  mark: JournalMark | null,
  position: JournalPosition,
): JournalCheck {
  const check: JournalCheck = { files: 0, records: 0, problems: [] };
  const note = (file: string, read: () => void) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof CorruptError)) throw error;
      check.problems.push({ file, problem: messageOf(error) });
    }
  };
  note('generation.json', () => {
    const files = visibleFiles(directory);
    for (const file of missingFiles(directory, files.reduce(advance, position))) {
      check.problems.push({ file, problem: 'expected a file, got none' });
    }
    for (const file of files) {
      check.files++;
      note(file, () => {
        for (const _ of readJournal(directory, file)) check.records++;
      });
    }
  });
  if (mark) note(partOf(journalName(mark.file, MAIN_WRITER)), () => checkPart(directory, mark));
  return check;
}

function checkPart(directory: Directory, { file, length }: JournalMark): void {
  const name = partOf(journalName(file, MAIN_WRITER));
  // If the file of the mark was finished after the commit, it has already been checked with the other finished
  // files.
  if (length === 0 || !directory.has(name)) return;
  const bytes = directory.read(name).subarray(0, length);
  if (bytes.length < length) throw new CorruptError(name, bytes.length, `${length} bytes`, 'the end');
  checkSealHeader(bytes, JOURNAL_KIND, name);
  const reader = new ByteReader(bytes, name, JOURNAL_HEADER_BYTES);
  while (reader.remaining > 0) {
    const at = reader.at;
    const payloadBytes = reader.u32();
    const expected = reader.u32();
    const actual = crc32(reader.raw(payloadBytes));
    if (actual !== expected)
      throw new CorruptError(name, at, `checksum ${expected.toString(16)}`, actual.toString(16));
  }
}
