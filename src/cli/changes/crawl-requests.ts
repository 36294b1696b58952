/**
 * `requests.json` in the data directory: what the next crawl does before it begins. The dashboard writes the file and
 * interrupts the crawl of `gyre up` for a moment; another crawl reads it when it starts.
 *
 *   {"recrawl":["https://example.org"],"refusedByRules":true}
 *
 * The crawl renames the file before it reads it, so a request that comes meanwhile is in a new file. If the crawl is
 * killed in between, the renamed file is still there for the next one. Repeating a request does no harm.
 */
import type { Directory } from '../../base/mod.ts';

const FILE = 'requests.json';
const TAKEN = 'requests.taken.json';

interface CrawlRequests {
  /** Origins of hosts whose URLs are to be fetched again now. */
  recrawl: readonly string[];
  /** True if URLs that URL rules refused are to be decided again. */
  refusedByRules: boolean;
}

/** Adds to the requests for the next start of the crawl. */
export function requestCrawl(
  root: Directory,
  { recrawl = [], refusedByRules = false }: Partial<CrawlRequests>,
): void {
  const now = readRequests(root, FILE);
  const wanted = {
    recrawl: [...new Set([...now.recrawl, ...recrawl])],
    refusedByRules: now.refusedByRules || refusedByRules,
  };
  root.replace(FILE, Buffer.from(`${JSON.stringify(wanted)}\n`));
}

/** Returns the requests, and the function that forgets them after they were carried out; null if there are none. */
export function takeCrawlRequests(root: Directory): { requests: CrawlRequests; done(): void } | null {
  if (root.has(FILE)) {
    if (root.has(TAKEN)) requestCrawl(root, readRequests(root, TAKEN));
    root.rename(FILE, TAKEN);
  }
  if (!root.has(TAKEN)) return null;
  return { requests: readRequests(root, TAKEN), done: () => root.remove(TAKEN) };
}

/** Returns true if there are requests that no crawl has taken. */
export function hasCrawlRequests(root: Directory): boolean {
  return root.has(FILE);
}

function readRequests(root: Directory, name: string): CrawlRequests {
  const nothing = { recrawl: [], refusedByRules: false };
  if (!root.has(name)) return nothing;
  try {
    const { recrawl, refusedByRules } = JSON.parse(root.read(name).toString()) as Partial<CrawlRequests>;
    const origins = Array.isArray(recrawl) ? recrawl.filter((each) => typeof each === 'string') : [];
    return { recrawl: origins, refusedByRules: refusedByRules === true };
  } catch {
    return nothing;
  }
}
