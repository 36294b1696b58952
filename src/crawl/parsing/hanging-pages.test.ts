/**
 * Tests of pages that never finish parsing: only these pages and their host are delayed, not an honest host that is
 * crawled at the same time.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, Random, silentLog, sleep, systemClock } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize, parseHostAccess } from '../../url/mod.ts';
import { createRobotsOverrides } from '../robots/robots-overrides.ts';
import type { CrawlState } from '../state/crawl-state.ts';
import { openCrawlState } from '../state/sqlite/sqlite-state.ts';
import { openCrawler } from '../wire-crawl.ts';
import { PLAIN_READING } from '../../page/plain-reading.fixture.ts';

const EXTRACTOR = join(
  import.meta.dirname,
  '..',
  '..',
  'page',
  'extractors',
  'dangerous-extractor.fixture.ts',
);
const HONEST_PAGES = 40;
const WORDS = 'ash birch cedar elm fir hazel juniper larch maple oak pine rowan spruce willow yew'.split(' ');

/** Starts two hosts; the hostile one links to 20 pages whose parsing never ends. */
async function openWorld(context: TestContext, options: { readLimitMs: number; readerThreads: number }) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const [host] = request.headers.host!.split(':') as [string];
    asked.push(`${host}${request.url}`);
    const links = Array.from({ length: host === 'hostile.test' ? 20 : HONEST_PAGES }, (_, at) =>
      host === 'hostile.test' ? `/loop?${at}` : `/page/${at}`,
    );
    const random = new Random(asked.length);
    const text = Array.from({ length: 60 }, () => WORDS[random.below(WORDS.length)]).join(' ');
    const body = request.url === '/' ? links.map((link) => `<a href="${link}">x</a>`).join('') : text;
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>${request.url}</title>${body}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const path = mkdtempSync(join(tmpdir(), 'gyre-hanging-'));
  const directory = openDirectory(path);
  const state = openCrawlState(directory);
  context.after(() => {
    state.close();
    server.close();
    rmSync(path, { recursive: true });
  });
  const seeds = ['hostile', 'honest'].map((host) => canonicalize(`http://${host}.test:${port}/`)!);
  const crawler = await openCrawler({
    ...{ state, directory, archive: directory.directory('archive'), journal: directory.directory('journal') },
    ...{ clock: systemClock, random: new Random(1), log: silentLog, userAgent: 'test', software: 'test' },
    urlRules: { config: {}, scope: 'host', seeds: seeds as CanonicalUrl[], domains: [] },
    ...{
      proxy: '',
      authorities: [],
      access: parseHostAccess({}),
      robotsOverrides: createRobotsOverrides([]),
    },
    ...{ budget: { basePages: 1000, maxPages: 1000 }, maxPages: 1e6, maxUrlsPerHost: 1e6, icons: false },
    ...{
      revisit: false,
      revisits: { firstMs: 1e9, minMs: 1e9, maxMs: 1e9, visitsPerDay: 1, policies: [] },
      keepRunning: false,
    },
    ...{ politeness: { delayMs: 0, delayFactor: 0 }, hostGroups: { addressDelayMs: 0, groups: [] } },
    ...{ concurrency: 8, maxBodyBytes: 1e6, timeLimitMs: 30_000, warcBytes: 1e9, warcCompression: 'gzip' },
    memory: { heldBytes: 12 * 2 ** 20, seenBytes: 2 ** 20, parserHeapBytes: 512 * 2 ** 20 },
    nearDuplicates: { similarity: 0.9, minShingles: 32, maxEntries: 1e5 },
    ...{
      allowAddresses: ['127.0.0.0/8'],
      resolve: { '*.test': '127.0.0.1' },
      dnsCacheMs: 0,
      onUnreachable: () => {},
    },
    reading: { ...PLAIN_READING, extractors: [EXTRACTOR] },
    ...options,
  });
  await crawler.addSeeds(seeds);
  return { crawler, state, asked, seeds };
}

async function parkedCode(state: CrawlState, seed: CanonicalUrl): Promise<string | undefined> {
  return (await state.host(new URL(seed).origin))?.parkedReason?.code;
}

test('twenty hanging pages park their host and delay neither the crawl nor an honest host', async (context) => {
  const { crawler, state, asked, seeds } = await openWorld(context, { readLimitMs: 1000, readerThreads: 2 });
  await crawler.run();
  const honest = new Set(asked.filter((url) => url.startsWith('honest.test/page/')));
  assert.equal(honest.size, HONEST_PAGES);
  const { troubles, pages } = crawler.snapshot();
  assert.ok(pages >= HONEST_PAGES, `${pages} pages`);
  assert.ok(troubles['took longer than 1 s to read']! >= 2, JSON.stringify(troubles));
  assert.equal(await parkedCode(state, seeds[0]!), 'parser-deaths');
  assert.equal(await parkedCode(state, seeds[1]!), undefined);
});

test('a crawl stops although its only parser thread is stuck', async (context) => {
  const { crawler, asked } = await openWorld(context, { readLimitMs: 120_000, readerThreads: 1 });
  const ended = crawler.run();
  while (!asked.some((url) => url.startsWith('hostile.test/loop'))) await sleep(20);
  await sleep(100);
  const stoppedAt = Date.now();
  crawler.stop();
  await ended;
  assert.ok(Date.now() - stoppedAt < 20_000, `${Date.now() - stoppedAt} ms`);
});
