/**
 * Decides which of a journal's files are valid. File numbers only grow, so that the index, which remembers the
 * last file it has read, finds all newer ones. A rebuilt journal begins at a higher number.
 *
 *   generation.json   {"format":1,"first":18,"hiddenFrom":null,"checksum":…}, sealed as base/sealed-json.ts says
 *
 * A new generation is written as files `hiddenFrom` and up, which readers ignore. Replacing this one file makes
 * them the journal and invalidates all files before them. A crash before that leaves the old journal, and
 * hidden files that the next writer removes. A crash after it leaves old files, which the next writer removes
 * too.
 *
 * Without generation.json all files are valid. Only a writer, which holds the crawl's lock, changes anything
 * here.
 */
import { join } from 'node:path';
import { CorruptError, type Directory, GyreError, parseSealedJson, partOf, sealJson } from '../base/mod.ts';
import { JOURNAL_SUFFIX } from './journal-format.ts';

const FILE = 'generation.json';
const FORMAT = 1;
const JOURNAL_NAME = new RegExp(`^\\d{8}\\${JOURNAL_SUFFIX}$`);

interface Generation {
  /** The number of the first valid file. */
  first: number;
  /** Readers ignore files from this number on; null when no new generation is being written. */
  hiddenFrom: number | null;
}

export function journalName(file: number): string {
  return String(file).padStart(8, '0') + JOURNAL_SUFFIX;
}

/** The finished valid files, oldest first. */
export function visibleFiles(directory: Directory): string[] {
  const { first, hiddenFrom } = readGeneration(directory);
  return finishedFiles(directory).filter((name) => {
    const file = journalNumber(name);
    return file >= first && (hiddenFrom === null || file < hiddenFrom);
  });
}

/** The number of the first valid file; files before it belong to an older generation. */
export function firstFile(directory: Directory): number {
  return readGeneration(directory).first;
}

/** Returns the valid files up to `last`, the last file that the index has read, that do not exist. */
export function missingFiles(directory: Directory, last: string): string[] {
  const visible = new Set(visibleFiles(directory));
  const missing: string[] = [];
  for (let file = readGeneration(directory).first; file <= journalNumber(last); file++) {
    if (!visible.has(journalName(file))) missing.push(journalName(file));
  }
  return missing;
}

/**
 * Removes the files of earlier generations, and of one that was never completed. Returns the number of the
 * first valid file.
 */
export function settleGeneration(directory: Directory): number {
  const { first, hiddenFrom } = readGeneration(directory);
  const files = finishedFiles(directory).map(journalNumber);
  const isPast = (file: number) => file < first || (hiddenFrom !== null && file >= hiddenFrom);
  for (const file of files.filter(isPast)) directory.remove(journalName(file));
  // The part file that a crawl had begun before this generation: see `firstHidden`.
  if (first > 1) directory.remove(partOf(journalName(first - 1)));
  if (hiddenFrom !== null) writeGeneration(directory, { first, hiddenFrom: null });
  return first;
}

/**
 * The first file number of a new generation. It leaves one number free for the part file that a crawl may have
 * begun.
 */
export function firstHidden(directory: Directory): number {
  return Math.max(readGeneration(directory).first, nextFile(directory)) + 1;
}

/** Hides the files from this number on until `completeGeneration`. */
export function beginGeneration(directory: Directory, hiddenFrom: number): void {
  writeGeneration(directory, { ...readGeneration(directory), hiddenFrom });
}

/** Makes the hidden files the journal. */
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

/** The number after that of the last finished file. */
export function nextFile(directory: Directory): number {
  const last = finishedFiles(directory).at(-1);
  return last === undefined ? 1 : journalNumber(last) + 1;
}

function finishedFiles(directory: Directory): string[] {
  return directory.list().filter((name) => JOURNAL_NAME.test(name));
}

/** Returns 0 for the empty name. */
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
