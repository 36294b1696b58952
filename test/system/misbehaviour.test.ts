/**
 * Tests a crawl of all misbehaviour of the synthetic web: the number of requests is bounded, the politeness
 * rules are kept, and the right pages are indexed. Requests are checked with the log of the server.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ArchiveReader } from '../../src/archive/mod.ts';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { openCrawlState } from '../../src/crawl/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { politenessViolations, robotsViolations } from '../../src/synthetic-web/checkers.ts';
import { WEB_FEATURE_NAMES } from '../../src/synthetic-web/features.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import type { Place } from '../../src/synthetic-web/site.ts';
import { canonicalize, fingerprint } from '../../src/url/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const DELAY_MS = 20;
/**
 * The maximum number of requests of the crawl. A crawl without trap detection would send many times as many.
 */
const MAX_REQUESTS = 4000;

/**
 * Checks that the crawl requests the icon of each site once. It keeps only images, and only in the archive.
 */
async function checkIcons({ log, plan, url }: SyntheticWeb, data: string): Promise<void> {
  const { icons } = plan.truth;
  const hosts = new Set(icons.map(({ host }) => host));
  const isForIcon = ({ host, path }: Place) => hosts.has(host) && path !== '/' && path !== '/robots.txt';
  const asked = [...log].filter(isForIcon).map(({ host, path }) => host + path);
  const expected = icons.flatMap((icon) => icon.asked.map(({ host, path }) => host + path));
  assert.deepEqual(asked.sort(), expected.sort());
  const state = openCrawlState(openDirectory(data), { readOnly: true });
  const archive = new ArchiveReader(openDirectory(join(data, 'archive')));
  for (const { host, kind, asked: places, picture } of icons) {
    const found = (await state.host(url(host, '').replace(/\/$/, '')))?.icon?.found || null;
    if (found === null || found.startsWith('data:')) {
      assert.equal(found, picture && `data:image/png;base64,${picture}`, kind);
    } else {
      assert.equal(archive.read(archive.find(found)[0]!).http?.body.toString('base64'), picture, kind);
    }
    const others = places.map((place) => url(place.host, place.path)).filter((place) => place !== found);
    for (const place of others) assert.deepEqual(archive.find(place), [], place);
    for (const place of places)
      assert.equal(await state.urlOf(fingerprint(canonicalize(url(place.host, place.path))!)), null);
  }
  archive.close();
  state.close();
}

test('a crawl of every misbehaviour ends, stays polite and respects page directives', async (context) => {
  const features = Object.fromEntries(WEB_FEATURE_NAMES.map((name) => [name, true as const]));
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
    // A sitemap that robots.txt does not list is not requested.
    if (kind === 'unannounced') continue;
    for (const { path } of hidden) assert.ok(asked.has(host + path), `sitemap ${kind}: ${host}${path}`);
  }

  await checkIcons(web, join(directory, 'data'));

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
