/**
 * Manages the runs and keeps them up to date with the journal. A new journal file becomes a run, and eight runs of the
 * same writer and size are merged into one. For n journal files there are at most about 8 · log₈ n runs, and every link
 * is rewritten at most log₈ n times.
 */

import { CorruptError, type Directory, UsageError } from '../../base/mod.ts';
import {
  advance,
  firstFile,
  type JournalPosition,
  journalFiles,
  journalName,
  missingFiles,
  parseJournalName,
} from '../../journal/mod.ts';
import { extractRun } from './run-extract.ts';
import { parseRunName, type RunName, runName } from './run-format.ts';
import { MergedRuns } from './run-merge.ts';
import { RunFile } from './run-reader.ts';
import { writeRun } from './run-writer.ts';

const FAN_IN = 8;

/**
 * Throws if a journal file does not exist although a later file of the same writer exists, or although a run
 * was made from it.
 */
export function checkJournal(journal: Directory, output: Directory): void {
  const runs = listRuns(output);
  const isPast = runs.some((run) => run.first < firstFile(journal));
  let position = journalFiles(journal).reduce(advance, {});
  for (const { writer, last } of isPast ? [] : runs) position = advance(position, journalName(last, writer));
  const [missing] = missingFiles(journal, position);
  if (missing) throw damagedJournal(`journal file ${missing} is gone`);
}

/**
 * Updates the runs from the journal and returns them. The runs of each writer are sorted from the oldest to
 * the newest. With `only`, the journal files of other writers are ignored; `output` then has the runs of this writer.
 * `onFile` is called before each journal file, also before those that are in a run already.
 */
export function updateRuns(
  journal: Directory,
  output: Directory,
  only?: string,
  onFile: (name: string) => void = () => {},
): RunName[] {
  const files = journalFiles(journal).filter((file) => !only || parseJournalName(file).writer === only);
  const valid = validRuns(output, firstFile(journal), files.reduce(advance, {}));
  const writers = new Set(files.map((file) => parseJournalName(file).writer));
  return [...writers].flatMap((writer) => {
    const ofWriter = files.filter((file) => parseJournalName(file).writer === writer);
    const runs = valid.filter((run) => run.writer === writer);
    return updateRunsOf(writer, ofWriter, runs, { journal, output, onFile });
  });
}

function updateRunsOf(
  writer: string,
  files: readonly string[],
  runs: RunName[],
  { journal, output, onFile }: { journal: Directory; output: Directory; onFile(name: string): void },
): RunName[] {
  let last = runs.at(-1)?.last ?? 0;
  for (const file of files) {
    onFile(file);
    const { number } = parseJournalName(file);
    if (number <= last) continue;
    const run = runName(writer, number, number);
    readable(() => extractRun(journal, file, output, run));
    runs.push(run);
    last = number;
    while (isDue(runs)) runs.push(mergeRuns(output, runs.splice(-FAN_IN)));
  }
  return runs;
}

/**
 * Throws a `UsageError` with advice if a journal file is damaged, because the graph would lack the links of
 * that file. The last ranks stay.
 */
function readable(extract: () => void): void {
  try {
    extract();
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw damagedJournal(error.message, error);
  }
}

function damagedJournal(what: string, cause?: CorruptError): UsageError {
  const advice = 'the last ranks stay; `gyre build --from-archive` rebuilds the journal';
  return new UsageError('damaged-journal', `${what}: ${advice}`, { cause });
}

/** Removes all runs, so that the whole journal is read again. */
export function removeRuns(output: Directory): void {
  for (const { name } of listRuns(output)) output.remove(name);
}

/**
 * Returns the valid runs and removes the others. A run is invalid if its journal files are also in a larger
 * run, which happens if a merge was interrupted before it removed its inputs. If a run was made from files that
 * the journal does not have, all runs belong to an earlier journal and are invalid.
 */
function validRuns(output: Directory, firstFile: number, end: JournalPosition): RunName[] {
  const runs = listRuns(output);
  const isPast = runs.some(({ writer, first, last }) => first < firstFile || last > (end[writer] ?? 0));
  const valid = runs.filter((run) => !isPast && !runs.some((other) => isWithin(run, other)));
  for (const run of runs) if (!valid.includes(run)) output.remove(run.name);
  return valid;
}

/** Returns the number of the last journal file of each writer that is in the link graph. */
export function rankedUpTo(output: Directory): Record<string, number> {
  const last: Record<string, number> = {};
  for (const { writer, last: file } of listRuns(output)) last[writer] = Math.max(last[writer] ?? 0, file);
  return last;
}

function listRuns(output: Directory): RunName[] {
  return output
    .list()
    .map(parseRunName)
    .filter((run) => run !== null)
    .sort((a, b) => a.first - b.first || b.last - a.last);
}

function isWithin(run: RunName, other: RunName): boolean {
  return run !== other && run.writer === other.writer && other.first <= run.first && run.last <= other.last;
}

function isDue(runs: readonly RunName[]): boolean {
  const tail = runs.slice(-FAN_IN);
  return tail.length === FAN_IN && tail.every((run) => levelOf(run) === levelOf(tail[0]!));
}

function levelOf({ first, last }: RunName): number {
  return Math.floor(Math.log(last - first + 1.5) / Math.log(FAN_IN));
}

function mergeRuns(output: Directory, runs: readonly RunName[]): RunName {
  const merged = runName(runs[0]!.writer, runs[0]!.first, runs.at(-1)!.last);
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
