/** Functions that several commands use to build the index from the journal and to compute ranks from links. */
import { type Log, messageOf } from '../../base/mod.ts';
import {
  applyRanks,
  type BuildProgress,
  type BuildReport,
  buildIndex,
  Indexer,
  type IndexerOptions,
  type LinkTables,
  mergeInThread,
  type RepairReport,
  repairIndex,
} from '../../build/mod.ts';
import {
  openAnchors,
  openHosts,
  openRanks,
  type RankOptions,
  type RankReport,
  rankPages,
} from '../../graph/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { LiveRemovals } from '../removals/mod.ts';
import { type Config, memoryShareOf, SHARES } from '../settings/mod.ts';

/**
 * Indexes the journal records added since the last build; with `rebuild`, indexes all of them into a new
 * index.
 */
export function buildOnce(
  data: DataDirectory,
  config: Config,
  log: Log,
  signal: AbortSignal,
  more: { rebuild?: boolean; onProgress?(progress: BuildProgress): void } = {},
): Promise<BuildReport> {
  const options = { ...indexerOptions(data, config, log, signal), ...more };
  return withLinks(data, config, log, (links) => buildIndex({ ...options, ...links }));
}

/** Restores the documents of damaged segments from the journal. */
export function repairOnce(
  data: DataDirectory,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<RepairReport> {
  const { journal, index } = data;
  const isRemoved = removalCheck(data);
  const options = { journal, index, log, signal, isRemoved, flushBytes: config.index.bufferMemoryBytes };
  return withLinks(data, config, log, (links) => repairIndex({ ...options, ...links }));
}

/** Opens an indexer that can index new journal records several times. */
export function openIndexer(data: DataDirectory, config: Config, log: Log, signal: AbortSignal): Indexer {
  return new Indexer(indexerOptions(data, config, log, signal));
}

/** Computes the ranks of all pages in the journal, and applies ranks and anchor texts to the index. */
export function rankOnce(data: DataDirectory, log: Log, options: Partial<RankOptions> = {}): RankReport {
  const report = rankPages({ journal: data.journal, output: data.graph, log, ...options });
  applyLastRanks(data, (links) => applyRanks(data, links));
  return report;
}

/**
 * Calls `apply` with the tables of the last rank run: ranks, anchor texts and links. Throws if a table is
 * damaged; `withLinks` only logs this.
 */
export function applyLastRanks({ graph }: DataDirectory, apply: (links: LinkTables) => void): void {
  const anchors = openAnchors(graph);
  try {
    apply({ ranks: openRanks(graph), hosts: openHosts(graph), anchors });
  } finally {
    anchors?.close();
  }
}

/** Opens the tables of the last rank run (ranks, anchor texts and links), calls `use` with them, and closes them. */
export async function withLinks<T>(
  { graph }: DataDirectory,
  { memoryBytes }: Config,
  log: Log,
  use: (links: Required<LinkTables>) => Promise<T>,
): Promise<T> {
  const ranksBytes = memoryShareOf(memoryBytes, SHARES.ranks);
  const ranks = readableOrNone('ranks', log, () => openRanks(graph, ranksBytes));
  const hosts = readableOrNone('hosts', log, () => openHosts(graph));
  const anchors = readableOrNone('anchors', log, () => openAnchors(graph));
  try {
    return await use({ ranks, hosts, anchors });
  } finally {
    anchors?.close();
    ranks?.close();
  }
}

/**
 * Opens a table of the last rank run. A damaged table is logged and treated as absent until `gyre rank` writes it
 * again.
 */
function readableOrNone<T>(what: string, log: Log, open: () => T | null): T | null {
  try {
    return open();
  } catch (error) {
    log.warn(`${what} unreadable, not indexed`, { reason: messageOf(error), advice: 'run gyre rank' });
    return null;
  }
}

function indexerOptions(data: DataDirectory, config: Config, log: Log, signal: AbortSignal): IndexerOptions {
  const { journal, index } = data;
  const { bufferMemoryBytes: memory } = config.index;
  const isRemoved = removalCheck(data);
  return { journal, index, log, signal, isRemoved, flushBytes: memory, merge: mergeInThread(4 * memory) };
}

/**
 * Returns a function that reports whether a URL is removed. It uses the current list, even if the list changes
 * while the function is used.
 */
function removalCheck({ root }: DataDirectory): (url: CanonicalUrl) => boolean {
  const removals = new LiveRemovals(root);
  return (url) => removals.urls.matches(url);
}
