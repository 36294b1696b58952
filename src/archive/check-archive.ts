/**
 * Reads a whole archive and reports damage: records that cannot be read, blocks that do not match their
 * digests, CDXJ lines without a record, and records without a CDXJ line.
 *
 * Cost: reads every byte and computes a SHA-1 of every block, some 200 MB a second. It changes nothing.
 */
import { type Directory, type FileProblem, partOf } from '../base/mod.ts';
import { type ArchiveFile, archiveFiles } from './archive-files.ts';
import { encodeCdx } from './cdx/mod.ts';
import {
  cdxEntryOf,
  cdxNameOf,
  detectCompression,
  digestMismatch,
  finishCdx,
  noDamage,
  resumeCdx,
  scanMembers,
  type WarcMark,
  warcName,
  warcNumber,
} from './warc/mod.ts';

interface ArchiveCheck {
  files: number;
  records: number;
  /** Damaged records, which cannot be repaired. */
  lost: FileProblem[];
  /** The file in which the last commit ends, if this file is shorter than the commit states. */
  short: FileProblem[];
  /** CDXJ files that do not match their WARC files. */
  staleCdx: FileProblem[];
}

/** Checks the archive up to its last commit. `onProgress` receives the number of bytes read so far. */
export function checkArchive(
  directory: Directory,
  end: WarcMark,
  onProgress: (doneBytes: number) => void,
): ArchiveCheck {
  const check: ArchiveCheck = { files: 0, records: 0, lost: [], short: [], staleCdx: [] };
  let before = 0;
  const numbers = new Set<number>();
  for (const file of archiveFiles(directory, end)) {
    check.files++;
    numbers.add(warcNumber(file.name));
    checkFile(directory, file, check, (bytes) => onProgress(before + bytes));
    before += file.end;
  }
  for (let number = 1; number < Math.min(end.file, Math.max(0, ...numbers)); number++) {
    if (!numbers.has(number))
      check.lost.push({ file: warcName(number), problem: 'expected a file, got none' });
  }
  const committed = committedBytes(directory, end);
  if (committed < end.length) {
    const problem = `expected ${end.length} committed bytes, got ${committed}`;
    check.short.push({ file: partOf(warcName(end.file)), problem });
  }
  return check;
}

export function archiveBytes(directory: Directory, end: WarcMark): number {
  return archiveFiles(directory, end).reduce((sum, file) => sum + file.end, 0);
}

/**
 * Returns the end of the last complete record of the file in which the last commit ends; 0 if that file is
 * missing.
 */
export function wholeBytes(directory: Directory, mark: WarcMark): number {
  let whole = 0;
  for (const { stored, name, end } of archiveFiles(directory, mark)) {
    if (warcNumber(name) !== mark.file) continue;
    const file = directory.open(stored);
    const compression = detectCompression(file);
    if (compression !== 'none') {
      for (const { offset, length } of scanMembers(file, compression, noDamage(), { end })) {
        whole = Math.max(whole, offset + length);
      }
    }
    file.close();
  }
  return whole;
}

/** Rebuilds every CDXJ file from its WARC file. The caller holds the crawl's lock. */
export function rebuildCdx(directory: Directory, end: WarcMark): void {
  for (const { stored, name, end: length } of [...archiveFiles(directory, end)]) {
    directory.remove(partOf(cdxNameOf(name)));
    if (stored === name) finishCdx(directory, name);
    else resumeCdx(directory, name, length).close();
  }
}

function checkFile(
  directory: Directory,
  { stored, name, end }: ArchiveFile,
  check: ArchiveCheck,
  onProgress: (doneBytes: number) => void,
): void {
  const lose = (problem: string) => check.lost.push({ file: stored, problem });
  const file = directory.open(stored);
  const damage = noDamage();
  const lines = new Set<string>();
  try {
    const compression = detectCompression(file);
    if (compression === 'none') return void lose('expected a compressed WARC file, got something else');
    for (const located of scanMembers(file, compression, damage, { end })) {
      check.records++;
      const wrong = digestMismatch(located.record);
      if (wrong) lose(`at byte ${located.offset}: expected ${wrong.expected}, got ${wrong.actual}`);
      const entry = cdxEntryOf(located, name);
      if (entry) lines.add(encodeCdx(entry));
      onProgress(located.offset);
    }
  } finally {
    file.close();
  }
  if (damage.damaged > 0) lose(`${damage.damaged} damaged places, ${damage.damagedBytes} bytes`);
  const isFinished = stored === name;
  const cdx = isFinished ? cdxNameOf(name) : partOf(cdxNameOf(name));
  const problem = cdxProblem(directory, cdx, lines, isFinished);
  if (problem !== null) check.staleCdx.push({ file: cdx, problem });
}

/**
 * Returns the first difference between a CDXJ file and the expected lines, or null. A file that still grows
 * may lack lines at its end.
 */
function cdxProblem(
  directory: Directory,
  name: string,
  lines: Set<string>,
  isFinished: boolean,
): string | null {
  if (!directory.has(name)) return isFinished ? 'expected a file, got none' : null;
  const found = directory
    .read(name)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  const wrong = found.findIndex((line) => !lines.has(line));
  if (wrong >= 0) return `line ${wrong + 1} names no record of the WARC file`;
  if (new Set(found).size !== found.length) return 'a line is there twice';
  const isSorted = found.every((line, at) => at === 0 || found[at - 1]! < line);
  if (isFinished && !isSorted) return 'the lines are not in order';
  const missing = lines.size - found.length;
  return isFinished && missing > 0 ? `${missing} records have no line` : null;
}

/** Returns the size of the file in which the last commit ends. */
function committedBytes(directory: Directory, mark: WarcMark): number {
  const ofMark = archiveFiles(directory, mark).filter(({ name }) => warcNumber(name) === mark.file);
  return ofMark.reduce((most, { stored }) => Math.max(most, directory.sizeOf(stored)), 0);
}
