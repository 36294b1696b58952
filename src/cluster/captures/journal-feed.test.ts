/** Tests journal writers and the feed of journal objects, with a PostgreSQL and objects in a directory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blobsIn } from '../../base/files/blob-store.ts';
import { openDirectory, silentLog } from '../../base/mod.ts';
import { emptyCommit } from '../../crawl/state/state.fixture.ts';
import { advance, type JournalPosition, journalFiles, readJournal } from '../../journal/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { PostgresCrawlState } from '../crawl-state/mod.ts';
import type { ClusterDatabase } from '../database.ts';
import { Membership } from '../membership.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { VnodeOwner } from '../vnode-owner.ts';
import { listDamagedBatches } from './damaged-batches.ts';
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
  const bucket = openTemporary(t);
  return { sql: sql!, archive: blobsIn(openTemporary(t)), journal: blobsIn(bucket), bucket };
}

type Cluster = Awaited<ReturnType<typeof openCluster>>;

/** Joins a node, which claims a journal writer. */
async function joinCluster(sql: ClusterDatabase, node: string): Promise<string> {
  await new Membership(sql, { node, roles: ['crawl'], weight: 1 }).renew();
  return await claimJournalWriter(sql, node);
}

/** Opens the captures of a node. The returned function commits a batch with one record. */
async function openNode({ sql, archive, journal }: Cluster, node: string) {
  const state = new PostgresCrawlState(sql, new VnodeOwner(sql, node, 0), { hasObjects: true });
  const options = { archive, journal, node, software: 'Gyre test', compression: 'gzip' as const };
  const store = await openObjectCaptures({ ...options, clock: { now: () => 0 } }, await state.marks());
  return async (path: string) => {
    store.record({ kind: 'gone', url: `https://a.test/${path}` as CanonicalUrl, fetchedAt: 1, status: 404 });
    await state.commit({ ...emptyCommit(), ...(await store.seal()) });
    store.committed();
  };
}

function openFeed(t: TestContext, { sql, journal }: Cluster) {
  return new JournalFeed(sql, journal, openTemporary(t), { log: silentLog, retryMs: 0 });
}

/** Reads everything after a position. Returns the paths and the new position. */
async function readAfter(feed: JournalFeed, position: JournalPosition) {
  const files = await feed.bring(position);
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
  const feed = openFeed(t, cluster);
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
  const feed = openFeed(t, cluster);
  assert.deepEqual(await readAfter(feed, {}), { paths: ['1', '2'], position: { n1: 2 } });
});

/** Returns the problems of the damaged batches, by the name of their objects. */
async function problemsOf({ sql }: Cluster): Promise<Record<string, string>> {
  const damaged = await listDamagedBatches(sql);
  return Object.fromEntries(damaged.map(({ object, problem }) => [object, problem]));
}

for (const [damage, expected] of [
  ['shortened', /expected \d+ bytes with SHA-256 \w+, got \d+ bytes with SHA-256 \w+/],
  ['changed', /expected \d+ bytes with SHA-256 \w+, got \d+ bytes with SHA-256 \w+/],
  ['missing', /the object is missing/],
] as const) {
  test(`an object that is ${damage} holds its writer and no other, until it is restored`, async (t) => {
    const cluster = await openCluster(t);
    for (const node of ['a', 'b']) await joinCluster(cluster.sql, node);
    const [a, b] = [await openNode(cluster, 'a'), await openNode(cluster, 'b')];
    for (const path of ['1', '2', '3']) await a(path);
    await b('4');
    const object = 'a-00000003.journal';
    const bytes = cluster.bucket.read(object);
    const changed = Buffer.from(bytes);
    changed[9] = 1; // a byte of the epoch, which has no checksum in the file
    if (damage === 'missing') cluster.bucket.remove(object);
    else cluster.bucket.replace(object, damage === 'changed' ? changed : bytes.subarray(0, -8));
    const feed = openFeed(t, cluster);
    const first = await readAfter(feed, {});
    assert.deepEqual(first, { paths: ['1', '4'], position: { n1: 1, n2: 1 } });
    const problems = await problemsOf(cluster);
    assert.deepEqual(Object.keys(problems), [object]);
    assert.match(problems[object]!, expected);
    assert.deepEqual((await readAfter(feed, first.position)).paths, [], 'the position is held');
    cluster.bucket.replace(object, bytes);
    assert.deepEqual((await readAfter(feed, first.position)).paths, ['2', '3']);
    assert.deepEqual(await problemsOf(cluster), {});
  });
}

test('a batch without a digest, as older nodes commit it, is checked by the checksums of its frames', async (t) => {
  const cluster = await openCluster(t);
  await joinCluster(cluster.sql, 'a');
  const commit = await openNode(cluster, 'a');
  await commit('1');
  await cluster.sql`update gyre.capture_batches set journal_digest = null`;
  const [object] = cluster.bucket.list();
  const bytes = cluster.bucket.read(object!);
  bytes[24]! ^= 1;
  cluster.bucket.replace(object!, bytes);
  assert.deepEqual((await readAfter(openFeed(t, cluster), {})).paths, []);
  assert.match((await problemsOf(cluster))[object!]!, /expected checksum/);
});

test('a program that knows no digests and replaces an object removes the digest', async (t) => {
  const cluster = await openCluster(t);
  await joinCluster(cluster.sql, 'a');
  const commit = await openNode(cluster, 'a');
  await commit('1');
  cluster.bucket.rename('a-00000002.journal', 'a-00000002.p1.journal');
  await cluster.sql`update gyre.capture_batches set journal = 'a-00000002.p1.journal', journal_bytes = 1`;
  assert.deepEqual((await readAfter(openFeed(t, cluster), {})).paths, ['1']);
});

test('a copy that cannot be read is fetched again', async (t) => {
  const cluster = await openCluster(t);
  await joinCluster(cluster.sql, 'a');
  const commit = await openNode(cluster, 'a');
  await commit('1');
  const feed = openFeed(t, cluster);
  const [file] = await feed.bring({});
  feed.directory.replace(file!, Buffer.from('damaged'));
  await feed.refuse(file!, 'no journal');
  assert.match((await problemsOf(cluster))['a-00000002.journal']!, /no journal/);
  assert.deepEqual((await readAfter(feed, {})).paths, ['1']);
  assert.deepEqual(await problemsOf(cluster), {});
});

test('a shard that is far behind another one skips nothing', async (t) => {
  const cluster = await openCluster(t);
  await joinCluster(cluster.sql, 'a');
  const commit = await openNode(cluster, 'a');
  for (let n = 1; n <= 70; n++) await commit(String(n));
  const feed = openFeed(t, cluster);
  assert.deepEqual((await readAfter(feed, { n1: 69 })).paths, ['70']);
  const paths: string[] = [];
  for (let position: JournalPosition = {}; paths.length < 70; ) {
    const read = await readAfter(feed, position);
    assert.notEqual(read.paths.length, 0);
    paths.push(...read.paths);
    position = read.position;
  }
  assert.equal(new Set(paths).size, 70);
});
