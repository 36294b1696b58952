/**
 * `requested.json` in the data directory: what people ask the crawl to fetch now. `hosts` are origins, of which all
 * known URLs are fetched again. Any process may add to the file; the crawl queues the URLs, and removes them from the
 * file after the commit, so a crash loses none.
 *
 *   {"urls":["https://example.org/new"],"hosts":["https://example.com"]}
 */
import { acquireLock, type Directory, UsageError } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';

const FILE = 'requested.json';
const MAX_REQUESTS = 10_000;

export interface FetchRequests {
  urls: readonly CanonicalUrl[];
  hosts: readonly string[];
}

export function addRequests(root: Directory, { urls = [], hosts = [] }: Partial<FetchRequests>): void {
  change(root, (known) => {
    const all = {
      urls: [...new Set([...known.urls, ...urls])],
      hosts: [...new Set([...known.hosts, ...hosts])],
    };
    if (all.urls.length + all.hosts.length > MAX_REQUESTS)
      throw new UsageError(
        'list-full',
        `${MAX_REQUESTS} requests wait to be queued already: try again later`,
      );
    return all;
  });
}

export function dropRequests(root: Directory, done: FetchRequests): void {
  const [urls, hosts] = [new Set(done.urls), new Set(done.hosts)];
  change(root, (known) => ({
    urls: known.urls.filter((url) => !urls.has(url)),
    hosts: known.hosts.filter((host) => !hosts.has(host)),
  }));
}

/** Returns the requests, the oldest first. A damaged file counts as empty: people can ask again. */
export function readRequests(root: Directory): FetchRequests {
  if (!root.has(FILE)) return { urls: [], hosts: [] };
  try {
    const { urls, hosts } = JSON.parse(root.read(FILE).toString()) as Partial<FetchRequests>;
    return { urls: textsOf(urls) as CanonicalUrl[], hosts: textsOf(hosts) };
  } catch {
    return { urls: [], hosts: [] };
  }
}

export function isNothing({ urls, hosts }: FetchRequests): boolean {
  return urls.length + hosts.length === 0;
}

function textsOf(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

function change(root: Directory, to: (known: FetchRequests) => FetchRequests): void {
  const lock = acquireLock(root, 'requested', 'another request');
  try {
    const requests = to(readRequests(root));
    if (isNothing(requests)) root.remove(FILE);
    else root.replace(FILE, Buffer.from(`${JSON.stringify(requests)}\n`));
  } finally {
    lock.release();
  }
}
