/**
 * Measures commits of a crawl state. A commit of links has new URLs only, as if they came from another node or
 * an import. A commit of pages has 128 results with their captures, the rows of their hosts, and nine new links
 * per page.
 */
import { WARC_START } from '../../src/archive/mod.ts';
import type { CrawlBatch, CrawlState, Discovered } from '../../src/crawl/mod.ts';
import { JOURNAL_START } from '../../src/journal/mod.ts';
import { canonicalize, fingerprint } from '../../src/url/mod.ts';
import type { BenchRow } from '../report.ts';

export interface StateBench {
  /** The number of commits of each kind. */
  commits: number;
  hosts: number;
  /** The number of new URLs in a commit of links. */
  links: number;
}

const PAGES = 128;
const LINKS_PER_PAGE = 9;

const EMPTY: CrawlBatch = {
  ...{ results: [], discovered: [], hosts: [], contents: new Map(), maxUrlsPerHost: 1e9 },
  ...{ warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 },
};

/** Creates new URLs, spread over all hosts. */
class Web {
  readonly #hosts: number;
  #count = 0;

  constructor(hosts: number) {
    this.#hosts = hosts;
  }

  next(count: number): Discovered[] {
    return Array.from({ length: count }, () => {
      const number = this.#count++;
      const host = (number * 7919) % this.#hosts;
      const url = canonicalize(`https://www.host-${host}.test/section/${number % 13}/page-${number}.html`)!;
      return { url, fingerprint: fingerprint(url), depth: number % 5, verb: 'index' as const };
    });
  }
}

/** Runs commits one after the other. Returns the mean and the longest time of a commit. */
async function measure(state: CrawlState, commits: number, nextBatch: () => Promise<CrawlBatch>) {
  const times: number[] = [];
  for (let commit = 0; commit < commits; commit++) {
    const batch = await nextBatch();
    const startMs = performance.now();
    await state.commit(batch);
    times.push(performance.now() - startMs);
  }
  return { meanMs: times.reduce((sum, time) => sum + time, 0) / commits, longestMs: Math.max(...times) };
}

/** Returns a commit with the results of these pages and with their links. */
async function batchOfPages(state: CrawlState, pages: readonly Discovered[], web: Web): Promise<CrawlBatch> {
  const rows = await Promise.all(pages.map(({ url }) => state.host(new URL(url).origin)));
  const last = {
    ...{ summary: { code: 'page' as const, changeKey: 1 }, etag: '"e"', lastModified: '', robotsTag: '' },
    ...{ digest: 'D', payloadDigest: 'P', archivedAt: 1, isDocument: true, sketch: null, goneCount: 0 },
    ...{ history: null, hintedAt: 0 },
    ...{ intervalMs: 1e9, dueAt: 2e12 },
  };
  const result = { state: 'done' as const, attempts: 1, status: 200, fetchedAt: 1, last };
  return {
    ...EMPTY,
    results: pages.map((page) => ({ ...result, fingerprint: page.fingerprint, reason: { code: 'page' } })),
    hosts: rows.map((row) => ({ ...row!, nextFetchAt: Date.now(), fetched: row!.fetched + 1 })),
    discovered: web.next(PAGES * LINKS_PER_PAGE),
  };
}

export async function measureState(
  name: string,
  state: CrawlState,
  { commits, hosts, links }: StateBench,
): Promise<BenchRow> {
  const web = new Web(hosts);
  const known: Discovered[] = [];
  const ofLinks = await measure(state, commits, async () => {
    const discovered = web.next(links);
    known.push(...discovered.slice(0, PAGES));
    return { ...EMPTY, discovered };
  });
  const ofPages = await measure(state, commits, () => batchOfPages(state, known.splice(0, PAGES), web));
  return {
    name,
    'new URLs/s': (links / ofLinks.meanMs) * 1000,
    'links ms/commit': ofLinks.meanMs,
    'links longest ms': ofLinks.longestMs,
    'pages/s': (PAGES / ofPages.meanMs) * 1000,
    'pages ms/commit': ofPages.meanMs,
    'pages longest ms': ofPages.longestMs,
  };
}
