/**
 * Tests back pressure: a stage that cannot keep up slows down the stage before it, and memory stays bounded.
 * If the disk hangs, the crawl sends requests only up to its documented limits, and loses nothing. The log of
 * the server shows the requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openDirectory, sleep } from '../../src/base/mod.ts';
import { type Crawler, openCrawlState } from '../../src/crawl/mod.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { temporaryDirectory } from '../helpers/gyre.ts';
import { startTestCrawler } from '../helpers/test-crawler.ts';

const PAGES = 240;
const CONCURRENCY = 16;
const MAX_HELD_BYTES = 12 * 1024 * 1024;
const MEDIAN_BYTES = 400_000;

test('while commits hang, requests stop at 12 MiB of waiting bodies, and continue afterwards', async (context) => {
  const web = await startWeb({
    seed: 3,
    hosts: 40,
    pages: PAGES,
    medianPageBytes: MEDIAN_BYTES,
    hostSkew: 0,
  });
  context.after(() => web.close());
  const disk = new SlowDisk();
  context.after(() => disk.goOn());
  const crawler = await startCrawler(web, temporaryDirectory(context), disk);
  const ended = crawler.run();
  while (web.log.length < 60) await sleep(20);
  disk.hang();
  const heldAtHang = heldBytes();
  const atHang = web.log.length;
  const stopped = await quietCount(web);
  const bytes = web.log.entries(atHang).reduce((sum, entry) => sum + entry.bytesSent, 0);
  context.diagnostic(
    `${stopped - atHang} requests and ${Math.round(bytes / 2 ** 20)} MiB after the disk hung`,
  );
  assert.ok(stopped < PAGES, 'it had to stop');
  const largest = Math.max(...web.log.entries().map((entry) => entry.bytesSent));
  const limitBytes = 2 * MAX_HELD_BYTES + CONCURRENCY * largest;
  assert.ok(bytes < limitBytes, `${bytes} bytes were requested`);
  const grownBytes = heldBytes() - heldAtHang;
  assert.ok(grownBytes < 2 * limitBytes, `${grownBytes} bytes: more than the bodies and their journal lines`);

  disk.goOn();
  await ended;
  const asked = new Set(web.log.entries().map(({ host, path }) => host + path));
  for (const { host, path } of web.plan.plainPages(web.port)) assert.ok(asked.has(host + path), path);
});

test('a crawl held back by the index sends no request until it may continue', async (context) => {
  const web = await startWeb({ seed: 4, hosts: 4, pages: 200 });
  context.after(() => web.close());
  const crawler = await startCrawler(web, temporaryDirectory(context), new SlowDisk());
  const ended = crawler.run();
  while (web.log.length < 30) await sleep(5);
  crawler.holdBack(true);
  const held = await quietCount(web);
  assert.ok(held < 200);
  crawler.holdBack(false);
  await ended;
  assert.ok(web.log.length >= 200);
});

/**
 * Returns the bytes of all buffers that are still referenced. Garbage that is not collected yet does not
 * count.
 */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

/** A disk for tests. After a call of `hang`, commits wait until `goOn` is called. */
class SlowDisk {
  #gate: PromiseWithResolvers<void> | null = null;

  hang(): void {
    this.#gate = Promise.withResolvers();
  }

  goOn(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }

  async ready(): Promise<void> {
    await this.#gate?.promise;
  }
}

async function startCrawler(web: SyntheticWeb, path: string, disk: SlowDisk): Promise<Crawler> {
  const directory = openDirectory(path);
  const state = openCrawlState(directory);
  const commit = state.commit.bind(state);
  state.commit = async (batch) => {
    await disk.ready();
    return commit(batch);
  };
  return await startTestCrawler(web, directory, state, { concurrency: CONCURRENCY });
}

/** Waits until the request log has not grown for a while, and returns its length. */
async function quietCount(web: SyntheticWeb): Promise<number> {
  for (let last = -1; ; ) {
    await sleep(1500);
    if (web.log.length === last) return last;
    last = web.log.length;
  }
}
