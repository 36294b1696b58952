import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../base/mod.ts';
import { IndexWriter } from './index-writer.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { openManifestStore } from './manifest-store.ts';
import { manifestStoreConformance } from './manifest-store-conformance.fixture.ts';
import { addSegment, makeDocument, temporaryDirectory } from './segment/documents.fixture.ts';

/** A timer of this length keeps the test process alive, because the timer of a watch does not. */
const KEEP_ALIVE_MS = 10_000;

manifestStoreConformance('a manifest in a file', async (t) => {
  const directory = temporaryDirectory(t);
  const timer = setTimeout(() => {}, KEEP_ALIVE_MS);
  t.after(() => clearTimeout(timer));
  return [openManifestStore(directory, { pollMs: 1 }), openManifestStore(directory, { pollMs: 1 })];
});

test('a writer refuses to replace the manifest of another writer', async (t) => {
  const directory = temporaryDirectory(t);
  const first = new IndexWriter(directory, silentLog);
  const second = new IndexWriter(directory, silentLog);
  await addSegment(directory, first, [makeDocument('a', 'one')]);
  first.commit();
  await addSegment(directory, second, [makeDocument('b', 'two')]);
  assert.throws(() => second.commit(), { code: 'index-changed' });
  first.close();
  second.close();
});

test('a watch reports a damaged manifest and continues', async (t) => {
  const directory = temporaryDirectory(t);
  directory.replace(MANIFEST_NAME, Buffer.from('{'));
  const failures: unknown[] = [];
  const stop = openManifestStore(directory).watch(
    () => assert.fail('there is no manifest'),
    (error) => failures.push(error),
  );
  stop();
  assert.equal(failures.length, 1);
});
