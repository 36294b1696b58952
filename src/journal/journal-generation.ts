/**
 * Decides which files of a journal are valid: the files of the current generation. The file numbers of a writer
 * only grow, so that the index finds new files: it remembers the last file that it has read of each writer. A
 * rebuilt journal begins at a number that is higher than all file numbers of all writers.
 *
 *   generation.json   {"format":1,"first":18,"hiddenFrom":null,"checksum":…}, sealed (base/files/sealed-json.ts)
 *
 * The files of a new generation have numbers from `hiddenFrom` on, and readers ignore them. Replacing
 * generation.json makes them the journal and invalidates all files before them. A crash before that leaves
 * the old journal, and hidden files that the next writer removes. A crash after it leaves old files, which
 * the next writer removes too.
 *
 * Without generation.json all files are valid. Only a writer, which holds the crawl's lock, changes anything
 * here.
 */
import { join } from 'node:path';
import {
  CorruptError,
  type Directory,
  GyreError,
  parseSealedJson,
  partOf,
  sealJson,
  UsageError,
} from '../base/mod.ts';
import { JOURNAL_SUFFIX, MAIN_WRITER } from './journal-format.ts';

const FILE = 'generation.json';
const FORMAT = 1;
/** Matches the name of a journal file. Files of format 1 have no writer in their names. */
const JOURNAL_NAME = new RegExp(`^(\\d{8})(?:-([a-z0-9]+))?\\${JOURNAL_SUFFIX}$`);

interface Generation {
  /** The number of the first valid journal file. Files with lower numbers belong to an older generation. */
  first: number;
  /**
   * The number of the first file that readers ignore, because it belongs to a new generation that is being
   * written; null if there is none.
   */
  hiddenFrom: number | null;
}

/**
 * The position up to which a reader has read the journal: for each writer, the number of the last file that was
 * read. A writer is left out if none of its files was read.
 */
export type JournalPosition = Readonly<Record<string, number>>;

interface JournalFileName {
  number: number;
  /** The writer of the file; the empty string for a file of format 1. */
  writer: string;
}

export function journalName(file: number, writer: string): string {
  return `${String(file).padStart(8, '0')}-${writer}${JOURNAL_SUFFIX}`;
}

export function parseJournalName(name: string): JournalFileName {
  const [, number = '0', writer = ''] = JOURNAL_NAME.exec(name) ?? [];
  return { number: Number(number), writer };
}

/** Returns the position of a reader that was at `position` and has then read the file `name`. */
export function advance(position: JournalPosition, name: string): JournalPosition {
  const { number, writer } = parseJournalName(name);
  return { ...position, [writer]: Math.max(number, position[writer] ?? 0) };
}

/** Returns true if a reader at this position has already read the file. */
export function isRead(position: JournalPosition, name: string): boolean {
  const { number, writer } = parseJournalName(name);
  return number <= (position[writer] ?? 0);
}

/**
 * Returns the finished files of the current generation, sorted by number and writer. Refuses a journal of
 * format 1.
 */
export function visibleFiles(directory: Directory): string[] {
  const { first, hiddenFrom } = readGeneration(directory);
  const visible = finishedFiles(directory).filter((name) => {
    const { number } = parseJournalName(name);
    return number >= first && (hiddenFrom === null || number < hiddenFrom);
  });
  const old = visible.find((name) => parseJournalName(name).writer === '');
  if (old) throw oldFormat(directory, old);
  return visible;
}

/**
 * Throws if the journal has format 1. Besides the finished files, checks the file with the number `file`, which
 * may still be growing and may be the only file.
 */
export function refuseOldFormat(directory: Directory, file: number): void {
  visibleFiles(directory);
  const part = partOf(nameOfFormat1(file));
  if (directory.has(part)) throw oldFormat(directory, part);
}

function oldFormat(directory: Directory, name: string): UsageError {
  return new UsageError(
    'old-format',
    `${join(directory.path, name)} has journal format 1, this Gyre reads format 2: run gyre build --from-archive, which rebuilds journal and index from the archive`,
  );
}

function nameOfFormat1(file: number): string {
  return String(file).padStart(8, '0') + JOURNAL_SUFFIX;
}

/** Returns the number of the first valid file. Files with lower numbers belong to an older generation. */
export function firstFile(directory: Directory): number {
  return readGeneration(directory).first;
}

/**
 * Returns the names of valid journal files that the index has read and that are missing now. `position` is the
 * position up to which the index has read the journal.
 */
export function missingFiles(directory: Directory, position: JournalPosition): string[] {
  const visible = new Set(visibleFiles(directory));
  const { first } = readGeneration(directory);
  const missing: string[] = [];
  for (const [writer, last] of Object.entries(position)) {
    for (let file = first; file <= last; file++) {
      if (!visible.has(journalName(file, writer))) missing.push(journalName(file, writer));
    }
  }
  return missing;
}

/**
 * Removes the files of earlier generations, and of a generation that was never completed. Returns the number of the
 * first valid file.
 */
export function settleGeneration(directory: Directory): number {
  const { first, hiddenFrom } = readGeneration(directory);
  const isPast = (name: string) => {
    const { number } = parseJournalName(name);
    return number < first || (hiddenFrom !== null && number >= hiddenFrom);
  };
  const past = finishedFiles(directory).filter(isPast);
  for (const name of past) directory.remove(name);
  // Also removes the part file that a crawl had begun before this generation; see `firstHidden`.
  const writers = new Set([MAIN_WRITER, ...past.map((name) => parseJournalName(name).writer)]);
  for (const writer of writers) directory.remove(partOf(journalName(first - 1, writer)));
  directory.remove(partOf(nameOfFormat1(first - 1)));
  if (hiddenFrom !== null) writeGeneration(directory, { first, hiddenFrom: null });
  return first;
}

/**
 * Returns the first file number of a new generation. It leaves one number free for the part file that a crawl
 * may have begun.
 */
export function firstHidden(directory: Directory): number {
  return Math.max(readGeneration(directory).first, nextFile(directory)) + 1;
}

/** Begins a new generation: hides the files from number `hiddenFrom` on until `completeGeneration`. */
export function beginGeneration(directory: Directory, hiddenFrom: number): void {
  writeGeneration(directory, { ...readGeneration(directory), hiddenFrom });
}

/** Completes a new generation: makes the hidden files the journal. */
export function completeGeneration(directory: Directory): void {
  const { hiddenFrom } = readGeneration(directory);
  if (hiddenFrom === null) throw new GyreError('no-generation', `${directory.path}: no generation was begun`);
  writeGeneration(directory, { first: hiddenFrom, hiddenFrom: null });
  settleGeneration(directory);
}

/** If generation.json is damaged, makes all journal files valid until a new generation is complete. */
export function resetDamagedGeneration(directory: Directory): void {
  try {
    readGeneration(directory);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    writeGeneration(directory, { first: 1, hiddenFrom: null });
  }
}

/**
 * Returns the number of the next file: the number of the last finished file of any writer and format, plus one.
 */
export function nextFile(directory: Directory): number {
  return finishedFiles(directory).reduce(
    (next, name) => Math.max(next, parseJournalName(name).number + 1),
    1,
  );
}

function finishedFiles(directory: Directory): string[] {
  return directory.list().filter((name) => JOURNAL_NAME.test(name));
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
  const file = join(directory.path, FILE);
  const advice = 'gyre build --from-archive rebuilds the journal and this file';
  const keys = ['format', 'first', 'hiddenFrom'];
  const value = parseSealedJson(directory.read(FILE), { file, keys, advice });
  const { format, first, hiddenFrom = null } = value as Partial<Generation> & { format?: number };
  const isWhole = isCount(format) && isCount(first) && (hiddenFrom === null || isCount(hiddenFrom));
  if (!isWhole) throw new CorruptError(file, 0, 'the numbers "format" and "first"', 'something else', advice);
  return { format, first, hiddenFrom };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function writeGeneration(directory: Directory, generation: Generation): void {
  directory.replace(FILE, sealJson({ format: FORMAT, ...generation }));
}
