import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Directory, type Log, partOf, silentLog } from '../base/mod.ts';
import { IndexReader } from './index-reader.ts';
import { IndexWriter } from './index-writer.ts';
import { MANIFEST_NAME, readManifest, writeManifest } from './manifest.ts';
import type { OpenSegment } from './open-segment.ts';
import {
  addSegment,
  fingerprintOf,
  liveTexts,
  makeDocument,
  mergeAll,
  mergeIfDue,
  temporaryDirectory,
} from './segment/documents.fixture.ts';

test('nothing is visible before the commit and everything after it', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'one'), makeDocument('b', 'two')]);
    assert.deepEqual(liveTexts(directory), []);
    writer.commit({ journal: { main: 1 }, versions: [] });
  });
  assert.deepEqual(liveTexts(directory), ['a: one', 'b: two']);
  assert.deepEqual(readManifest(directory).journal, { main: 1 });
});

test('deletes apply to all existing segments and not to later ones', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'old'), makeDocument('b', 'stays')]);
    writer.commit();
    assert.equal(writer.deleteDocuments([fingerprintOf('a'), fingerprintOf('nobody')]), 1);
    await addSegment(directory, writer, [makeDocument('a', 'new')]);
    writer.commit();
    assert.equal(writer.docCount, 2);
  });
  assert.deepEqual(liveTexts(directory), ['a: new', 'b: stays']);
});

test('a segment without live documents is removed with its files', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'x')]);
    await addSegment(directory, writer, [makeDocument('b', 'y')]);
    writer.setRanks(() => 2);
    writer.commit();
    writer.deleteDocuments([fingerprintOf('a')]);
    writer.commit();
  });
  assert.deepEqual(liveTexts(directory), ['b: y']);
  assert.deepEqual(directory.list(), [MANIFEST_NAME, 'seg-00000002.rank-00000001', 'seg-00000002.seg']);
});

test('eight segments become one with the same documents', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    for (let n = 0; n < 8; n++) {
      await addSegment(directory, writer, [
        makeDocument(`a${n}`, `text ${n}`),
        makeDocument(`b${n}`, 'more'),
      ]);
    }
    writer.deleteDocuments(['a3', 'b5'].map(fingerprintOf));
    writer.commit();
    const before = liveTexts(directory);
    assert.equal(before.length, 14);
    assert.equal(await mergeIfDue(directory, writer), true);
    writer.commit();
    assert.equal(await mergeIfDue(directory, writer), false);
    assert.deepEqual(liveTexts(directory), before);
  });
  assert.deepEqual(directory.list(), [MANIFEST_NAME, 'seg-00000009.seg']);
});

test('ranks are rewritten without touching segments', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'x'), makeDocument('b', 'y')]);
    writer.commit();
  });
  const before = directory.read('seg-00000001.seg');
  await change(directory, async (writer) => {
    writer.setRanks((fingerprint) => (fingerprint === fingerprintOf('b') ? 3 : 0));
    writer.commit();
  });
  const reader = new IndexReader(directory, silentLog);
  assert.deepEqual(reader.segments[0]!.ranks, Float32Array.of(0, 3));
  assert.ok(directory.read('seg-00000001.seg').equals(before));
  reader.close();
});

test('host signals are stored with the ranks and kept by merges', async (t) => {
  const directory = temporaryDirectory(t);
  const on = (host: string, name: string) => ({ ...makeDocument(name, 'x'), host });
  const farmOf = (): (number | undefined)[] => {
    const reader = new IndexReader(directory, silentLog);
    const [{ hostSignals, reader: segment }] = reader.segments as [OpenSegment];
    reader.close();
    return ['a.example', 'b.example', 'c.example'].map(
      (name) => hostSignals?.farm[segment.table.hosts.indexOf(name)],
    );
  };
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [on('c.example', 'c'), on('b.example', 'b')]);
    writer.commit();
    assert.deepEqual(farmOf(), [undefined, undefined, undefined], 'nobody has ranked them');
    await addSegment(directory, writer, [on('b.example', 'd'), on('a.example', 'a')]);
    const farms: Record<string, number> = { 'a.example': 0.5, 'b.example': 1 };
    writer.setRanks(
      () => 1,
      (name) => (name in farms ? { rank: 2, trust: 1, farm: farms[name]!, concentration: 0 } : null),
    );
    writer.commit();
    assert.deepEqual(farmOf(), [undefined, 1, 0]);
    await mergeAll(directory, writer);
    writer.commit();
  });
  assert.deepEqual(farmOf(), [0.5, 1, 0]);
});

test('files of a killed writer are removed by the next one, and the old index is served', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'kept')]);
    writer.commit();
  });
  const manifest = readManifest(directory);
  const kept = directory.list();
  await change(directory, async (writer) => {
    writer.deleteDocuments([fingerprintOf('a')]);
    await addSegment(directory, writer, [makeDocument('a', 'newer')]);
    await addSegment(directory, writer, [makeDocument('b', 'newer')]);
    writer.setRanks(() => 1);
    writer.commit();
  });
  // Simulates a kill just before the commit: all new files exist, but the manifest is still the old one.
  directory.replace('seg-00000001.seg', segmentBytes(await rebuilt(t)));
  writeManifest(directory, manifest);
  directory.append(partOf('seg-00000004.seg'), 0).close();
  directory.append(partOf('seg-00000001.del-00000002'), 0).close();
  assert.deepEqual(liveTexts(directory), ['a: kept']);
  await change(directory, async () => {});
  assert.deepEqual(directory.list(), kept);
  assert.equal(directory.has(partOf('seg-00000004.seg')), false);
  assert.equal(directory.has(partOf('seg-00000001.del-00000002')), false);
  assert.deepEqual(liveTexts(directory), ['a: kept']);
});

test('a damaged segment is skipped, neither merged nor dropped', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    for (let n = 0; n < 9; n++) await addSegment(directory, writer, [makeDocument(`d${n}`, `text ${n}`)]);
    writer.commit();
  });
  const broken = directory.read('seg-00000003.seg');
  broken[20]! ^= 0xff;
  directory.replace('seg-00000003.seg', broken);
  const events: string[] = [];
  const log: Log = { ...silentLog, error: (event, fields) => events.push(`${event} ${fields?.segment}`) };
  const writer = new IndexWriter(directory, log);
  assert.equal(await mergeIfDue(directory, writer), true);
  writer.commit();
  writer.close();
  assert.match(events.join(), /segment damaged, skipped.*seg-00000003\.seg/);
  assert.deepEqual(
    readManifest(directory).segments.map(({ file, docs }) => `${file} ${docs}`),
    ['seg-00000003.seg 1', 'seg-00000011.seg 8'],
  );
});

test('a commit without changes writes no manifest', async (t) => {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    writer.commit();
    assert.equal(directory.has(MANIFEST_NAME), false);
    writer.commit({ journal: { main: 1 }, versions: [] });
    writer.commit({ journal: { main: 1 }, versions: [] });
    assert.equal(writer.generation, 1);
  });
});

async function change(directory: Directory, work: (writer: IndexWriter) => Promise<void>): Promise<void> {
  const writer = new IndexWriter(directory, silentLog);
  try {
    await work(writer);
  } finally {
    writer.close();
  }
}

/** Returns a directory with an index of one segment, `seg-00000001.seg`, which has one document. */
async function rebuilt(t: Parameters<typeof temporaryDirectory>[0]): Promise<Directory> {
  const directory = temporaryDirectory(t);
  await change(directory, async (writer) => {
    await addSegment(directory, writer, [makeDocument('a', 'kept')]);
    writer.commit();
  });
  return directory;
}

function segmentBytes(directory: Directory): Buffer {
  return directory.read('seg-00000001.seg');
}
