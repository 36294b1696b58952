/** Who may work on a data directory: one process at its crawl and archive, one at its index; to look needs no lock. */
import { acquireLock, type Directory, type FileLock, isLocked } from '../base/mod.ts';

export function lockCrawl(root: Directory): FileLock {
  return acquireLock(root, 'crawl', 'gyre up, gyre crawl, gyre import or gyre build --from-archive');
}

export function lockIndex(root: Directory): FileLock {
  return acquireLock(root, 'index', 'gyre up, gyre build or gyre rank');
}

/** Whether somebody works on the crawl, so that a wish would be heard. */
export function isCrawling(root: Directory): boolean {
  return isLocked(root, 'crawl');
}

export function isIndexing(root: Directory): boolean {
  return isLocked(root, 'index');
}
