/**
 * Makes all data that do not yet reflect the list of removals reflect it:
 *
 *   index    the documents are deleted; searches no longer find them from here on
 *   standing what standing queries found at these URLs is deleted, byte for byte
 *   journal  a `gone` record for each removed page, so that ranks and exports leave it out
 *   crawl.db the URLs are refused, or ready again if they are allowed
 *   purge    archive, journal and everything made from them are written again (purge-removed.ts)
 *     list     this revision is marked as settled
 *
 * Every step may be repeated, and the list is marked last. A process that is killed therefore loses nothing: the
 * next one starts with the first step again. The caller holds the locks of the crawl and of the index.
 */
import { type Directory, type Log, systemClock } from '../../base/mod.ts';
import { mergeInThread, purgeIndex } from '../../build/mod.ts';
import {
  applyRemovals,
  findRemovedRows,
  hasCrawlState,
  openCaptureStore,
  openCrawlState,
  openMarks,
} from '../../crawl/mod.ts';
import { withStore } from '../../standing/mod.ts';
import { appendAudit } from '../access/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import { ifFree, lockIndex } from '../locks.ts';
import {
  changeRemovals,
  isSettled,
  type RemovalRule,
  RemovedUrls,
  readRemovals,
  removedBy,
} from '../removals/mod.ts';
import { applyWaitingVectors } from '../sessions/waiting-vectors.ts';
import type { Config } from '../settings/mod.ts';
import { PRODUCT, VERSION } from '../version.ts';
import { purgeRemoved } from './purge-removed.ts';

/** The numbers of changes, by name; the audit log has the same names. */
export type SettleCounts = Record<string, number>;

interface SettleOptions {
  config: Config;
  log: Log;
  signal?: AbortSignal;
  /** Called when searches no longer find the removed documents, with their number. */
  onHidden?(documents: number): void;
}

/** Settles the list. Returns the numbers of changes; null if all data already reflected the list. */
export async function settleRemovals(
  data: DataDirectory,
  options: SettleOptions,
): Promise<SettleCounts | null> {
  const list = readRemovals(data.root);
  if (isSettled(list)) return null;
  const counts: SettleCounts = { documents: await hideDocuments(data, removedBy(list), options) };
  const forgotten = forgetFound(data.root, removedBy(list));
  if (forgotten > 0) counts.found = forgotten;
  const pending = list.rules.filter(isPending);
  if (hasCrawlState(data.root)) {
    Object.assign(counts, await settleCrawl(data, removedBy(list), pending, options.config));
    if (pending.length > 0)
      Object.assign(counts, await purgeRemoved(data, new RemovedUrls(pending), options));
  }
  const done = new Set(pending.map(({ kind, value }) => `${kind} ${value}`));
  const purged = (rule: RemovalRule): RemovalRule =>
    done.has(`${rule.kind} ${rule.value}`) ? { ...rule, purge: 'done' } : rule;
  changeRemovals(data.root, (now) => ({ ...now, settled: list.revision, rules: now.rules.map(purged) }));
  const entry = { who: 'gyre', action: 'settle-removals', revision: list.revision, counts } as const;
  appendAudit(data.root, entry, systemClock.now());
  return counts;
}

/** Deletes what standing queries found at removed URLs. Returns the number of entries. */
function forgetFound(root: Directory, removed: RemovedUrls): number {
  return withStore(root, (store) => store.removePages((url) => removed.matches(url))) ?? 0;
}

/**
 * Settles the list for a process that holds only the lock of the crawl. If another process uses the index, the work
 * is left to a later process.
 */
export async function settleBesideIndex(data: DataDirectory, options: SettleOptions): Promise<void> {
  if (isSettled(readRemovals(data.root))) return;
  const index = ifFree(() => lockIndex(data.root));
  if (!index) return options.log.warn('removals not settled: the index is in use');
  try {
    await settleRemovals(data, options);
  } finally {
    index.release();
  }
}

/** Deletes the removed documents from the index. The caller holds the lock of the index. */
export async function hideDocuments(
  data: DataDirectory,
  removed: RemovedUrls,
  { config, log, signal, onHidden }: SettleOptions,
): Promise<number> {
  if (!data.index.has('manifest.json')) return 0;
  // Vectors that wait are applied first, so that no file has the vector of a removed page.
  applyWaitingVectors(data, log);
  const merge = mergeInThread(4 * config.index.bufferMemoryBytes);
  const options = { index: data.index, log, merge, ...(signal && { signal }), ...(onHidden && { onHidden }) };
  return (await purgeIndex(removed, options)).documents;
}

function isPending({ purge }: RemovalRule): boolean {
  return purge === 'pending';
}

async function settleCrawl(
  data: DataDirectory,
  removed: RemovedUrls,
  pending: readonly RemovalRule[],
  config: Config,
): Promise<SettleCounts> {
  await recordRemovals(data, removed, pending.length > 0, config);
  const { removed: urls, allowed, reopened } = applyRemovals(data.root, removed);
  return { urls, allowed, reopened };
}

/**
 * Adds a `gone` record to the journal for each newly removed URL. With `finishesFiles`, also finishes the files of
 * archive and journal that grow, so that a purge can write them again.
 */
async function recordRemovals(
  data: DataDirectory,
  removed: RemovedUrls,
  finishesFiles: boolean,
  config: Config,
): Promise<void> {
  const rows = findRemovedRows(data.root, removed).filter(({ isKnown }) => !isKnown);
  if (rows.length === 0 && !finishesFiles) return;
  const { fileSizeBytes, compression } = config.archive;
  const state = openCrawlState(data.root);
  try {
    const marks = await openMarks(state, [data.archive, data.journal]);
    const store = openCaptureStore(
      {
        archive: data.archive,
        journal: data.journal,
        rotateBytes: finishesFiles ? 0 : fileSizeBytes,
        software: `${PRODUCT} ${VERSION}`,
        clock: systemClock,
        compression,
      },
      marks,
    );
    const commit = async () => {
      const nothing = { results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 0 };
      await state.commit({ ...nothing, ...marks, ...(await store.seal()) });
      store.committed();
    };
    try {
      const fetchedAt = systemClock.now();
      for (const { url } of rows) store.record({ kind: 'gone', url, fetchedAt, status: 410 });
      await commit();
      store.publish();
      // The growing files are now finished, and the mark has to name the new files.
      await commit();
    } finally {
      store.close();
    }
  } finally {
    state.close();
  }
}
