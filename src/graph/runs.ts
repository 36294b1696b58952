/**
 * Which runs there are, and how they keep up with the journal: a new journal file becomes a run of its
 * own, and eight runs of a size become one, so there are at most about eight for each power of eight
 * journal files, and every link is rewritten that many times at most.
 */
import { firstFile, journalFiles, journalName, missingFiles } from '../archive/mod.ts';
import { CorruptError, type Directory, UsageError } from '../base/mod.ts';
import { extractRun } from './run-extract.ts';
import { parseRunName, type RunName, runName } from './run-format.ts';
import { MergedRuns } from './run-merge.ts';
import { RunFile } from './run-reader.ts';
import { writeRun } from './run-writer.ts';

const FAN_IN = 8;

/** Throws unless the journal has all its files: those before its last one, and those of which there are runs. */
export function checkJournal(journal: Directory, output: Directory): void {
  const runs = listRuns(output);
  const isPast = runs.some((run) => run.first < firstFile(journal));
  const lastOfRuns = isPast ? 0 : Math.max(0, ...runs.map((run) => run.last));
  const last = Math.max(lastOfRuns, numberOf(journalFiles(journal).at(-1)));
  const [missing] = missingFiles(journal, journalName(last));
  if (missing) throw damagedJournal(`journal file ${missing} is gone`);
}

/** Brings the runs up to the journal and returns them from the oldest to the newest. */
export function updateRuns(journal: Directory, output: Directory): RunName[] {
  const files = journalFiles(journal);
  const runs = validRuns(output, numberOf(files[0]), numberOf(files.at(-1)));
  let last = runs.at(-1)?.last ?? 0;
  for (const file of files) {
    const number = numberOf(file);
    if (number <= last) continue;
    const run = runName(number, number);
    readable(() => extractRun(journal, file, output, run));
    runs.push(run);
    last = number;
    while (isDue(runs)) runs.push(mergeRuns(output, runs.splice(-FAN_IN)));
  }
  return runs;
}

/** A journal without one of its files would draw another graph: better the last ranks, and word of what to do. */
function readable(extract: () => void): void {
  try {
    extract();
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw damagedJournal(error.message, error);
  }
}

function damagedJournal(what: string, cause?: CorruptError): UsageError {
  const advice = 'the last ranks stay; `gyre build --from-archive` makes the journal anew';
  return new UsageError('damaged-journal', `${what}: ${advice}`, { cause });
}

/** All runs, to begin afresh. */
export function removeRuns(output: Directory): void {
  for (const { name } of listRuns(output)) output.remove(name);
}

/** The number of a journal file; 0 if there is none. */
function numberOf(file: string | undefined): number {
  return file === undefined ? 0 : Number.parseInt(file, 10);
}

/**
 * The runs that count. One that lies within another was left when merging was interrupted. One that knows of
 * files which the journal does not have belongs to a journal that is no more, and so do all others then.
 */
function validRuns(output: Directory, firstFile: number, lastFile: number): RunName[] {
  const runs = listRuns(output);
  const isPast = runs.some(({ first, last }) => first < firstFile || last > lastFile);
  const valid = runs.filter((run) => !isPast && !runs.some((other) => isWithin(run, other)));
  for (const run of runs) if (!valid.includes(run)) output.remove(run.name);
  return valid;
}

function listRuns(output: Directory): RunName[] {
  return output
    .list()
    .map(parseRunName)
    .filter((run) => run !== null)
    .sort((a, b) => a.first - b.first || b.last - a.last);
}

function isWithin(run: RunName, other: RunName): boolean {
  return run !== other && other.first <= run.first && run.last <= other.last;
}

function isDue(runs: readonly RunName[]): boolean {
  const tail = runs.slice(-FAN_IN);
  return tail.length === FAN_IN && tail.every((run) => levelOf(run) === levelOf(tail[0]!));
}

function levelOf({ first, last }: RunName): number {
  return Math.floor(Math.log(last - first + 1.5) / Math.log(FAN_IN));
}

function mergeRuns(output: Directory, runs: readonly RunName[]): RunName {
  const merged = runName(runs[0]!.first, runs.at(-1)!.last);
  const files = runs.map((run) => new RunFile(output, run));
  try {
    const merge = new MergedRuns(files, () => undefined);
    const recordCount = merge.records(false).reduce((count) => count + 1, 0);
    const urls = merge.urls().map(({ url }) => url);
    writeRun(output, merged, { urlCount: merge.urlCount, recordCount, urls, records: merge.records(true) });
  } finally {
    for (const file of files) file.close();
  }
  for (const { name } of runs) output.remove(name);
  return merged;
}
