/** What several commands share: the journal to an index, the links to ranks. */
import { type Directory, type Log, messageOf } from '../base/mod.ts';
import {
  applyRanks,
  type BuildReport,
  buildIndex,
  buildWords,
  Indexer,
  type IndexerOptions,
  mergeInThread,
  type RepairReport,
  repairIndex,
} from '../build/mod.ts';
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

/** Takes up what the journal has gained since the last time, or all of it into a new index. */
export function buildOnce(
  data: DataDirectory,
  config: Config,
  log: Log,
  signal: AbortSignal,
  { rebuild = false } = {},
): Promise<BuildReport> {
  const ranks = ranksOrNone(data.graph, log);
  return buildIndex({ ...indexerOptions(data, config, log, signal), rebuild, ranks });
}

/** Restores from the journal what damaged segments had. */
export function repairOnce(
  data: DataDirectory,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<RepairReport> {
  const { journal, index, graph } = data;
  const ranks = ranksOrNone(graph, log);
  return repairIndex({ journal, index, ranks, log, signal, flushBytes: config.index.memory });
}

/** An indexer that stays, for who takes up pages again and again. */
export function openIndexer(data: DataDirectory, config: Config, log: Log, signal: AbortSignal): Indexer {
  return new Indexer(indexerOptions(data, config, log, signal));
}

/** Ranks every page that the journal knows and hands the ranks to the index. */
export function rankOnce(
  data: DataDirectory,
  log: Log,
  options: Partial<RankOptions> = {},
  apply = (ranks: RankTable) => applyRanks(data.index, ranks),
): RankReport {
  const report = rankPages({ journal: data.journal, output: data.graph, log, ...options });
  const ranks = openRanks(data.graph);
  if (ranks) apply(ranks);
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
export function ranksOrNone(graph: Directory, log: Log): RankTable | null {
  try {
    return openRanks(graph);
  } catch (error) {
    log.warn('ranks unreadable, indexing without them: run gyre rank', { reason: messageOf(error) });
    return null;
  }
}

function indexerOptions(data: DataDirectory, config: Config, log: Log, signal: AbortSignal): IndexerOptions {
  const { journal, index } = data;
  const { memory } = config.index;
  return { journal, index, log, signal, flushBytes: memory, merge: mergeInThread(4 * memory) };
}
