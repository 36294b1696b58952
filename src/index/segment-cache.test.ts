import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blobsIn } from '../base/files/blob-store.ts';
import { type BlobStore, silentLog } from '../base/mod.ts';
import { IndexReader } from './index-reader.ts';
import { IndexWriter } from './index-writer.ts';
import { EMPTY_MANIFEST, filesOf, readManifest, writeManifest } from './manifest.ts';
import {
  addSegment,
  fingerprintOf,
  liveTexts,
  makeDocument,
  temporaryDirectory,
} from './segment/documents.fixture.ts';
import { cachedSegments, localSegments } from './segment-cache.ts';

test('a node that only searches follows the index of another node', async (t) => {
  const built = temporaryDirectory(t);
  const remote = blobsIn(temporaryDirectory(t));
  const cache = cachedSegments(remote, temporaryDirectory(t));
  const writer = new IndexWriter(built, silentLog);
  const publish = async () => {
    writer.commit();
    const manifest = readManifest(built);
    for (const name of filesOf(manifest)) await remote.put(name, built.read(name));
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
  assert.deepEqual(cache.directory.list(), ['manifest.json', ...filesOf(manifest)].sort());
  reader.close();
  writer.close();
});

test('a file that is in the cache is not fetched again', async (t) => {
  const blobs = blobsIn(temporaryDirectory(t));
  await blobs.put('seg-00000001.seg', Buffer.from('segment'));
  const fetched: string[] = [];
  const counting: BlobStore = {
    ...blobs,
    get(name) {
      fetched.push(name);
      return blobs.get(name);
    },
  };
  const cache = cachedSegments(counting, temporaryDirectory(t));
  const entry = { file: 'seg-00000001.seg', docs: 1, deleted: 0 };
  const sides = { deletes: null, ranks: null, anchors: null, checksum: null };
  const manifest = { ...EMPTY_MANIFEST, segments: [{ ...entry, ...sides }] };
  await cache.bring(manifest);
  await cache.bring(manifest);
  assert.deepEqual(fetched, ['seg-00000001.seg']);
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
