import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Directory, type Log, silentLog } from '../base/mod.ts';
import { IndexReader } from './index-reader.ts';
import { summarizeIndex } from './index-summary.ts';
import { IndexWriter } from './index-writer.ts';
import { MANIFEST_NAME } from './manifest.ts';
import {
  addSegment,
  fingerprintOf,
  makeDocument,
  mergeIfDue,
  temporaryDirectory,
} from './segment/documents.fixture.ts';

test('a reader keeps its index until it is refreshed, even after its files are removed', async (t) => {
  const directory = temporaryDirectory(t);
  await fill(directory, 7);
  const reader = new IndexReader(directory, silentLog);
  assert.equal(reader.segments.length, 7);
  await fill(directory, 1);
  assert.equal(reader.segments.length, 7);
  assert.equal(reader.segments[0]!.reader.document(0).text, 'text 0');
  assert.equal(reader.refresh(), true);
  assert.equal(reader.refresh(), false);
  assert.equal(reader.segments.length, 1);
  assert.equal(reader.segments[0]!.liveDocs, 8);
  reader.close();
});

test('unchanged segments are not opened again', async (t) => {
  const directory = temporaryDirectory(t);
  await fill(directory, 2);
  const reader = new IndexReader(directory, silentLog);
  const before = reader.segments[0];
  await fill(directory, 1);
  reader.refresh();
  assert.equal(reader.segments[0], before);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [makeDocument('y', 'y'), makeDocument('z', 'z')]);
  writer.commit();
  writer.deleteDocuments([fingerprintOf('y')]);
  writer.commit();
  writer.close();
  reader.refresh();
  assert.equal(reader.segments[0], before);
  assert.equal(reader.segments.at(-1)!.liveDocs, 1);
  assert.equal(reader.segments.at(-1)!.liveLength, 1);
  const { docCount, segmentCount, sizeBytes, generation } = summarizeIndex(directory);
  assert.deepEqual(
    [docCount, segmentCount, sizeBytes, generation],
    [4, reader.segments.length, reader.sizeBytes, reader.generation],
  );
  reader.close();
});

test('a damaged or missing segment is skipped with one warning, and the others are served', async (t) => {
  const directory = temporaryDirectory(t);
  await fill(directory, 4);
  const broken = directory.read('seg-00000002.seg');
  broken[30]! ^= 1;
  directory.replace('seg-00000002.seg', broken);
  directory.remove('seg-00000003.seg');
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(`${fields?.reason}`) };
  const reader = new IndexReader(directory, log);
  assert.equal(reader.segments.length, 2);
  assert.deepEqual(reader.missing, ['seg-00000002.seg', 'seg-00000003.seg']);
  assert.equal(warnings.length, 2);
  assert.match(warnings[0]!, /^seg-00000002\.seg at byte \d+: expected checksum/);
  await fill(directory, 1);
  reader.refresh();
  assert.equal(reader.segments.length, 3);
  assert.equal(warnings.length, 2);
  reader.close();
});

test('a reader that verifies later serves every segment first, and then skips the damaged one', async (t) => {
  const directory = temporaryDirectory(t);
  await fill(directory, 3);
  const broken = directory.read('seg-00000002.seg');
  broken[30]! ^= 1;
  directory.replace('seg-00000002.seg', broken);
  const skipped = Promise.withResolvers<string>();
  const log: Log = { ...silentLog, warn: (_, fields) => skipped.resolve(`${fields?.reason}`) };
  const reader = new IndexReader(directory, log, { verifiesLater: true });
  assert.equal(reader.segments.length, 3);
  const alive = setInterval(() => {}, 1000);
  t.after(() => clearInterval(alive));
  assert.match(await skipped.promise, /^seg-00000002\.seg at byte \d+: expected checksum/);
  assert.deepEqual(reader.missing, ['seg-00000002.seg']);
  assert.equal(reader.segments.length, 2);
  assert.equal(reader.segments[1]!.reader.document(0).text, 'text 2');
  reader.close();
});

test('damaged ranks are skipped, and damaged deletes exclude the segment', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  for (const name of ['a', 'b']) {
    await addSegment(directory, writer, [makeDocument(`${name}1`, 'x'), makeDocument(`${name}2`, 'x')]);
  }
  writer.setRanks(() => 1);
  writer.deleteDocuments([fingerprintOf('b1')]);
  writer.commit();
  writer.close();
  directory.replace('seg-00000001.rank-00000001', Buffer.from('rubbish rubbish'));
  directory.replace('seg-00000002.del-00000001', Buffer.from('rubbish rubbish'));
  const reader = new IndexReader(directory, silentLog);
  assert.equal(reader.segments.length, 1);
  assert.equal(reader.segments[0]!.ranks, null);
  assert.deepEqual(reader.missing, ['seg-00000002.seg']);
  reader.close();
});

test('a reader starts again if a writer removes files while it opens them', async (t) => {
  const directory = temporaryDirectory(t);
  await fill(directory, 7);
  const old = directory.read(MANIFEST_NAME);
  await fill(directory, 1);
  let reads = 0;
  const racing: Directory = Object.create(directory, {
    read: { value: (name: string) => (name === MANIFEST_NAME && reads++ === 0 ? old : directory.read(name)) },
  });
  const reader = new IndexReader(racing, silentLog);
  assert.equal(reader.segments.length, 1);
  assert.deepEqual(reader.missing, []);
  reader.close();
});

test('another index in the same directory is opened, even with the same file names', async (t) => {
  const directory = temporaryDirectory(t);
  await fill(directory, 1);
  const reader = new IndexReader(directory, silentLog);
  for (const name of directory.list()) directory.remove(name);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [makeDocument('other', 'other')]);
  writer.commit();
  writer.close();
  assert.equal(reader.refresh(), true);
  assert.equal(reader.segments[0]!.reader.document(0).text, 'other');
  reader.close();
});

/** Adds `segments` segments of one document each, merges if a merge is due, and commits. */
async function fill(directory: Directory, segments: number): Promise<void> {
  const writer = new IndexWriter(directory, silentLog);
  for (let n = 0; n < segments; n++) {
    await addSegment(directory, writer, [makeDocument(`${writer.generation}-${n}`, `text ${n}`)]);
  }
  writer.commit();
  if (await mergeIfDue(directory, writer)) writer.commit();
  writer.close();
}

test('words are found by their beginning, over all segments', async (t) => {
  const directory = temporaryDirectory(t);
  const writer = new IndexWriter(directory, silentLog);
  await addSegment(directory, writer, [
    makeDocument('a', 'parser parse parsec'),
    makeDocument('b', 'parser'),
  ]);
  await addSegment(directory, writer, [makeDocument('c', 'parser parka sparse')]);
  writer.commit();
  writer.close();
  const reader = new IndexReader(directory, silentLog);
  t.after(() => reader.close());
  assert.deepEqual(reader.termsWithPrefix('pars', 2, { maxRead: 100 }), [
    { word: 'parser', docCount: 3 },
    { word: 'parse', docCount: 1 },
  ]);
});
