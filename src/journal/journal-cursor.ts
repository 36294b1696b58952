/**
 * Cursors name a position in a journal for programs that read what was added since. `18.main-42.n2-7` is the position
 * after file 42 of the writer `main` and file 7 of the writer `n2`, in the generation that begins with file 18. A
 * rebuilt journal is another generation, in which older cursors have no meaning.
 */
import { type Directory, UsageError } from '../base/mod.ts';
import { advance, firstFile, type JournalPosition, parseJournalName } from './journal-generation.ts';

const CURSOR = /^\d{1,10}(?:\.[a-z0-9]+-\d{1,10})*$/;

/** Returns the cursor of a reader that has read these files of the journal. */
export function cursorAfter(directory: Directory, files: readonly string[]): string {
  return cursorAt(directory, files.reduce<JournalPosition>(advance, {}));
}

/** Returns the cursor of a reader at a position. */
export function cursorAt(directory: Directory, position: JournalPosition): string {
  const parts = Object.entries(position).sort(([a], [b]) => (a < b ? -1 : 1));
  return [String(firstFile(directory)), ...parts.map(([writer, file]) => `${writer}-${file}`)].join('.');
}

/**
 * Returns the position of a cursor. `files` are the finished files of the journal. Throws a UsageError that says from
 * where to start again if the cursor is of another journal, or of files that are gone.
 */
export function positionOfCursor(
  directory: Directory,
  cursor: string,
  files: readonly string[],
): JournalPosition {
  const restart = 'start again without a cursor, which gives everything and a new cursor';
  if (!CURSOR.test(cursor))
    throw new UsageError('bad-cursor', `"${cursor}" is not a cursor such as 1.main-12: ${restart}`);
  const [first, ...parts] = cursor.split('.');
  const position = Object.fromEntries(
    parts.map((part) => part.split('-') as [string, string]).map(([writer, file]) => [writer, Number(file)]),
  );
  if (Number(first) < firstFile(directory)) {
    const why = 'the journal was rebuilt since';
    throw new UsageError('expired-cursor', `the cursor ${cursor} has expired, because ${why}: ${restart}`);
  }
  const present = new Set(
    files.map((name) => `${parseJournalName(name).writer}-${parseJournalName(name).number}`),
  );
  const missing = Number(first) > firstFile(directory) ? cursor : parts.find((part) => !present.has(part));
  if (missing === undefined) return position;
  throw new UsageError('unknown-cursor', `the cursor ${cursor} is not one of this journal: ${restart}`);
}
