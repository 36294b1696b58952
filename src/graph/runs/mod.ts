/**
 * Runs are files with the links of journal files, sorted by URL. Each journal file is converted to a run
 * once. A ranking reads all runs as one sorted list.
 */

export {
  type LocalUrl,
  nextLocalUrl,
  parseRunName,
  RunKind,
  type RunRecord,
  readFrame,
  URLS_PER_FRAME,
  writeFrame,
} from './run-format.ts';
export { MergedRuns, mergeUrls } from './run-merge.ts';
export { RunFile } from './run-reader.ts';
export { RunWriter } from './run-writer.ts';
export { checkJournal, rankedUpTo, removeRuns, updateRuns } from './runs.ts';
