/**
 * A crawl of everything that the synthetic web can do wrong: it ends, within bounds, politely, and knows
 * afterwards what it should and should not. The server's log says what was asked for.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';
import { FEATURE_NAMES, politenessViolations, robotsViolations, startWeb } from '../web/mod.ts';

const DELAY_MS = 20;
/** What a crawl without sense for traps would exceed many times over. */
const MAX_REQUESTS = 4000;

test('a crawl of every misbehaviour ends, politely, and believes what pages say of themselves', async (context) => {
  const features = Object.fromEntries(FEATURE_NAMES.map((name) => [name, true as const]));
  const tuning = { bombBytes: 50e6, slowMs: 500 };
  const web = await startWeb({ seed: 21, hosts: 10, pages: 150, features, tuning });
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const config = writeConfig(directory, { delay: `${DELAY_MS}ms`, timeLimit: '2s' });
  const options = ['--data', join(directory, 'data'), '--config', config];
  const crawl = await gyre(['crawl', ...options, ...web.seeds]);
  assert.equal(crawl.code, 0, crawl.stderr);
  assert.ok(web.log.length < MAX_REQUESTS, `${web.log.length} requests`);

  const limits = { delayMs: DELAY_MS, toleranceMs: 3 };
  assert.deepEqual(
    politenessViolations(web.log, web.plan, limits).map(({ message }) => message),
    [],
  );
  assert.deepEqual(
    robotsViolations(web.log, web.plan).map(({ message }) => message),
    [],
  );

  const asked = new Set([...web.log].map(({ host, path }) => host + path));
  for (const { page, unfollowed, followed } of web.plan.truth.nofollow) {
    for (const path of unfollowed) assert.ok(!asked.has(page.host + path), `not to be followed: ${path}`);
    for (const path of followed) assert.ok(asked.has(page.host + path), `to be followed: ${path}`);
  }
  for (const { host, link, follow } of [...web.plan.truth.noindex, ...web.plan.truth.xRobotsTag]) {
    assert.equal(asked.has(host + link), follow, `${host}${link}`);
  }
  for (const { host, kind, hidden } of web.plan.truth.sitemaps) {
    // One that robots.txt does not name is not guessed at.
    if (kind === 'unannounced') continue;
    for (const { path } of hidden) assert.ok(asked.has(host + path), `sitemap ${kind}: ${host}${path}`);
  }

  assert.equal((await gyre(['build', ...options])).code, 0);
  const index = openDirectory(join(directory, 'data', 'index'));
  const searcher = openSearcher(index, { log: silentLog, clock: systemClock });
  context.after(() => searcher.close());
  const find = async (word: string) => (await searcher.search({ query: word, offset: 0, limit: 5 })).total;
  for (const page of web.plan.plainPages(web.port)) assert.equal(await find(page.uniqueWord), 1, page.url);
  for (const { uniqueWord, index: wanted, directive } of [
    ...web.plan.truth.noindex,
    ...web.plan.truth.xRobotsTag,
  ]) {
    assert.equal(await find(uniqueWord), wanted ? 1 : 0, directive);
  }
});
