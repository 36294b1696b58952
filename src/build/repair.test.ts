import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Directory, Random, silentLog } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { buildIndex } from './build.ts';
import { liveTexts, randomRecord, temporaryDirectory, writeJournal } from './journal.fixture.ts';
import { repairIndex } from './repair.ts';

test('whichever segment is damaged or cut short, the rest serves and a repair brings all of it back', async (t) => {
  const seed = Date.now() >>> 0;
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

function segmentsOf(index: Directory): string[] {
  return index.list().filter((name) => name.endsWith('.seg'));
}

function damage(index: Directory, name: string, random: Random): void {
  const bytes = index.read(name);
  const at = random.below(bytes.length);
  bytes[at]! ^= 1 << random.below(8);
  index.replace(name, random.chance(0.5) ? bytes : bytes.subarray(0, at));
}
