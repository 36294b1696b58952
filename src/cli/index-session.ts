/** What `gyre build`, `gyre rank` and `gyre up` share: the journal to an index, the links to ranks. */
import type { Log } from '../base/mod.ts';
import { applyRanks, type BuildReport, buildIndex } from '../build/mod.ts';
import { openRanks, type RankOptions, type RankReport, rankPages } from '../graph/mod.ts';
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
    ranks: openRanks(graph),
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
