/**
 * Tests a crawl of pages that are copies, near copies, variants, mirrors or soft 404s. The decisions of the
 * crawl are compared with the ground truth of the synthetic web, and its requests with the log of the server.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { type CrawlState, documentOf, openCrawlState, otherNames } from '../../src/crawl/mod.ts';
import { openSearcher, type Searcher } from '../../src/query/mod.ts';
import { politenessViolations, robotsViolations } from '../../src/synthetic-web/checkers.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import type { Place } from '../../src/synthetic-web/site.ts';
import { type CanonicalUrl, canonicalize } from '../../src/url/mod.ts';
import { gyre } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const DELAY_MS = 5;
/**
 * The number of pages after which the first run stops, in the middle of the crawl, so that its decisions have
 * to survive a restart.
 */
const FIRST_RUN_PAGES = 400;
const MADE_UP = /^\/[bcdfghjklmnpqrstvwxz]{16}$/;

const directory = mkdtempSync(join(tmpdir(), 'gyre-doubles-'));
const data = join(directory, 'data');
let web: SyntheticWeb;
let state: CrawlState;
let searcher: Searcher;

const urlOf = ({ host, path }: Place): CanonicalUrl => canonicalize(web.url(host, path))!;
const document = (place: Place) => documentOf(state, urlOf(place));
const found = async (word: string) => {
  const { results } = await searcher.search({ query: word, offset: 0, limit: 5 });
  return results.map(({ url }) => url);
};
const asked = (host: string) => web.log.entries().filter((entry) => entry.host === host);

before(async () => {
  const features = {
    exactDuplicates: 60,
    nearDuplicates: 400,
    soft404: 4,
    canonical: 21,
    mirrors: 16,
    errors404: true,
  } as const;
  web = await startWeb({ seed: 31, hosts: 6, pages: 120, features });
  const options = ['--data', data, '--config', writeConfig(directory, { delay: `${DELAY_MS}ms` })];
  const first = await gyre(['crawl', ...options, '--max-pages', String(FIRST_RUN_PAGES), ...web.seeds]);
  assert.equal(first.code, 0, first.stderr);
  const second = await gyre(['crawl', ...options]);
  assert.equal(second.code, 0, second.stderr);
  assert.equal((await gyre(['build', ...options])).code, 0);
  state = openCrawlState(openDirectory(data), { readOnly: true });
  searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
});

after(async () => {
  searcher.close();
  state.close();
  await web.close();
  rmSync(directory, { recursive: true });
});

test('equal pages are one document, and near duplicates are documents of their own', async () => {
  const { exactDuplicates, nearDuplicates } = web.plan.truth;
  for (const pair of exactDuplicates) {
    const names = [urlOf(pair.original), urlOf(pair.copy)];
    const documents = await Promise.all(names.map((name) => documentOf(state, name)));
    assert.equal(documents[0], documents[1]);
    assert.ok(names.includes(documents[0]!), documents[0]);
  }
  for (const { original, copy } of nearDuplicates)
    for (const place of [original, copy]) assert.equal(await document(place), urlOf(place));
});

test('gyre url lists the aliases of a document', async () => {
  const { original, copy } = web.plan.truth.exactDuplicates[1]!;
  const own = await document(original);
  const other = own === urlOf(original) ? urlOf(copy) : urlOf(original);
  const names = (await otherNames(state, own)).map(({ url, kind }) => [url, kind]);
  assert.deepEqual(names, [[other, 'duplicate']]);
  const { stdout } = await gyre(['url', '--data', data, '--json', other]);
  assert.equal(JSON.parse(stdout).nameOf, own);
});

test('each host gets at most one probe for a missing page, also across a restart', (t) => {
  const probes = web.log.entries().filter(({ path }) => MADE_UP.test(path));
  const hosts = probes.map(({ host }) => host);
  t.diagnostic(`${probes.length} of ${web.log.length} requests`);
  assert.equal(new Set(hosts).size, hosts.length);
  for (const { host } of web.plan.truth.soft404) assert.ok(hosts.includes(host), host);
  for (const host of hosts) {
    assert.ok(asked(host).findIndex(({ path }) => MADE_UP.test(path)) > 3, `${host} was asked too early`);
  }
});

test('soft 404s are not found by searches, and real pages are', async () => {
  assert.deepEqual(await found('"page that you asked for is not here"'), []);
  for (const { host, manner, real, missing } of web.plan.truth.soft404) {
    for (const path of real) assert.equal(await document({ host, path }), urlOf({ host, path }));
    const stored = await Promise.all(missing.map((path) => state.verdictOf(urlOf({ host, path }))));
    const verdicts = stored.map((verdict) => verdict?.kind);
    assert.ok(verdicts.includes('soft 404'), `${host}: ${verdicts}`);
    const others = manner === 'home' ? 'redirect' : 'duplicate';
    assert.ok(
      verdicts.every((kind) => kind === 'soft 404' || kind === others),
      `${host}: ${verdicts}`,
    );
  }
});

test('true canonical links are respected, and false ones lose no page', async () => {
  for (const { variant, canonical, manner, uniqueWord } of web.plan.truth.canonical) {
    const isVoid = manner === 'missing' || manner === 'unrelated';
    const expected = urlOf(isVoid ? variant : canonical);
    assert.equal(await document(variant), expected, manner);
    assert.deepEqual(await found(uniqueWord), [expected], manner);
  }
});

test('mirrors are distinguished from similar hosts and cost few requests', async (t) => {
  const { stdout } = await gyre(['status', '--data', data, '--json']);
  const reported = JSON.parse(stdout).mirrors.map(({ mirror, of }: { mirror: string; of: string }) =>
    [mirror, of].map((origin) => new URL(origin).hostname).sort(),
  );
  const wanted = web.plan.truth.mirrors.filter(({ isMirror }) => isMirror);
  const right = wanted.filter(({ hosts }) => reported.some((pair: string[]) => isSame(pair, hosts)));
  t.diagnostic(`${reported.length} mirrors reported, ${right.length} of ${wanted.length} right`);
  assert.equal(right.length, wanted.length, 'recall');
  assert.equal(reported.length, wanted.length, 'precision');
  for (const { hosts, paths } of wanted) {
    const requests = asked(hosts[0]).length + asked(hosts[1]).length;
    t.diagnostic(`${hosts[0]}: ${requests} requests for twice ${paths.length} pages`);
    assert.ok(requests < 1.9 * paths.length, `${hosts}: ${requests} requests for ${paths.length} pages`);
  }
});

test('no page of a mirror is lost, not even one that its primary host lacks', async () => {
  for (const { kind, only, uniqueWords } of web.plan.truth.mirrors) {
    for (const word of [only.uniqueWord, ...uniqueWords]) {
      assert.ok((await found(word)).length >= 1, `${kind} ${word}`);
    }
  }
});

test('a journal rebuilt from the archive has the same records', async () => {
  const before = searcher.stats().docCount;
  const built = await gyre(['build', '--data', data, '--from-archive', '--json']);
  assert.equal(JSON.parse(built.stdout).docCount, before, built.stderr);
  searcher.close();
  searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  assert.deepEqual(await found('"page that you asked for is not here"'), []);
  for (const { variant, canonical, manner, uniqueWord } of web.plan.truth.canonical) {
    const isVoid = manner === 'missing' || manner === 'unrelated';
    assert.deepEqual(await found(uniqueWord), [urlOf(isVoid ? variant : canonical)], manner);
  }
});

test('all requests were polite and allowed', () => {
  const limits = { delayMs: DELAY_MS, toleranceMs: 3 };
  const violations = [
    ...politenessViolations(web.log, web.plan, limits),
    ...robotsViolations(web.log, web.plan),
  ];
  assert.deepEqual(
    violations.map(({ message }) => message),
    [],
  );
});

function isSame(pair: readonly string[], hosts: readonly string[]): boolean {
  return pair.join() === [...hosts].sort().join();
}
