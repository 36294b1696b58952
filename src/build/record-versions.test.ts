import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { CorruptError, type Directory, Random, silentLog } from '../base/mod.ts';
import {
  compareVersions,
  JOURNAL_START,
  type JournalRecord,
  JournalWriter,
  journalFiles,
  readVersions,
} from '../journal/mod.ts';
import { fingerprint } from '../url/mod.ts';
import { buildIndex } from './build.ts';
import { aliasRecord, goneRecord, liveTexts, pageRecord, temporaryDirectory } from './journal.fixture.ts';
import { areVersionsReadable, RecordVersions } from './record-versions.ts';
import { repairIndex } from './repair.ts';

const version = (fetchedAt: number, epoch = 1, writer = 'main') => ({ fetchedAt, epoch, writer });

test('a version is compared by time, then epoch, then writer', () => {
  assert.ok(compareVersions(version(2), version(1, 9, 'z')) > 0);
  assert.ok(compareVersions(version(1, 2), version(1, 1, 'z')) > 0);
  assert.ok(compareVersions(version(1, 1, 'b'), version(1, 1, 'a')) > 0);
  assert.equal(compareVersions(version(1), version(1)), 0);
});

test('versions survive the disk and are merged into few tables', (t) => {
  const index = temporaryDirectory(t);
  let number = 0;
  const reserve = () => `versions-${++number}`;
  const versions = new RecordVersions(index, []);
  for (let key = 0n; key < 100n; key++) {
    versions.add(key, version(Number(key)));
    versions.add(key % 10n, version(1000 + Number(key), 2, 'other'));
    versions.flush(reserve);
  }
  assert.ok(versions.entries.length <= 8, `${versions.entries.length} tables`);
  const again = new RecordVersions(index, versions.entries);
  assert.equal(again.isNewest(50n, version(49)), false);
  assert.equal(again.isNewest(50n, version(50)), true, 'the same version');
  assert.equal(again.isNewest(3n, version(1092, 2, 'other')), false);
  assert.equal(again.isNewest(3n, version(1093, 1, 'other')), false);
  assert.equal(again.isNewest(3n, version(1093, 2, 'other')), true);
  assert.equal(again.isNewest(777n, version(0)), true, 'an unknown URL');
  const { file } = versions.entries[0]!;
  index.replace(file, index.read(file).subarray(1));
  assert.equal(areVersionsReadable(index, versions.entries), false);
  const damaged = new RecordVersions(index, versions.entries);
  assert.throws(() => damaged.isNewest(50n, version(0)), CorruptError);
});

test('any interleaving of the records of two writers gives the same live documents', async (t) => {
  const random = new Random(testSeed());
  for (let round = 0; round < 12; round++) {
    const sources = { one: temporaryDirectory(t), two: temporaryDirectory(t) };
    for (const [writer, directory] of Object.entries(sources)) await writeRandom(directory, writer, random);
    const expected = liveOf([sources.one, sources.two]);
    for (let attempt = 0; attempt < 4; attempt++) {
      const index = await indexInterleaved(temporaryDirectory(t), temporaryDirectory(t), sources, random);
      assert.deepEqual(liveTexts(index), expected, `seed ${testSeed()}, round ${round}`);
    }
  }
});

test('a repair restores the newest records, whichever file they are in', async (t) => {
  const random = new Random(testSeed());
  const sources = { one: temporaryDirectory(t), two: temporaryDirectory(t) };
  for (const [writer, directory] of Object.entries(sources)) await writeRandom(directory, writer, random);
  const journal = temporaryDirectory(t);
  const index = await indexInterleaved(temporaryDirectory(t), journal, sources, random);
  const before = liveTexts(index);
  for (const name of index.list().filter((file) => file.endsWith('.seg'))) {
    const bytes = index.read(name);
    bytes[bytes.length >> 1]! ^= 1;
    index.replace(name, bytes);
  }
  assert.deepEqual(liveTexts(index), []);
  await repairIndex({ journal, index, log: silentLog, ranks: null });
  assert.deepEqual(liveTexts(index), before);
});

/**
 * Writes a few journal files with random records of twenty URLs, in two epochs. Many records have the same
 * time.
 */
async function writeRandom(directory: Directory, writer: string, random: Random): Promise<void> {
  let mark = JOURNAL_START;
  for (const epoch of [1, 2]) {
    const journal = new JournalWriter(directory, mark, { writer, epoch });
    for (let file = 0; file < 3; file++) {
      for (let count = random.below(12); count >= 0; count--) journal.append(randomRecordAt(writer, random));
      await journal.flush();
      journal.rotate();
    }
    mark = { ...journal.mark, length: 0 };
    journal.close();
  }
}

function randomRecordAt(writer: string, random: Random): JournalRecord {
  const name = `page${random.below(20)}`;
  const fetchedAt = 1_700_000_000_000 + random.below(8);
  const kind = random.below(4);
  if (kind === 0) return { ...goneRecord(name), fetchedAt };
  if (kind === 1) return { ...aliasRecord(name, 'elsewhere'), fetchedAt };
  return { ...pageRecord(name, `${writer} ${random.below(1e6)}`), fetchedAt };
}

/** A naive implementation for comparison: finds the newest record of each URL among all records. */
function liveOf(sources: readonly Directory[]): string[] {
  const newest = new Map<bigint, ReturnType<typeof readVersions> extends Generator<infer T> ? T : never>();
  for (const source of sources) {
    for (const file of journalFiles(source)) {
      for (const found of readVersions(source, file)) {
        const key = fingerprint(found.record.url);
        const known = newest.get(key);
        if (!known || compareVersions(found.version, known.version) >= 0) newest.set(key, found);
      }
    }
  }
  const pages = [...newest.values()].map(({ record }) => record).filter(({ kind }) => kind === 'page');
  return pages.map((page) => (page.kind === 'page' ? `${page.page.title}: ${page.page.text}` : '')).sort();
}

/** Adds the journal files of two writers to a journal in random order, and runs the indexer in between. */
async function indexInterleaved(
  index: Directory,
  journal: Directory,
  sources: Record<string, Directory>,
  random: Random,
): Promise<Directory> {
  const waiting = Object.values(sources).map((source) => ({ source, files: journalFiles(source) }));
  while (waiting.some(({ files }) => files.length > 0)) {
    const { source, files } = random.pick(waiting.filter((each) => each.files.length > 0));
    const file = files.shift()!;
    journal.replace(file, source.read(file));
    if (random.chance(0.6))
      await buildIndex({ journal, index, log: silentLog, ranks: null, flushBytes: 1 + random.below(5_000) });
  }
  await buildIndex({ journal, index, log: silentLog, ranks: null });
  return index;
}
