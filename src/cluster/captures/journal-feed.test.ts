/** Tests journal writers and the feed of journal objects, with a PostgreSQL and objects in a directory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blobsIn } from '../../base/files/blob-store.ts';
import { openDirectory } from '../../base/mod.ts';
import { emptyCommit } from '../../crawl/state/state.fixture.ts';
import { advance, type JournalPosition, journalFiles, readJournal } from '../../journal/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { PostgresCrawlState } from '../crawl-state/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { Membership } from '../membership.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { VnodeOwner } from '../vnode-owner.ts';
import { JournalFeed } from './journal-feed.ts';
import { claimJournalWriter } from './journal-writers.ts';
import { openObjectCaptures } from './object-capture-store.ts';

function openTemporary(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-feed-'));
  t.after(() => rmSync(path, { recursive: true }));
  return openDirectory(path);
}

async function openCluster(t: TestContext) {
  const [sql] = await openDatabases(t, 1);
  return { sql: sql!, archive: blobsIn(openTemporary(t)), journal: blobsIn(openTemporary(t)) };
}

/** Joins a node, which claims a journal writer. */
async function joinCluster(sql: ClusterDatabase, node: string): Promise<string> {
  await new Membership(sql, { node, roles: ['crawl'], weight: 1 }).renew();
  return await claimJournalWriter(sql, node);
}

/** Opens the captures of a node. The returned function commits a batch with one record. */
async function openNode({ sql, archive, journal }: Awaited<ReturnType<typeof openCluster>>, node: string) {
  const state = new PostgresCrawlState(sql, new VnodeOwner(sql, node, 0), { hasObjects: true });
  const options = { archive, journal, node, software: 'Gyre test', compression: 'gzip' as const };
  const store = await openObjectCaptures({ ...options, clock: { now: () => 0 } }, await state.marks());
  return async (path: string) => {
    store.record({ kind: 'gone', url: `https://a.test/${path}` as CanonicalUrl, fetchedAt: 1, status: 404 });
    await state.commit({ ...emptyCommit(), ...(await store.seal()) });
    store.committed();
  };
}

/** Reads everything after a position. Returns the paths and the new position. */
async function readAfter(feed: JournalFeed, position: JournalPosition) {
  await feed.bring(position);
  const files = journalFiles(feed.directory, position);
  const urls = files.flatMap((file) =>
    [...readJournal(feed.directory, file)].map(({ url }) => url.slice(15)),
  );
  return { paths: urls.sort(), position: files.reduce(advance, position) };
}

test('a reader gets the committed batches of all writers, each once', async (t) => {
  const cluster = await openCluster(t);
  assert.deepEqual([await joinCluster(cluster.sql, 'a'), await joinCluster(cluster.sql, 'b')], ['n1', 'n2']);
  assert.equal(await joinCluster(cluster.sql, 'a'), 'n1', 'a node keeps its writer');
  const [a, b] = [await openNode(cluster, 'a'), await openNode(cluster, 'b')];
  await a('1');
  await b('2');
  const feed = new JournalFeed(cluster.sql, cluster.journal, openTemporary(t));
  const first = await readAfter(feed, {});
  assert.deepEqual(first, { paths: ['1', '2'], position: { n1: 1, n2: 1 } });
  await a('3');
  const second = await readAfter(feed, first.position);
  assert.deepEqual(second, { paths: ['3'], position: { n1: 2, n2: 1 } });
  feed.release([second.position, first.position]);
  assert.equal(journalFiles(feed.directory).length, 1, 'a reader still needs the last file');
  feed.release([second.position]);
  assert.deepEqual(journalFiles(feed.directory), []);
});

test('a later node continues the numbers of a dead one, whose commits are refused', async (t) => {
  const cluster = await openCluster(t);
  await joinCluster(cluster.sql, 'dead');
  const dead = await openNode(cluster, 'dead');
  await dead('1');
  await cluster.sql`update gyre.nodes set lease_until = '-infinity' where node = 'dead'`;
  assert.equal(await joinCluster(cluster.sql, 'next'), 'n1');
  await assert.rejects(dead('late'), { code: 'stale-epoch' });
  const next = await openNode(cluster, 'next');
  await next('2');
  const feed = new JournalFeed(cluster.sql, cluster.journal, openTemporary(t));
  assert.deepEqual(await readAfter(feed, {}), { paths: ['1', '2'], position: { n1: 2 } });
});
