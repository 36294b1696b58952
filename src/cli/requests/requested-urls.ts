/**
 * `requested.json` in the data directory: the URLs that people ask the crawl to fetch now. Any process may add to it;
 * the crawl queues the URLs and removes them from the list after the commit, so a crash loses none.
 *
 *   {"urls":["https://example.org/new"]}
 */
import { acquireLock, type Directory, UsageError } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';

const FILE = 'requested.json';
const MAX_URLS = 10_000;

/** Adds URLs to the list. Returns the number of URLs in the list. */
export function addRequests(root: Directory, urls: readonly CanonicalUrl[]): number {
  return change(root, (known) => {
    const all = [...new Set([...known, ...urls])];
    if (all.length > MAX_URLS)
      throw new UsageError('list-full', `${MAX_URLS} URLs wait to be queued already: try again later`);
    return all;
  });
}

export function dropRequests(root: Directory, urls: readonly CanonicalUrl[]): void {
  const done = new Set(urls);
  change(root, (known) => known.filter((url) => !done.has(url)));
}

/** Returns the URLs in the list, the oldest first. A damaged list counts as empty: people can ask again. */
export function readRequests(root: Directory): CanonicalUrl[] {
  if (!root.has(FILE)) return [];
  try {
    const { urls } = JSON.parse(root.read(FILE).toString()) as { urls: CanonicalUrl[] };
    return Array.isArray(urls) ? urls : [];
  } catch {
    return [];
  }
}

function change(root: Directory, to: (known: CanonicalUrl[]) => CanonicalUrl[]): number {
  const lock = acquireLock(root, 'requested', 'another request');
  try {
    const urls = to(readRequests(root));
    if (urls.length === 0) root.remove(FILE);
    else root.replace(FILE, Buffer.from(`${JSON.stringify({ urls })}\n`));
    return urls.length;
  } finally {
    lock.release();
  }
}
