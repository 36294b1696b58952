/**
 * Which of a journal's files count. Numbers only ever grow, so that whoever remembers the last file that
 * was read (the index does) finds everything newer; a journal that was made anew simply begins later.
 *
 *   generation.json   {"format":1,"first":18,"hiddenFrom":null}
 *
 * A new generation is written as files `hiddenFrom` and up, which no reader sees. Replacing this one file
 * makes them the journal and everything before them the past. A crash before that leaves the old journal,
 * and hidden files that the next writer removes; a crash after it leaves old files, removed likewise.
 *
 * Without the file, all files count. Only a writer, which holds the crawl's lock, changes anything here.
 */
import { join } from 'node:path';
import { CorruptError, type Directory, GyreError, messageOf, partOf } from '../base/mod.ts';
import { JOURNAL_SUFFIX } from './journal-format.ts';

const FILE = 'generation.json';
const FORMAT = 1;
const JOURNAL_NAME = new RegExp(`^\\d{8}\\${JOURNAL_SUFFIX}$`);

interface Generation {
  /** The number of the first file that counts. */
  first: number;
  /** Files from this number on do not count yet; null when nothing is being written out of sight. */
  hiddenFrom: number | null;
}

export function journalName(file: number): string {
  return String(file).padStart(8, '0') + JOURNAL_SUFFIX;
}

/** The finished files that count, oldest first. */
export function visibleFiles(directory: Directory): string[] {
  const { first, hiddenFrom } = readGeneration(directory);
  return finishedFiles(directory).filter((name) => {
    const file = journalNumber(name);
    return file >= first && (hiddenFrom === null || file < hiddenFrom);
  });
}

/** The number of the first file that counts; those before it are of a journal that is no more. */
export function firstFile(directory: Directory): number {
  return readGeneration(directory).first;
}

/** Files that must have been there, as somebody has read up to `last`, and are not. */
export function missingFiles(directory: Directory, last: string): string[] {
  const visible = new Set(visibleFiles(directory));
  const missing: string[] = [];
  for (let file = readGeneration(directory).first; file <= journalNumber(last); file++) {
    if (!visible.has(journalName(file))) missing.push(journalName(file));
  }
  return missing;
}

/**
 * Removes what an earlier generation, or one that was never completed, left behind. Returns the number of
 * the first file that counts.
 */
export function settleGeneration(directory: Directory): number {
  const { first, hiddenFrom } = readGeneration(directory);
  const files = finishedFiles(directory).map(journalNumber);
  const isPast = (file: number) => file < first || (hiddenFrom !== null && file >= hiddenFrom);
  for (const file of files.filter(isPast)) directory.remove(journalName(file));
  // The file that a crawl had begun when this generation was: see `firstHidden`.
  if (first > 1) directory.remove(partOf(journalName(first - 1)));
  if (hiddenFrom !== null) writeGeneration(directory, { first, hiddenFrom: null });
  return first;
}

/** Where a new generation begins: one past the file that a crawl may have begun. */
export function firstHidden(directory: Directory): number {
  return Math.max(readGeneration(directory).first, nextFile(directory)) + 1;
}

/** Hides the files from this number on until `completeGeneration`. */
export function beginGeneration(directory: Directory, hiddenFrom: number): void {
  writeGeneration(directory, { ...readGeneration(directory), hiddenFrom });
}

/** The hidden files are the journal now. */
export function completeGeneration(directory: Directory): void {
  const { hiddenFrom } = readGeneration(directory);
  if (hiddenFrom === null) throw new GyreError('no-generation', `${directory.path}: no generation was begun`);
  writeGeneration(directory, { first: hiddenFrom, hiddenFrom: null });
  settleGeneration(directory);
}

/** The number after that of the last finished file. */
export function nextFile(directory: Directory): number {
  const last = finishedFiles(directory).at(-1);
  return last === undefined ? 1 : journalNumber(last) + 1;
}

function finishedFiles(directory: Directory): string[] {
  return directory.list().filter((name) => JOURNAL_NAME.test(name));
}

/** 0 for the empty name. */
function journalNumber(name: string): number {
  return Number(name.slice(0, 8));
}

function readGeneration(directory: Directory): Generation {
  if (!directory.has(FILE)) return { first: 1, hiddenFrom: null };
  const { format, first, hiddenFrom } = parseGeneration(directory);
  if (format > FORMAT) {
    throw new GyreError(
      'newer-format',
      `${FILE} has format ${format}, this Gyre reads ${FORMAT}: upgrade Gyre`,
    );
  }
  return { first, hiddenFrom };
}

function parseGeneration(directory: Directory): Generation & { format: number } {
  const bytes = directory.read(FILE);
  try {
    const value = JSON.parse(bytes.toString()) as Generation & { format: number };
    if (Number.isInteger(value?.format) && Number.isInteger(value.first)) return value;
    throw new Error('it lacks "format" or "first"');
  } catch (cause) {
    const advice = 'remove the file: then all journal files count';
    throw new CorruptError(
      join(directory.path, FILE),
      bytes.length,
      'a generation',
      messageOf(cause),
      advice,
    );
  }
}

function writeGeneration(directory: Directory, generation: Generation): void {
  directory.replace(FILE, Buffer.from(`${JSON.stringify({ format: FORMAT, ...generation })}\n`));
}
