/** Tests the captures of a cluster by URL, with a PostgreSQL and objects in a directory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFetched, fetchAndRun } from '../../archive/mod.ts';
import { capture, FETCHED_AT } from '../../archive/warc/warc.fixture.ts';
import { blobsIn } from '../../base/files/blob-store.ts';
import { DAY_MS, openDirectory } from '../../base/mod.ts';
import { emptyCommit } from '../../crawl/state/state.fixture.ts';
import { PostgresCrawlState } from '../crawl-state/mod.ts';
import { Membership } from '../membership.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { VnodeOwner } from '../vnode-owner.ts';
import { clusterCaptures } from './capture-index.ts';
import { claimJournalWriter } from './journal-writers.ts';
import { openObjectCaptures } from './object-capture-store.ts';

test('captures of all nodes are found by URL and read by range, also after a repeated commit', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-captures-'));
  t.after(() => rmSync(path, { recursive: true }));
  const archive = blobsIn(openDirectory(join(path, 'archive')));
  const journal = blobsIn(openDirectory(join(path, 'journal')));
  const [sql] = await openDatabases(t, 1);
  for (const [index, compression] of (['gzip', 'zstd'] as const).entries()) {
    const node = `node${index}`;
    await new Membership(sql!, { node, roles: ['crawl'], weight: 1 }).renew();
    await claimJournalWriter(sql!, node);
    const state = new PostgresCrawlState(sql!, new VnodeOwner(sql!, node, 0), { hasObjects: true });
    const options = { archive, journal, node, software: 'Gyre test', compression, clock: { now: () => 0 } };
    const store = await openObjectCaptures(options, await state.marks());
    store.archive(capture('/other', 'another page'));
    store.archive(capture('/page', `fetched by ${node}`, { fetchedAt: FETCHED_AT + index * DAY_MS }));
    const batch = { ...emptyCommit(), ...(await store.seal()) };
    await state.commit(batch);
    await state.commit(batch);
  }
  const captures = clusterCaptures(sql!, archive);
  const { url } = capture('/page', '');
  const entries = await captures.find(url);
  assert.deepEqual(
    entries.map(({ timestamp, status, filename }) => [timestamp, status, filename]),
    [
      ['20260103030405', 200, 'node1-00000002.warc.zst'],
      ['20260102030405', 200, 'node0-00000002.warc.gz'],
    ],
  );
  const { bodies } = await fetchAndRun(captures, async (fetched) =>
    readFetched(fetched, (reader) => {
      const found = reader.find(url).map((entry) => reader.read(entry).http!.body.toString());
      return { kind: 'bodies', bodies: found };
    }),
  );
  assert.deepEqual(bodies, ['fetched by node1', 'fetched by node0']);
  assert.deepEqual(await captures.find('https://example.org/unknown'), []);
});
