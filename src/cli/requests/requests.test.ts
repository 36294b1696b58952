import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, silentLog, sleep } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { changeRemovals, withRules } from '../removals/mod.ts';
import { loadConfig } from '../settings/mod.ts';
import { addRequests } from './fetch-requests.ts';
import { followRequests, readRequests, requestHost, takeUrls } from './mod.ts';

const PAGE = 'https://a.example/page' as CanonicalUrl;
const HOST = 'https://b.example';

function temporaryRoot(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-requests-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

/** A crawl that records its calls, and commits when `commit` is called. */
function fakeCrawl() {
  const fetched: string[] = [];
  let committed = Promise.withResolvers<void>();
  return {
    fetched,
    commit() {
      committed.resolve();
      committed = Promise.withResolvers<void>();
    },
    fetchNow: async (urls: readonly string[]) => void fetched.push(...urls),
    fetchHostsNow: async (origins: readonly string[]) => void fetched.push(...origins),
    untilCommitted: () => committed.promise,
  };
}

test('requests add up, and a damaged file counts as empty', (t) => {
  const root = temporaryRoot(t);
  addRequests(root, { urls: [PAGE] });
  requestHost(root, HOST);
  requestHost(root, HOST);
  assert.deepEqual(readRequests(root), { urls: [PAGE], hosts: [HOST] });
  writeFileSync(join(root.path, 'requested.json'), '{"urls":[1');
  assert.deepEqual(readRequests(root), { urls: [], hosts: [] });
});

test('a running crawl takes requests, and forgets only those that a commit has stored', async (t) => {
  const root = temporaryRoot(t);
  addRequests(root, { urls: [PAGE] });
  const killed = fakeCrawl();
  (await followRequests(root, killed, silentLog))();
  assert.deepEqual(killed.fetched, [PAGE]);
  assert.deepEqual(readRequests(root).urls, [PAGE], 'the crawl was killed before its commit');
  const crawl = fakeCrawl();
  const unfollow = await followRequests(root, crawl, silentLog);
  t.after(unfollow);
  requestHost(root, HOST);
  while (!crawl.fetched.includes(HOST)) {
    crawl.commit();
    await sleep(20);
  }
  assert.deepEqual(crawl.fetched, [PAGE, HOST]);
  assert.deepEqual(readRequests(root), { urls: [], hosts: [HOST] });
  while (readRequests(root).hosts.length > 0) {
    crawl.commit();
    await sleep(20);
  }
});

test('a batch of URLs is judged one by one, and only new ones are requested', async (t) => {
  const root = temporaryRoot(t);
  const file = join(root.path, 'config.json');
  writeFileSync(file, '{"crawl":{"rules":[{"verb":"ignore","extension":"pdf"}]}}');
  const config = loadConfig({ environment: {}, flags: { data: root.path }, file });
  changeRemovals(root, (list) =>
    withRules(list, [{ kind: 'host', value: 'gone.example', removedAt: 1, purge: 'no' }]),
  );
  addRequests(root, { urls: [PAGE] });
  const given = [
    'https://A.example/new#top',
    'a word',
    PAGE,
    'https://a.example/x.pdf',
    'https://gone.example/',
  ];
  const taken = await takeUrls(root, [...given, ' https://a.example/new '], config);
  assert.deepEqual(
    taken.map(({ url, status, code = '' }) => [url, status, code]),
    [
      ['https://a.example/new', 'accepted', ''],
      ['a word', 'refused', 'bad-url'],
      [PAGE, 'known', ''],
      ['https://a.example/x.pdf', 'refused', 'url-ignored'],
      ['https://gone.example/', 'refused', 'url-removed'],
      ['https://a.example/new', 'known', ''],
    ],
  );
  assert.match(taken[3]!.reason!, /the URL rule "rule 1" ignores it/);
  assert.deepEqual(readRequests(root).urls, [PAGE, 'https://a.example/new']);

  const many = Array.from({ length: 10_000 }, (_, at) => `https://b.example/${at}`);
  const full = await takeUrls(root, many, config);
  assert.deepEqual([...new Set(full.map(({ code }) => code))], ['list-full']);
  assert.equal(readRequests(root).urls.length, 2);
});
