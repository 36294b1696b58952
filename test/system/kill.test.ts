/**
 * The promise of the crawl: killed at any moment, it goes on as if nothing had been. The synthetic
 * web's own log is the witness for politeness, an independent WARC reader for the archive.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, silentLog, sleep, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { archivedCounts, writeConfig } from '../helpers/synthetic-crawl.ts';
import { politenessViolations, robotsViolations, type SyntheticWeb, startWeb } from '../web/mod.ts';

const PAGES = 2000;
const DELAY_MS = 30;
const KILL_AFTER_REQUESTS = [250, 900, 1700];
/** Timers and the kernel blur moments by about this much. */
const TOLERANCE_MS = 3;

test('a crawl that is killed three times archives every page exactly once, politely', async (context) => {
  const features = {
    robots: true,
    redirects: true,
    redirectLoops: true,
    exactDuplicates: true,
    errors404: true,
  } as const;
  const web = await startWeb({
    seed: 11,
    hosts: 60,
    pages: PAGES,
    features: { ...features, flaky: true, tooMany: true },
  });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const data = join(directory, 'data');
  const options = ['--data', data, '--config', writeConfig(directory, { delay: `${DELAY_MS}ms` })];

  for (const requests of KILL_AFTER_REQUESTS) {
    const crawl = new Gyre(['crawl', ...options, ...web.seeds]);
    await Promise.race([logReaches(web, requests), crawl.ended()]);
    assert.equal((await crawl.kill('SIGKILL')).code, null, 'it was still running');
  }
  const last = await gyre(['crawl', ...options]);
  assert.equal(last.code, 0, last.stderr);

  const limits = { delayMs: DELAY_MS, toleranceMs: TOLERANCE_MS };
  assert.deepEqual(
    politenessViolations(web.log, web.plan, limits).map(({ message }) => message),
    [],
  );
  assert.deepEqual(
    robotsViolations(web.log, web.plan).map(({ message }) => message),
    [],
  );

  const archived = await archivedCounts(data);
  const pages = [...web.plan.plainPages(web.port)];
  assert.equal(pages.length, PAGES);
  assert.deepEqual(
    pages.filter(({ url }) => archived.get(url) !== 1).map(({ url }) => [url, archived.get(url)]),
    [],
  );
  assert.deepEqual(
    [...archived].filter(([, count]) => count !== 1),
    [],
  );

  assert.equal((await gyre(['build', ...options])).code, 0);
  assert.equal((await gyre(['rank', ...options])).code, 0);
  const searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  context.after(() => searcher.close());
  const missed: string[] = [];
  for (const page of pages) {
    const { results } = await searcher.search({ query: page.uniqueWord, offset: 0, limit: 3 });
    if (results.length !== 1 || results[0]!.url !== page.url) missed.push(`${page.uniqueWord}: ${page.url}`);
  }
  assert.deepEqual(missed, []);
});

async function logReaches(web: SyntheticWeb, requests: number): Promise<void> {
  while (web.log.length < requests) await sleep(5);
}
