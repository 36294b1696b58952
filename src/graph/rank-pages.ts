/**
 * Computes ranks from the journal and writes them to disk: the whole of `gyre rank`.
 *
 *   journal -> runs -> URLs, documents, nodes -> graph, hosts, anchors -> ranks
 *
 * runs.ts updates the runs from the journal; ranking.ts computes one ranking from them.
 */
import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';
import type { RankedUrl } from './links-reader.ts';
import { Ranking } from './ranking.ts';
import { checkJournal, parseRunName, RunFile, removeRuns, updateRuns } from './runs/mod.ts';

export interface RankOptions {
  journal: Directory;
  /** The directory of the ranks, and of the runs that make the next ranking faster. */
  output: Directory;
  log: Log;
  /** The probability of following a link instead of restarting. Default 0.85. */
  damping?: number;
  /** Default 100. */
  maxIterations?: number;
  /** Default 1. */
  threads?: number;
  /** Number of best pages to report. Default 20. */
  top?: number;
  /**
   * URLs or hosts, under any of their aliases, at which walks restart; ranks are biased towards them.
   * Default: all pages.
   */
  seeds?: readonly string[];
  /** Trusted hosts. Default: the hosts that the most domains link to. */
  trusted?: readonly string[];
  /** Reads the whole journal again, not only its new files. */
  afresh?: boolean;
}

export interface RankReport {
  /** The generation of the files that were written. */
  generation: number;
  pageCount: number;
  /** Pages that were crawled or are linked to. */
  nodeCount: number;
  linkCount: number;
  hostCount: number;
  /** Documents that have anchor texts. */
  anchoredCount: number;
  iterations: number;
  /** The total change of the ranks in the last iteration. */
  distance: number;
  /** The crawled pages with the highest ranks, best first. */
  topPages: RankedUrl[];
}

/**
 * Ranks all pages of the finished journal files. A missing or unreadable file throws before anything is
 * written, so the last good ranks stay in place.
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
  const runs = updateRuns(journal, output).map((run) => new RunFile(output, run));
  try {
    const { topPages, ...fields } = new Ranking(options, runs).run();
    options.log.info('pages ranked', { ...fields, ms: Math.round(performance.now() - started) });
    return { topPages, ...fields };
  } finally {
    for (const run of runs) run.close();
  }
}

function isDamagedRun(error: unknown): boolean {
  return error instanceof CorruptError && parseRunName(error.file) !== null;
}
