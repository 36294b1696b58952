/** What `gyre build`, `gyre rank` and `gyre up` share: the journal to an index, the links to ranks. */
import { type Directory, type Log, messageOf } from '../base/mod.ts';
import { applyRanks, type BuildReport, buildIndex, buildWords } from '../build/mod.ts';
import {
  openAnchors,
  openRanks,
  type RankOptions,
  type RankReport,
  type RankTable,
  rankPages,
} from '../graph/mod.ts';
import type { Config } from './config.ts';
import type { DataDirectory } from './data-directory.ts';

/** Takes up what the journal has gained since the last time. */
export function buildOnce(
  data: DataDirectory,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<BuildReport> {
  const { journal, index, graph } = data;
  return buildIndex({
    journal,
    index,
    ranks: ranksOrNone(graph, log),
    log,
    signal,
    flushBytes: config.index.memory,
  });
}

/** Ranks every page that the journal knows and hands the ranks to the index. */
export function rankOnce(data: DataDirectory, log: Log, options: Partial<RankOptions> = {}): RankReport {
  const report = rankPages({ journal: data.journal, output: data.graph, log, ...options });
  const ranks = openRanks(data.graph);
  if (ranks) applyRanks(data.index, ranks);
  return report;
}

/** Makes what is suggested and corrected by anew; without it the old files stay, which is no reason to end anything. */
export async function wordsOnce(data: DataDirectory, log: Log, signal?: AbortSignal): Promise<void> {
  const { journal, index, words, graph } = data;
  try {
    const anchors = openAnchors(graph);
    const report = await buildWords({ journal, index, words, anchors, log, ...(signal && { signal }) });
    anchors?.close();
    if (report) log.info('words gathered', { ...report });
  } catch (error) {
    log.error('words not gathered, suggestions stay as they were', { reason: messageOf(error) });
  }
}

/** Damaged ranks are as good as none until `gyre rank` makes new ones. */
function ranksOrNone(graph: Directory, log: Log): RankTable | null {
  try {
    return openRanks(graph);
  } catch (error) {
    log.warn('ranks unreadable, indexing without them: run gyre rank', { reason: messageOf(error) });
    return null;
  }
}
