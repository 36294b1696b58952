import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, systemClock } from '../../../base/mod.ts';
import { type CanonicalUrl, fingerprint } from '../../../url/mod.ts';
import type { HostRow, UrlResult } from '../crawl-state.ts';
import { emptyCommit } from '../state.fixture.ts';
import { HostList, type HostQuery } from './sqlite-host-list.ts';
import { openCrawlState } from './sqlite-state.ts';

const ALL: HostQuery = { text: '', choice: 'all', order: 'host', offset: 0, limit: 10 };

async function threeHosts(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-hosts-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const root = openDirectory(path);
  const state = openCrawlState(root);
  t.after(() => state.close());
  const found = (url: string) => ({
    url: url as CanonicalUrl,
    fingerprint: fingerprint(url as CanonicalUrl),
    depth: 0,
  });
  const discovered = [
    ...['/', '/1', '/2'].map((path) => found(`https://a.test${path}`)),
    ...['/', '/1'].map((path) => found(`https://b.test${path}`)),
    found('https://c.test/'),
  ];
  const result = (at: number, state: UrlResult['state'], reason: UrlResult['reason']): UrlResult => ({
    ...{ fingerprint: discovered[at]!.fingerprint, state, reason },
    ...{ attempts: 1, status: 200, fetchedAt: 1 },
  });
  await state.commit({ ...emptyCommit(), discovered });
  const parked: HostRow = {
    ...{ origin: 'https://b.test', nextFetchAt: 9e15, delayMs: 700, robots: null, failures: 5 },
    ...{ waitReason: null, parkedReason: { code: 'long-delay', delayMs: 700 } },
    ...{ address: '', links: 0, fetched: 2, useful: 1 },
  };
  const results = [
    result(0, 'done', { code: 'page' }),
    result(1, 'refused', { code: 'url-rule', rule: 'no' }),
    result(3, 'failed', { code: 'no-response', cause: 'timeout' }),
  ];
  await state.commit({ ...emptyCommit(), results, hosts: [parked] });
  const hosts = new HostList(root, systemClock);
  t.after(() => hosts.close());
  const names = (query: Partial<HostQuery>) =>
    hosts.list({ ...ALL, ...query }).hosts.map(({ host }) => host.origin.slice(8, 9));
  return { root, state, hosts, names };
}

test('hosts are sorted, filtered and paged, with the numbers of their URLs', async (t) => {
  const { hosts, names } = await threeHosts(t);
  assert.deepEqual(names({}), ['a', 'b', 'c']);
  assert.deepEqual(names({ order: 'errors' }), ['b', 'a', 'c']);
  assert.deepEqual(names({ order: 'delay' }), ['b', 'a', 'c']);
  assert.deepEqual(names({ choice: 'waiting' }), ['b']);
  assert.deepEqual(names({ choice: 'errors', text: 'A.TEST' }), []);
  assert.deepEqual(names({ offset: 1, limit: 1 }), ['b']);
  assert.equal(hosts.list({ ...ALL, limit: 1 }).total, 3);
  assert.deepEqual(hosts.find('https://a.test')?.counts, { known: 3, queued: 1, failed: 0, refused: 1 });
  assert.equal(hosts.find('https://unknown.test'), null);
  const waits = hosts.waits().map(({ parkedReason, count }) => [parkedReason, count]);
  assert.deepEqual(waits, [
    ['', 2],
    ['long-delay', 1],
  ]);
});
