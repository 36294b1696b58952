import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { type Directory, Random, silentLog } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { journalFiles } from '../journal/mod.ts';
import { buildIndex } from './build.ts';
import { liveTexts, pageRecord, randomRecord, temporaryDirectory, writeJournal } from './journal.fixture.ts';
import { repairIndex } from './repair.ts';

test('if any segment is damaged or truncated, the others are served and a repair restores it', async (t) => {
  const seed = testSeed();
  const random = new Random(seed);
  const journal = temporaryDirectory(t);
  const index = temporaryDirectory(t);
  const expected = new Map<string, string>();
  for (let round = 0; round < 3; round++) {
    const files = Array.from({ length: 2 }, () =>
      Array.from({ length: 15 }, () => randomRecord(random, expected)),
    );
    await writeJournal(journal, files);
    await buildIndex({ journal, index, ranks: null, log: silentLog, flushBytes: 2000 });
  }
  const whole = [...expected].map(([name, text]) => `${name}: ${text}`).sort();
  assert.deepEqual(liveTexts(index), whole, `seed ${seed}`);
  for (const name of segmentsOf(index)) {
    damage(index, name, random);
    const rest = liveTexts(index);
    assert.ok(rest.length < whole.length, `seed ${seed}: ${name} is left out`);
    assert.ok(rest.every((text) => whole.includes(text)));
    const report = await repairIndex({ journal, index, ranks: null, log: silentLog });
    assert.deepEqual(report.damaged, [name]);
    assert.equal(report.restored, whole.length - rest.length);
    assert.deepEqual(liveTexts(index), whole, `seed ${seed}: after the repair of ${name}`);
    assert.equal(index.has(name), false);
  }
});

const REPLACEMENTS: Record<string, (index: Directory, name: string, other: string) => void> = {
  'a directory': (index, name) => {
    index.remove(name);
    index.directory(name);
  },
  'another segment': (index, name, other) => index.replace(name, index.read(other)),
};

for (const [what, replace] of Object.entries(REPLACEMENTS)) {
  test(`${what} in place of a segment is skipped, and a repair restores the segment`, async (t) => {
    const journal = temporaryDirectory(t);
    const index = temporaryDirectory(t);
    const options = { journal, index, ranks: null, log: silentLog };
    for (const name of ['a', 'b', 'c']) {
      await writeJournal(journal, [[pageRecord(name, `about ${name}`)]]);
      await buildIndex(options);
    }
    const whole = liveTexts(index);
    const [, second, third] = segmentsOf(index);
    replace(index, second!, third!);
    const reader = new IndexReader(index, silentLog);
    assert.deepEqual(reader.missing, [second]);
    reader.close();
    assert.equal(liveTexts(index).length, 2);
    assert.deepEqual((await buildIndex(options)).damaged, [second]);
    const { damaged, restored } = await repairIndex(options);
    assert.deepEqual([damaged, restored], [[second], 1]);
    assert.deepEqual(liveTexts(index), whole);
  });
}

test('a repair of an index without damage changes nothing', async (t) => {
  const journal = temporaryDirectory(t);
  const index = temporaryDirectory(t);
  await writeJournal(journal, [[randomRecord(new Random(1), new Map())]]);
  const { generation } = await buildIndex({ journal, index, ranks: null, log: silentLog });
  const report = await repairIndex({ journal, index, ranks: null, log: silentLog });
  assert.deepEqual(report.damaged, []);
  assert.equal(report.restored, 0);
  const reader = new IndexReader(index, silentLog);
  assert.equal(reader.generation, generation);
  reader.close();
});

for (const harm of ['damaged', 'gone'] as const) {
  test(`with a journal file ${harm}, a repair restores what it can and keeps the damaged segment`, async (t) => {
    const journal = temporaryDirectory(t);
    const index = temporaryDirectory(t);
    for (const names of [['a', 'b'], ['c'], ['d']]) {
      await writeJournal(journal, [names.map((name) => pageRecord(name, `about ${name}`))]);
      await buildIndex({ journal, index, ranks: null, log: silentLog });
    }
    const [first, second] = segmentsOf(index);
    for (const name of [first!, second!]) damage(index, name, new Random(1));
    const [oldest] = journalFiles(journal);
    if (harm === 'gone') journal.remove(oldest!);
    else journal.replace(oldest!, journal.read(oldest!).subarray(0, 40));
    const options = { journal, index, ranks: null, log: silentLog };
    const report = await repairIndex(options);
    assert.deepEqual([report.restored, report.docCount, report.lost], [1, 2, [oldest]]);
    assert.deepEqual(liveTexts(index).length, 2);
    const reader = new IndexReader(index, silentLog);
    assert.deepEqual(reader.missing, [first, second], 'they stay in the manifest');
    reader.close();
    assert.ok(index.has(first!));
    assert.equal((await repairIndex(options)).restored, 0, 'a second repair restores nothing twice');
    const built = await buildIndex({ ...options });
    assert.deepEqual([built.docCount, built.damaged], [2, [first, second]]);
    await assert.rejects(buildIndex({ ...options, rebuild: true }), /00000001-main\.journal.*--from-archive/);
    assert.equal(liveTexts(index).length, 2, 'a rebuild that would lack something changes nothing');
  });
}

function segmentsOf(index: Directory): string[] {
  return index.list().filter((name) => name.endsWith('.seg'));
}

function damage(index: Directory, name: string, random: Random): void {
  const bytes = index.read(name);
  const at = random.below(bytes.length);
  bytes[at]! ^= 1 << random.below(8);
  index.replace(name, random.chance(0.5) ? bytes : bytes.subarray(0, at));
}
