import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CorruptError, silentLog, UsageError, writeSealed } from '../base/mod.ts';
import { IndexWriter } from './index-writer.ts';
import { EMPTY_MANIFEST, filesOf, MANIFEST_NAME, readManifest, writeManifest } from './manifest.ts';
import { DocSet, readDocSet } from './segment/doc-set.ts';
import { temporaryDirectory } from './segment/documents.fixture.ts';
import { hostColumns, readRankColumns, writeRankColumns } from './segment/rank-column.ts';

const ENTRY = {
  file: 'seg-00000001.seg',
  docs: 9,
  deleted: 2,
  deletes: 'seg-00000001.del-00000004',
  ranks: null,
  anchors: null,
  checksum: '5d3c01fa',
};
const VERSIONS = { file: 'versions-00000002.gyre', urls: 12, newest: 1_767_323_045_000 };
const MANIFEST = {
  ...EMPTY_MANIFEST,
  generation: 4,
  journal: { main: 3 },
  versions: [VERSIONS],
  segments: [ENTRY],
};

test('a manifest is read back as written, and a missing one is empty', (t) => {
  const directory = temporaryDirectory(t);
  assert.deepEqual(readManifest(directory), EMPTY_MANIFEST);
  writeManifest(directory, MANIFEST);
  assert.deepEqual(readManifest(directory), MANIFEST);
  assert.deepEqual(filesOf(MANIFEST), [
    'seg-00000001.seg',
    'seg-00000001.del-00000004',
    'versions-00000002.gyre',
  ]);
});

test('a manifest of an older version is refused with the command that rebuilds the index', (t) => {
  const directory = temporaryDirectory(t);
  directory.replace('seg-00000001.seg', Buffer.from('old'));
  const old = { ...MANIFEST, version: 1, journal: '00000003.journal', versions: undefined };
  directory.replace(MANIFEST_NAME, Buffer.from(`${JSON.stringify(old, null, 2)}\n`));
  const refusal = { name: 'UsageError', message: /version 1, .* gyre build --from-archive/ };
  assert.throws(() => readManifest(directory), refusal);
  assert.throws(() => new IndexWriter(directory, silentLog), refusal);
  const writer = new IndexWriter(directory, silentLog, { fresh: true });
  writer.commit();
  writer.close();
  assert.deepEqual(readManifest(directory).journal, {});
});

test('any flipped bit and any truncation of a manifest is detected', (t) => {
  const directory = temporaryDirectory(t);
  writeManifest(directory, MANIFEST);
  const bytes = directory.read(MANIFEST_NAME);
  const closing = bytes.lastIndexOf('}');
  for (let at = 0; at < closing; at++) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << (at % 8);
    for (const damaged of [flipped, bytes.subarray(0, at)]) {
      directory.replace(MANIFEST_NAME, damaged);
      assert.throws(() => readManifest(directory), { name: 'CorruptError', message: DAMAGE }, `byte ${at}`);
    }
  }
});

const DAMAGE = /^[^\n]*manifest\.json at byte \d+: expected [^\n]*; gyre build --repair rebuilds [^\n]*$/;

test('a new index beside a broken manifest reuses no file name and removes no file', (t) => {
  const directory = temporaryDirectory(t);
  const files = ['seg-00000007.seg', 'seg-00000003.rank-00000012'];
  for (const name of files) directory.replace(name, Buffer.from('precious'));
  directory.replace(MANIFEST_NAME, Buffer.from('{'));
  assert.throws(() => new IndexWriter(directory, silentLog), CorruptError);
  const writer = new IndexWriter(directory, silentLog, { fresh: true });
  assert.equal(writer.reserveName(), 'seg-00000008.seg');
  assert.deepEqual(
    directory
      .list()
      .filter((name) => name.startsWith('seg-'))
      .sort(),
    files.sort(),
  );
  writer.commit();
  assert.equal(writer.generation, 13);
  assert.deepEqual(directory.list(), [MANIFEST_NAME]);
  writer.close();
});

test('a manifest of a newer version is refused with advice', (t) => {
  const directory = temporaryDirectory(t);
  writeManifest(directory, { ...MANIFEST, version: 99 });
  assert.throws(
    () => readManifest(directory),
    (error) => error instanceof UsageError && /version 99.*upgrade Gyre/.test(error.message),
  );
});

test('a broken manifest is corrupt, not empty', (t) => {
  const directory = temporaryDirectory(t);
  const broken = ['', '{', 'null', '[]', '{"version":2}', JSON.stringify({ ...MANIFEST, segments: [{}] })];
  for (const text of broken) {
    directory.replace(MANIFEST_NAME, Buffer.from(text));
    assert.throws(() => readManifest(directory), CorruptError, text);
  }
});

test('a document set counts its members and is read back', (t) => {
  const directory = temporaryDirectory(t);
  const set = new DocSet(19);
  assert.deepEqual([set.add(0), set.add(8), set.add(18), set.add(8)], [true, true, true, false]);
  set.write(directory, 'seg-1.del-1');
  const read = readDocSet(directory, 'seg-1.del-1', 19);
  assert.equal(read.size, 3);
  assert.deepEqual(
    Array.from({ length: 19 }, (_, doc) => doc).filter((doc) => read.has(doc)),
    [0, 8, 18],
  );
  assert.throws(() => readDocSet(directory, 'seg-1.del-1', 20), CorruptError);
  assert.throws(() => readDocSet(directory, 'seg-1.del-1', 99), CorruptError);
});

test('rank columns are read back and rejected for another segment', (t) => {
  const directory = temporaryDirectory(t);
  const known = { rank: 3, trust: 0.5, farm: 1, concentration: 0.25 };
  const hosts = hostColumns(['known', 'unknown'], (name) => (name === 'known' ? known : null));
  const columns = { ranks: Float32Array.of(1, 0, 2.5), hosts };
  writeRankColumns(directory, 'seg-1.rank-1', columns);
  assert.deepEqual(readRankColumns(directory, 'seg-1.rank-1', 3, 2), columns);
  assert.deepEqual([...hosts.trust], [0.5, 0]);
  assert.throws(() => readRankColumns(directory, 'seg-1.rank-1', 4, 2), CorruptError);
  assert.throws(() => readRankColumns(directory, 'seg-1.rank-1', 3, 3), CorruptError);
});

test('old rank columns without host signals are read with unknown hosts', (t) => {
  const directory = temporaryDirectory(t);
  const ranks = Float32Array.of(1, 0, 2.5);
  const first = { magic: 'GYK1', version: 1 };
  writeSealed(directory, 'seg-1.rank-1', first, new Uint8Array(ranks.buffer));
  const hosts = hostColumns(['a', 'b'], () => null);
  assert.deepEqual(readRankColumns(directory, 'seg-1.rank-1', 3, 2), { ranks, hosts });
});
