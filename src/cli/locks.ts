/**
 * Locks of a data directory: one process may write the crawl and archive, one may write the index. Reading
 * needs no lock.
 */
import { acquireLock, type Directory, type FileLock, GyreError, isLocked } from '../base/mod.ts';

export function lockCrawl(root: Directory): FileLock {
  return acquireLock(
    root,
    'crawl',
    'gyre up, gyre crawl, gyre import, gyre doctor or gyre build --from-archive',
  );
}

export function lockIndex(root: Directory): FileLock {
  return acquireLock(root, 'index', 'gyre up, gyre build, gyre rank or gyre doctor');
}

/** Taken by the process that finds the pages of standing queries and sends the messages of webhooks. */
export function lockStanding(root: Directory): FileLock {
  return acquireLock(root, 'standing', 'gyre up, gyre serve, gyre build or gyre standing');
}

/** Returns true if a process is crawling this data directory, so that a command in control.json would take effect. */
export function isCrawling(root: Directory): boolean {
  return isLocked(root, 'crawl');
}

export function isIndexing(root: Directory): boolean {
  return isLocked(root, 'index');
}

/** Takes a lock with `take`; returns null if another process holds it. */
export function ifFree(take: () => FileLock): FileLock | null {
  try {
    return take();
  } catch (error) {
    if (error instanceof GyreError && error.code === 'in-use') return null;
    throw error;
  }
}
