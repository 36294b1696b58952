/**
 * The work of standing queries on a data directory: finds new pages after a commit of the index, and sends the messages
 * of webhooks. The caller holds the lock `standing`.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, type Log, openDirectory, systemClock } from '../../base/mod.ts';
import { postText } from '../../crawl/mod.ts';
import { readManifest } from '../../index/mod.ts';
import type { JournalPosition } from '../../journal/mod.ts';
import { openSearcher } from '../../query/mod.ts';
import {
  findNewPages,
  hasStanding,
  type PostMessage,
  type SendOptions,
  StandingStore,
  sendMessages,
} from '../../standing/mod.ts';
import { type CanonicalUrl, readDomainLists } from '../../url/mod.ts';
import { type DataDirectory, readSettings } from '../data-directory.ts';
import { ifFree, lockStanding } from '../locks.ts';
import { LiveRemovals, readRemovals, removedBy } from '../removals/mod.ts';
import { crawlOptions } from '../sessions/crawl-session.ts';
import type { Config } from '../settings/mod.ts';

/** The directory of the index of new pages, which exists only while it is searched. */
const SCRATCH = 'standing';
/** A query that takes longer than this on a few hundred pages is not answered, and tried again later. */
const QUERY_LIMIT_MS = 60_000;
const CACHE_BYTES = 8 * 1024 * 1024;

interface WorkOptions {
  config: Config;
  log: Log;
  signal?: AbortSignal;
}

/** Finds the pages that the index has since the last time. Returns their number, over all queries. */
export async function findStanding(data: DataDirectory, options: WorkOptions): Promise<number> {
  if (!hasStanding(data.root) || !data.root.has('journal')) return 0;
  const { log, signal } = options;
  const store = new StandingStore(data.root);
  const removals = new LiveRemovals(data.root);
  removeScratch(data.root);
  try {
    const count = await findNewPages({
      ...{ store, log, clock: systemClock, ...(signal && { signal }) },
      journal: data.journal,
      indexed: indexedPosition(data),
      scratch: () => {
        const index = openDirectory(join(data.root.path, SCRATCH));
        return { index, remove: () => removeScratch(data.root) };
      },
      openSearcher: (index) => searcherOver(index, options),
      isRemoved: (url) => removals.urls.matches(url),
    });
    // A page may have been removed, and settled, while the searches ran.
    const removed = removedBy(readRemovals(data.root));
    store.removePages((url) => removed.matches(url));
    return count;
  } finally {
    removeScratch(data.root);
    store.close();
  }
}

/** Finds the new pages, unless another process does that already. */
export async function findIfFree(data: DataDirectory, options: WorkOptions): Promise<void> {
  if (!hasStanding(data.root)) return;
  const lock = ifFree(() => lockStanding(data.root));
  if (!lock) return;
  try {
    await findStanding(data, options);
  } finally {
    lock.release();
  }
}

/** Sends the messages that are due. Returns the number of delivered messages. */
export async function sendStanding(data: DataDirectory, options: WorkOptions): Promise<number> {
  if (!hasStanding(data.root)) return 0;
  const store = new StandingStore(data.root);
  try {
    if (store.deliveries.due(systemClock.now()).length === 0) return 0;
    const removals = new LiveRemovals(data.root);
    store.removePages((url) => removals.urls.matches(url));
    return await sendMessages(store, sendOptions(data, options));
  } finally {
    store.close();
  }
}

export function sendOptions(data: DataDirectory, { config, log }: WorkOptions): SendOptions {
  const { webhookAttempts: attempts, webhookRetryMs: retryMs } = config.standing;
  return { post: posterFor(data, config), clock: systemClock, log, attempts, retryMs };
}

/** Returns a function that posts messages, also to the addresses that `standing.webhookAddresses` allows. */
function posterFor(data: DataDirectory, config: Config): PostMessage {
  const options = { ...crawlOptions(config, readSettings(data.root)) };
  const allowAddresses = config.standing.webhookAddresses;
  return (url, message) => postText(url as CanonicalUrl, message, { ...options, allowAddresses });
}

/** Opens a searcher without synonyms, links and vectors, which new pages do not have. */
export function searcherOver(index: Directory, { config, log }: Pick<WorkOptions, 'config' | 'log'>) {
  const { familyFilter, familyLists } = config.serve;
  const family = { level: familyFilter, isListed: readDomainLists(familyLists) };
  return openSearcher(index, {
    ...{ log, family, clock: systemClock },
    timeLimitMs: QUERY_LIMIT_MS,
    cacheBytes: CACHE_BYTES,
  });
}

function removeScratch(root: Directory): void {
  rmSync(join(root.path, SCRATCH), { recursive: true, force: true });
}

/** Returns the journal position up to which pages are searchable. */
export function indexedPosition({ index, root }: DataDirectory): JournalPosition {
  return root.has('index') ? readManifest(index).journal : {};
}
