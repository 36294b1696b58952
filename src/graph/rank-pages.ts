/**
 * From the journal to ranks on disk: the whole of `gyre rank`.
 *
 *   journal -> runs -> URLs, documents, nodes -> graph, hosts, anchors -> ranks
 *
 * The runs keep up with the journal (runs.ts); one ranking over them is ranking.ts.
 */
import { CorruptError, type Directory, type Log, messageOf } from '../base/mod.ts';
import type { RankedUrl } from './links-reader.ts';
import { Ranking } from './ranking.ts';
import { parseRunName } from './run-format.ts';
import { RunFile } from './run-reader.ts';
import { checkJournal, removeRuns, updateRuns } from './runs.ts';

export interface RankOptions {
  /** The directory of the journal. */
  journal: Directory;
  /** Where the ranks go, and what is kept to make the next ones quicker. */
  output: Directory;
  log: Log;
  /** The chance of following a link rather than starting anew. Default 0.85. */
  damping?: number;
  /** Default 100. */
  maxIterations?: number;
  /** Default 1. */
  threads?: number;
  /** How many of the best pages to report. Default 20. */
  top?: number;
  /** URLs or hosts, by any name, where walks start: ranks are biased towards them. Default: anywhere. */
  seeds?: readonly string[];
  /** Hosts from which trust flows. Default: those that most domains link to. */
  trusted?: readonly string[];
  /** Read the whole journal again rather than what is new in it. */
  afresh?: boolean;
}

export interface RankReport {
  /** Of the file that was written. */
  generation: number;
  /** Pages that were crawled. */
  pageCount: number;
  /** Pages that were crawled or are linked to. */
  nodeCount: number;
  linkCount: number;
  hostCount: number;
  /** Documents for which there are anchor texts. */
  anchoredCount: number;
  iterations: number;
  /** What the last iteration still changed, in total. */
  distance: number;
  /** The crawled pages with the highest ranks, best first. */
  topPages: RankedUrl[];
}

/**
 * Ranks all that the finished journal files know. A file that is gone or cannot be read throws before anything
 * is written, so the last good ranks stay in place.
 */
export function rankPages(options: RankOptions): RankReport {
  checkJournal(options.journal, options.output);
  if (options.afresh) removeRuns(options.output);
  try {
    return rankRuns(options);
  } catch (error) {
    if (!isDamagedRun(error)) throw error;
    options.log.warn('a run is damaged: reading the journal again', { why: messageOf(error) });
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

/** Messages about files begin with their names. */
function isDamagedRun(error: unknown): boolean {
  return error instanceof CorruptError && parseRunName(error.message.split(' ', 1)[0]!) !== null;
}
