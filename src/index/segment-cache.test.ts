import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { blobsIn } from '../base/files/blob-store.ts';
import { type BlobStore, type Log, silentLog, writeSealed } from '../base/mod.ts';
import { IndexReader } from './index-reader.ts';
import { IndexWriter } from './index-writer.ts';
import { EMPTY_MANIFEST, type Manifest, readManifest, writeManifest } from './manifest.ts';
import {
  addSegment,
  fingerprintOf,
  liveTexts,
  makeDocument,
  temporaryDirectory,
} from './segment/documents.fixture.ts';
import { CachedSegments, CacheSpace, localSegments, searchedFilesOf } from './segment-cache.ts';

test('a node that only searches follows the index of another node', async (t) => {
  const built = temporaryDirectory(t);
  const remote = blobsIn(temporaryDirectory(t));
  const cache = new CachedSegments(remote, temporaryDirectory(t), { log: silentLog });
  const writer = new IndexWriter(built, silentLog);
  const publish = async () => {
    writer.commit();
    const manifest = readManifest(built);
    for (const name of searchedFilesOf(manifest)) await remote.put(name, built.read(name));
    await cache.bring(manifest);
    writeManifest(cache.directory, manifest);
    return manifest;
  };
  await addSegment(built, writer, [makeDocument('a', 'one'), makeDocument('b', 'two')]);
  await publish();
  const reader = new IndexReader(cache.directory, silentLog);
  assert.deepEqual(liveTexts(cache.directory), ['a: one', 'b: two']);
  writer.deleteDocuments([fingerprintOf('a'), fingerprintOf('b')]);
  await addSegment(built, writer, [makeDocument('a', 'newer')]);
  const manifest = await publish();
  reader.refresh();
  await cache.evict(manifest);
  assert.deepEqual(liveTexts(cache.directory), ['a: newer']);
  assert.deepEqual(cache.directory.list(), ['manifest.json', ...searchedFilesOf(manifest)].sort());
  reader.close();
  writer.close();
});

const FILE = 'seg-00000001.seg';
const LARGE = 'seg-00000002.seg';
const KIND = { magic: 'TEST', version: 1 };

/**
 * A store with two sealed files, one of which is larger than a piece. `damage` changes bytes while they are
 * copied.
 */
function countingBlobs(t: TestContext, damage: (name: string, fetch: number) => boolean = () => false) {
  const directory = temporaryDirectory(t);
  writeSealed(directory, FILE, KIND, Buffer.from('a segment'));
  writeSealed(directory, LARGE, KIND, Buffer.alloc(9 * 1024 * 1024, 7));
  const fetched: string[] = [];
  const stored = blobsIn(directory);
  const blobs: BlobStore = {
    ...stored,
    async range(name, start, length) {
      const bytes = await stored.range(name, start, length);
      fetched.push(name);
      if (damage(name, fetched.length)) bytes[3]! ^= 1;
      return bytes;
    },
  };
  return { blobs, fetched, stored: directory };
}

function manifestOf(...files: string[]): Manifest {
  const sides = { deletes: null, ranks: null, anchors: null, checksum: null };
  return { ...EMPTY_MANIFEST, segments: files.map((file) => ({ file, docs: 1, deleted: 0, ...sides })) };
}

test('a file of any size is fetched once, and verified again by the next process only', async (t) => {
  const { blobs, fetched, stored } = countingBlobs(t);
  const directory = temporaryDirectory(t);
  const cache = new CachedSegments(blobs, directory, { log: silentLog });
  await cache.bring(manifestOf(FILE, LARGE));
  await cache.bring(manifestOf(FILE, LARGE));
  assert.deepEqual(fetched, [FILE, LARGE, LARGE]);
  for (const name of [FILE, LARGE]) assert.ok(directory.read(name).equals(stored.read(name)));
  directory.replace(FILE, Buffer.from('damaged while no process ran'));
  const next = new CachedSegments(blobs, directory, { log: silentLog });
  await next.bring(manifestOf(FILE, LARGE));
  assert.deepEqual(fetched.slice(3), [FILE]);
  assert.ok(directory.read(FILE).equals(stored.read(FILE)));
});

test('a file that is damaged while in use is fetched again when it is distrusted', async (t) => {
  const { blobs, fetched, stored } = countingBlobs(t);
  const directory = temporaryDirectory(t);
  const space = new CacheSpace();
  const cache = new CachedSegments(blobs, directory, { log: silentLog, space });
  await cache.bring(manifestOf(FILE));
  directory.replace(FILE, Buffer.from('something else entirely'));
  cache.distrust();
  await cache.bring(manifestOf(FILE));
  assert.deepEqual(fetched, [FILE, FILE]);
  assert.equal(space.usedBytes, stored.sizeOf(FILE));
});

test('bytes that are damaged on their way are fetched again; a damaged object is named', async (t) => {
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(fields?.object) };
  const once = countingBlobs(t, (_, fetch) => fetch === 1);
  await new CachedSegments(once.blobs, temporaryDirectory(t), { log }).bring(manifestOf(FILE));
  assert.deepEqual([once.fetched, warnings], [[FILE, FILE], [FILE]]);
  const always = countingBlobs(t, () => true);
  const directory = temporaryDirectory(t);
  const cache = new CachedSegments(always.blobs, directory, { log });
  const named = { code: 'object-damaged', message: /^the object seg-00000001\.seg is damaged/ };
  await assert.rejects(cache.bring(manifestOf(FILE)), named);
  assert.equal(always.fetched.length, 3);
  assert.ok(directory.isEmpty());
});

test('the copies never need more space than is allowed, and removed ones make room', async (t) => {
  const { blobs, stored } = countingBlobs(t);
  const space = new CacheSpace(stored.sizeOf(LARGE) + stored.sizeOf(FILE) - 1);
  const directory = temporaryDirectory(t);
  const cache = new CachedSegments(blobs, directory, { log: silentLog, space });
  await cache.bring(manifestOf(FILE));
  await assert.rejects(cache.bring(manifestOf(LARGE)), { code: 'cache-full', message: /seg-00000002/ });
  assert.deepEqual([directory.list(), space.usedBytes], [[FILE], stored.sizeOf(FILE)]);
  await cache.evict(EMPTY_MANIFEST);
  assert.equal(space.usedBytes, 0);
  await cache.bring(manifestOf(LARGE));
  assert.equal(space.usedBytes, stored.sizeOf(LARGE));
});

test('segments of the embedded index are opened without a copy', async (t) => {
  const directory = temporaryDirectory(t);
  const cache = localSegments(directory);
  directory.replace('seg-00000001.seg', Buffer.from('a segment that a merge has just written'));
  await cache.bring(EMPTY_MANIFEST);
  await cache.evict(EMPTY_MANIFEST);
  assert.equal(cache.directory, directory);
  assert.deepEqual(directory.list(), ['seg-00000001.seg']);
});
