/** What several commands share: the journal to an index, the links to ranks. */
import { type Directory, type Log, messageOf } from '../base/mod.ts';
import {
  applyRanks,
  type BuildReport,
  buildIndex,
  buildWords,
  Indexer,
  type IndexerOptions,
  type LinkTables,
  mergeInThread,
  type RepairReport,
  repairIndex,
} from '../build/mod.ts';
import {
  openAnchors,
  openHosts,
  openRanks,
  type RankOptions,
  type RankReport,
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
  const options = { ...indexerOptions(data, config, log, signal), rebuild };
  return withLinks(data.graph, log, (links) => buildIndex({ ...options, ...links }));
}

/** Restores from the journal what damaged segments had. */
export function repairOnce(
  data: DataDirectory,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<RepairReport> {
  const { journal, index, graph } = data;
  const options = { journal, index, log, signal, flushBytes: config.index.memory };
  return withLinks(graph, log, (links) => repairIndex({ ...options, ...links }));
}

/** An indexer that stays, for who takes up pages again and again. */
export function openIndexer(data: DataDirectory, config: Config, log: Log, signal: AbortSignal): Indexer {
  return new Indexer(indexerOptions(data, config, log, signal));
}

/** Ranks every page that the journal knows, and hands the ranks and what links say to the index. */
export function rankOnce(
  data: DataDirectory,
  log: Log,
  options: Partial<RankOptions> = {},
  apply = (links: LinkTables) => applyRanks(data.index, links),
): RankReport {
  const report = rankPages({ journal: data.journal, output: data.graph, log, ...options });
  const anchors = openAnchors(data.graph);
  try {
    apply({ ranks: openRanks(data.graph), hosts: openHosts(data.graph), anchors });
  } finally {
    anchors?.close();
  }
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

/** Hands over what the last rank run has found out, for as long as `use` takes. */
export async function withLinks<T>(
  graph: Directory,
  log: Log,
  use: (links: Required<LinkTables>) => Promise<T>,
): Promise<T> {
  const ranks = readableOrNone('ranks', log, () => openRanks(graph));
  const hosts = readableOrNone('hosts', log, () => openHosts(graph));
  const anchors = readableOrNone('anchors', log, () => openAnchors(graph));
  try {
    return await use({ ranks, hosts, anchors });
  } finally {
    anchors?.close();
  }
}

/** What is damaged is as good as none until `gyre rank` makes it anew. */
function readableOrNone<T>(what: string, log: Log, open: () => T | null): T | null {
  try {
    return open();
  } catch (error) {
    log.warn(`${what} unreadable, indexing without them: run gyre rank`, { reason: messageOf(error) });
    return null;
  }
}

function indexerOptions(data: DataDirectory, config: Config, log: Log, signal: AbortSignal): IndexerOptions {
  const { journal, index } = data;
  const { memory } = config.index;
  return { journal, index, log, signal, flushBytes: memory, merge: mergeInThread(4 * memory) };
}
