/** Tests publishing an index, with manifests in PostgreSQL and objects in a directory. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { blobsIn } from '../../base/files/blob-store.ts';
import { type Directory, openDirectory, readSealed, silentLog, writeSealed } from '../../base/mod.ts';
import { type Manifest, readManifest, writeManifest } from '../../index/mod.ts';
import { canonicalize, fingerprint } from '../../url/mod.ts';
import { checkClusterIdentity } from '../cluster-identity.ts';
import { Coordinator } from '../coordinator.ts';
import { SHARD_TABLE } from '../leased-tables.ts';
import { Membership } from '../membership.ts';
import { postgresManifestStore } from '../postgres-manifest-store.ts';
import { openDatabases } from '../test-database.fixture.ts';
import { VnodeOwner } from '../vnode-owner.ts';
import { PublishedIndex } from './published-index.ts';
import { shardIndexName, shardOf } from './shard-place.ts';

const KIND = { magic: 'TEST', version: 1 };

function openTemporary(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-shard-'));
  t.after(() => rmSync(path, { recursive: true }));
  return openDirectory(path);
}

/**
 * Opens a cluster with one shard. `open` opens the shard for a node, which takes the shard over from the
 * previous node.
 */
async function openCluster(t: TestContext) {
  const [sql] = await openDatabases(t, 1);
  await checkClusterIdentity(sql!, { name: 'test', shards: 1 });
  const objects = openTemporary(t);
  const blobs = blobsIn(objects);
  const open = async (node: string, directory = openTemporary(t)) => {
    await sql!`update gyre.nodes set lease_until = '-infinity'`;
    await sql!`update gyre.coordinator set lease_until = '-infinity'`;
    await new Membership(sql!, { node, roles: ['index'], weight: 1 }, { leaseMs: 60_000 }).renew();
    const coordinator = new Coordinator(sql!, node);
    await coordinator.plan((await coordinator.acquire())!);
    const owner = new VnodeOwner(sql!, node, 0, SHARD_TABLE);
    await owner.claim();
    const [shard] = await owner.owned();
    const retiredMs = 0;
    const options = { sql: sql!, owner, shard: shard!, blobs, directory, log: silentLog, retiredMs };
    const index = await PublishedIndex.open(options);
    return { index, directory };
  };
  const read = () => postgresManifestStore(sql!, shardIndexName(0)).read();
  return { open, read, objects };
}

/** Writes the next version of a local index, with one segment that replaces all others. Returns its file name. */
function writeVersion(directory: Directory, content: string): string {
  const before = readManifest(directory);
  const file = `seg-${String(before.nextSegment).padStart(8, '0')}.seg`;
  writeSealed(directory, file, KIND, Buffer.from(content));
  const sides = { deleted: 0, deletes: null, ranks: null, anchors: null, checksum: null };
  const next: Manifest = {
    ...before,
    id: 'index',
    generation: before.generation + 1,
    nextSegment: before.nextSegment + 1,
    segments: [{ file, docs: 1, ...sides }],
  };
  writeManifest(directory, next);
  return file;
}

test('a published version is visible with its files, and replaced files are deleted later', async (t) => {
  const { open, read, objects } = await openCluster(t);
  const { index, directory } = await open('node');
  await index.publish();
  assert.equal((await read()).generation, 0, 'an index without documents is not published');
  const first = writeVersion(directory, 'first');
  await index.publish();
  assert.deepEqual(
    (await read()).segments.map(({ file }) => file),
    [first],
  );
  const second = writeVersion(directory, 'second');
  await index.publish();
  assert.deepEqual(objects.list(), [first, second], 'searchers may still read the first segment');
  assert.equal(await index.deleteRetired(), 1);
  assert.deepEqual(objects.list(), [second]);
});

test('a new owner continues with the published files, and the late owner is refused', async (t) => {
  const { open, read, objects } = await openCluster(t);
  const late = await open('late');
  const published = writeVersion(late.directory, 'published');
  assert.equal(late.index.ranking, null);
  await late.index.publish('ranks-00000001');
  const next = await open('next');
  assert.equal(next.index.ranking, 'ranks-00000001');
  assert.deepEqual(next.directory.list(), ['manifest.json', published]);
  const orphan = writeVersion(late.directory, 'late');
  await assert.rejects(late.index.publish('ranks-00000002'), { code: 'stale-epoch' });
  const file = writeVersion(next.directory, 'next');
  assert.notEqual(file, orphan, 'the numbers of the new owner begin after those of the late one');
  await next.index.publish();
  assert.equal((await read()).segments[0]!.file, file);
  const third = await open('third');
  assert.deepEqual(third.directory.list(), ['manifest.json', file]);
  assert.equal(third.index.ranking, 'ranks-00000001', 'the ranking of the late owner was refused too');
  await third.index.deleteRetired();
  assert.deepEqual(objects.list(), [file], 'files that were never published are deleted');
});

test('an owner that comes back uses its local files only if they are the published ones', async (t) => {
  const { open } = await openCluster(t);
  const { index, directory } = await open('node');
  const file = writeVersion(directory, 'published');
  await index.publish();
  await open('node', directory);
  assert.deepEqual(directory.list(), ['manifest.json', file]);
  const lost = writeVersion(directory, 'not published');
  await open('node', directory);
  assert.ok(!directory.has(lost));
  assert.equal(String(readSealed(directory, file, KIND)), 'published');
});

test('documents are divided evenly among shards', () => {
  const counts = [0, 0, 0];
  for (let number = 0; number < 3_000; number++)
    counts[shardOf(fingerprint(canonicalize(`https://a.test/${number}`)!), 3)]!++;
  assert.ok(Math.min(...counts) > 900, String(counts));
});
