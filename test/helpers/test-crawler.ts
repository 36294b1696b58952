/** Starts a crawler of the whole synthetic web, with a crawl state that the test provides. */
import { type Directory, Random, silentLog, systemClock } from '../../src/base/mod.ts';
import type { CrawlOptions } from '../../src/crawl/crawl-options.ts';
import { type Crawler, type CrawlState, createRobotsOverrides, openCrawler } from '../../src/crawl/mod.ts';
import { PLAIN_READING } from '../../src/page/plain-reading.fixture.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import { type CanonicalUrl, parseHostAccess } from '../../src/url/mod.ts';

/** `changes` are options that differ from those of the other tests. Without a delay, a crawl takes seconds. */
export async function startTestCrawler(
  web: SyntheticWeb,
  directory: Directory,
  state: CrawlState,
  changes: Partial<CrawlOptions> = {},
): Promise<Crawler> {
  const seeds = web.seeds as CanonicalUrl[];
  const crawler = await openCrawler({
    state,
    directory,
    archive: directory.directory('archive'),
    journal: directory.directory('journal'),
    urlRules: { config: {}, scope: 'web', seeds, domains: [] },
    budget: { basePages: 1000, maxPages: 1000 },
    proxy: '',
    authorities: [],
    access: parseHostAccess({}),
    reading: PLAIN_READING,
    revisit: false,
    revisits: { firstMs: 1e9, minMs: 1e9, maxMs: 1e9, visitsPerDay: 1, policies: [] },
    robotsOverrides: createRobotsOverrides([]),
    clock: systemClock,
    random: new Random(1),
    log: silentLog,
    userAgent: 'gyre-test',
    software: 'gyre test',
    politeness: { delayMs: 0, delayFactor: 0 },
    hostGroups: { addressDelayMs: 0, groups: [] },
    readerThreads: 1,
    concurrency: 16,
    maxPages: 1e6,
    icons: false,
    maxUrlsPerHost: 1e6,
    maxBodyBytes: 2e7,
    memory: { heldBytes: 12 * 2 ** 20, seenBytes: 2 ** 20, parserHeapBytes: 1024 * 2 ** 20 },
    timeLimitMs: 30_000,
    readLimitMs: 60_000,
    nearDuplicates: { similarity: 0.9, minShingles: 32, maxEntries: 1e5 },
    warcBytes: 1e9,
    warcCompression: 'zstd',
    allowAddresses: ['127.0.0.0/8'],
    resolve: { '*.test': '127.0.0.1' },
    dnsCacheMs: 0,
    keepRunning: false,
    onUnreachable: () => {},
    ...changes,
  });
  await crawler.addSeeds(seeds);
  return crawler;
}
