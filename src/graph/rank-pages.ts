/**
 * Computes ranks from the journal and writes them to disk, for `gyre rank`.
 *
 *   journal -> runs -> URLs, documents, nodes -> graph, hosts, anchors -> ranks
 *
 * runs.ts updates the runs from the journal; ranking.ts computes one ranking from them.
 */
import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';
import { journalFiles } from '../journal/mod.ts';
import type { RankedUrl } from './links-reader.ts';
import { Ranking } from './ranking.ts';
import { checkJournal, parseRunName, RunFile, removeRuns, updateRuns } from './runs/mod.ts';

export interface RankOptions {
  journal: Directory;
  /** The directory for the ranks, and for the runs that make the next ranking faster. */
  output: Directory;
  log: Log;
  /** The probability of following a link instead of restarting. Default 0.85. */
  damping?: number;
  maxIterations?: number;
  threads?: number;
  /** The number of best pages to report. Default: 20. */
  top?: number;
  /**
   * URLs and hosts at which random walks restart, so that pages near them get higher ranks. A URL may be an
   * alias. Default: all pages.
   */
  seeds?: readonly string[];
  /** The trusted hosts for the `trust` signal. Default: the hosts that the most domains link to. */
  trusted?: readonly string[];
  /** If true, the whole journal is read again, not only its new files. */
  afresh?: boolean;
  onProgress?(progress: RankProgress): void;
}

/** A step of a ranking, and the part of it that is done; null if it is unknown. */
export interface RankProgress {
  step: 'reading links' | 'sorting links' | 'ranking pages' | 'writing ranks';
  share: number | null;
  /** The number of iterations, while pages are ranked. */
  iterations?: number;
}

export interface RankReport {
  generation: number;
  pageCount: number;
  /** The number of pages that were crawled or are linked to. */
  nodeCount: number;
  linkCount: number;
  hostCount: number;
  anchoredCount: number;
  iterations: number;
  /** The sum of the changes of all ranks in the last iteration. */
  distance: number;
  topPages: RankedUrl[];
}

/**
 * Ranks all pages in the finished journal files. If a journal file is missing or unreadable, throws before it
 * writes anything, so the last good ranks stay in place.
 */
export function rankPages(options: RankOptions): RankReport {
  checkJournal(options.journal, options.output);
  if (options.afresh) removeRuns(options.output);
  try {
    return rankRuns(options);
  } catch (error) {
    if (!isDamagedRun(error)) throw error;
    options.log.warn('link run damaged, journal read again', { reason: messageOf(error) });
    removeRuns(options.output);
    return rankRuns(options);
  }
}

function rankRuns(options: RankOptions): RankReport {
  const started = performance.now();
  const { journal, output } = options;
  const runs = updateRuns(journal, output, undefined, filesRead(options)).map(
    (run) => new RunFile(output, run),
  );
  options.onProgress?.({ step: 'sorting links', share: null });
  try {
    const { topPages, ...fields } = new Ranking(options, runs).run();
    options.log.info('pages ranked', { ...fields, ms: Math.round(performance.now() - started) });
    return { topPages, ...fields };
  } finally {
    for (const run of runs) run.close();
  }
}

/** Returns a function that is called before each journal file, and reports the part of them that is read. */
function filesRead({ journal, onProgress }: RankOptions): () => void {
  const total = journalFiles(journal).length;
  let begun = 0;
  return () => onProgress?.({ step: 'reading links', share: begun++ / total });
}

function isDamagedRun(error: unknown): boolean {
  return error instanceof CorruptError && parseRunName(error.file) !== null;
}
