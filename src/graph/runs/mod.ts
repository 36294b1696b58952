/**
 * Runs: the links of journal files, in the order of nodes. Each journal file is read once; a ranking merges
 * the runs while it reads them.
 */

export {
  type LocalUrl,
  parseRunName,
  RunKind,
  type RunRecord,
  readFrame,
  URLS_PER_FRAME,
  writeFrame,
} from './run-format.ts';
export { MergedRuns } from './run-merge.ts';
export { RunFile } from './run-reader.ts';
export { checkJournal, removeRuns, updateRuns } from './runs.ts';
