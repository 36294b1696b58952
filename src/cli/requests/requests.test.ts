import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, silentLog, sleep } from '../../base/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { addRequests } from './fetch-requests.ts';
import { followRequests, readRequests, requestHost } from './mod.ts';

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
