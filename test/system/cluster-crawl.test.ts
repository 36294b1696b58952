/** Tests the real crawler over the crawl state in PostgreSQL, against the synthetic web. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openDirectory, sleep } from '../../src/base/mod.ts';
import { openState } from '../../src/cluster/crawl-state/crawl-state.fixture.ts';
import { openDatabases } from '../../src/cluster/test-database.fixture.ts';
import { type CrawlState, openCrawlState } from '../../src/crawl/mod.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { temporaryDirectory } from '../helpers/gyre.ts';
import { startTestCrawler } from '../helpers/test-crawler.ts';

async function openWeb(context: TestContext): Promise<SyntheticWeb> {
  const features = {
    redirects: true,
    canonical: true,
    sitemaps: true,
    exactDuplicates: true,
    noindex: true,
  } as const;
  const web = await startWeb({ seed: 5, hosts: 12, pages: 200, features });
  context.after(() => web.close());
  return web;
}

/** Matches the random path by which a crawl learns how a host responds to missing pages. */
const PROBE = /^\/[a-z]{16}$/;

/** Crawls the web from its seeds to the end. Returns the requests and the outcomes. */
async function crawl(context: TestContext, web: SyntheticWeb, state: CrawlState) {
  const start = web.log.length;
  const crawler = await startTestCrawler(web, openDirectory(temporaryDirectory(context)), state);
  await crawler.run();
  const entries = web.log.entries(start).filter(({ path }) => !PROBE.test(path));
  const requests = entries.map(({ host, path }) => host + path);
  return { requests: requests.sort(), outcomes: await outcomesOf(state), counts: await state.counts() };
}

/**
 * Returns the number of fetched URLs by outcome. Canonical links and duplicates are counted together: if a page is both,
 * the order of the requests decides which of them is found first.
 */
async function outcomesOf(state: CrawlState): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  for (const { reason, count } of await state.answers()) {
    const name = reason.code === 'canonical' ? 'duplicate' : reason.code;
    outcomes[name] = (outcomes[name] ?? 0) + count;
  }
  return outcomes;
}

test('a crawl over PostgreSQL sends the same requests as over SQLite, and has the same outcomes', async (context) => {
  const web = await openWeb(context);
  const [sql] = await openDatabases(context, 1);
  const sqlite = openCrawlState(openDirectory(temporaryDirectory(context)));
  const expected = await crawl(context, web, sqlite);
  sqlite.close();
  const got = await crawl(context, web, await openState(sql!, 'node'));
  assert.deepEqual(got, expected);
  assert.ok(got.counts.done > 200, `${got.counts.done} URLs were fetched`);
});

test('a crawl that was stopped continues with its remaining URLs', async (context) => {
  const web = await openWeb(context);
  const [sql] = await openDatabases(context, 1);
  const directory = openDirectory(temporaryDirectory(context));
  const first = await startTestCrawler(web, directory, await openState(sql!, 'node'), { concurrency: 2 });
  const ended = first.run();
  while (web.log.length < 60) await sleep(5);
  first.stop();
  await ended;
  const atStop = web.log.length;
  const again = await startTestCrawler(web, directory, await openState(sql!, 'node'));
  await again.run();
  assert.ok(web.log.length > atStop);
  const requests = web.log.entries().map(({ host, path }) => host + path);
  for (const { host, path } of web.plan.plainPages(web.port)) {
    const count = requests.filter((request) => request === host + path).length;
    assert.ok(count === 1 || count === 2, `${host}${path} was requested ${count} times`);
  }
});
