import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Directory, openDirectory, Random } from '../../base/mod.ts';
import { type Sketch, sketchOf } from '../../sketch/sketch.ts';
import { BandTable } from './band-table.ts';
import { NEAR_DUPLICATE_DEFAULTS, NearDuplicates } from './near-duplicates.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-near-'));
after(() => rmSync(root, { recursive: true }));

let opened = 0;
const directory = (): Directory => openDirectory(join(root, String(opened++)));

function textOf(seed: number, changes = 0): string {
  const random = new Random(seed);
  const words = Array.from({ length: 400 }, () => `w${random.below(9000)}`);
  for (let change = 0; change < changes; change++) words[(change * 97 + 5) % 400] = `changed${change}`;
  return words.join(' ');
}

const sketch = (seed: number, changes = 0): Sketch => sketchOf(textOf(seed, changes));

test('a page with one changed word is a duplicate of the earlier page', () => {
  const near = new NearDuplicates(directory(), 0);
  const entries = [1, 2, 3].map((seed) => near.add(BigInt(seed), sketch(seed)));
  const found = near.find(sketch(2, 2));
  assert.equal(found?.owner, 2n);
  assert.equal(found?.entry, entries[1]);
  assert.ok(found.similarity > 0.9 && found.similarity < 1);
  assert.equal(near.find(sketch(4)), null);
  assert.equal(near.find(sketch(2, 60)), null);
  near.close();
});

test('the most similar other page is found', () => {
  const near = new NearDuplicates(directory(), 0);
  for (const changes of [4, 2, 3]) near.add(BigInt(changes), sketch(1, changes));
  assert.equal(near.find(sketch(1, 2))?.owner, 2n);
  assert.notEqual(near.find(sketch(1, 2), 2n)?.owner, 2n);
  near.close();
});

test('pages of another identity are no near duplicates, however similar their texts are', () => {
  const near = new NearDuplicates(directory(), 0);
  const identified = (identity: number) => sketchOf(textOf(1), undefined, identity);
  near.add(1n, identified(7));
  assert.equal(near.find(identified(8)), null);
  assert.equal(near.find(identified(7))?.owner, 1n);
  near.close();
});

test('a text of a few words is never a near duplicate', () => {
  const near = new NearDuplicates(directory(), 0);
  const short = sketchOf('page not found here');
  assert.equal(near.add(1n, short), null);
  assert.equal(near.find(short), null);
  near.close();
});

test('flushed entries are read after a restart, and others are cut', async () => {
  const files = directory();
  const before = new NearDuplicates(files, 0);
  for (let seed = 0; seed < 50; seed++) before.add(BigInt(-seed), sketch(seed));
  const mark = await before.flush();
  before.add(1000n, sketch(1000));
  await before.flush();
  before.close();

  const near = new NearDuplicates(files, mark);
  assert.equal(near.entryCount, 50);
  assert.equal(near.find(sketch(30, 1))?.owner, -30n);
  assert.equal(near.find(sketch(1000)), null);
  assert.equal(near.add(1001n, sketch(1001)), 50);
  assert.equal(await near.flush(), 51);
  near.close();
  const again = new NearDuplicates(files, 51);
  assert.equal(again.find(sketch(1001))?.owner, 1001n);
  again.close();
});

test('a retired entry is not found, also after a restart', async () => {
  const files = directory();
  const near = new NearDuplicates(files, 0);
  const entry = near.add(1n, sketch(1))!;
  near.add(2n, sketch(2));
  near.retire(entry);
  assert.equal(near.find(sketch(1)), null);
  near.add(3n, sketch(1, 1));
  const mark = await near.flush();
  near.close();
  const again = new NearDuplicates(files, mark);
  assert.equal(again.find(sketch(1))?.owner, 3n);
  assert.equal(again.find(sketch(2))?.owner, 2n);
  again.close();
});

test('the error for a damaged, truncated or missing file has its name', async () => {
  const files = directory();
  const near = new NearDuplicates(files, 0);
  near.add(1n, sketch(1));
  const mark = await near.flush();
  near.close();
  const keys = files.read('near.keys');
  keys[20]! ^= 1;
  writeFileSync(join(files.path, 'near.keys'), keys);
  assert.throws(() => new NearDuplicates(files, mark), /near\.keys at byte 8: expected checksum/);
  writeFileSync(join(files.path, 'near.keys'), keys.subarray(0, 30));
  assert.throws(() => new NearDuplicates(files, mark), /near\.keys at byte 55/);
  files.remove('near.keys');
  assert.throws(
    () => new NearDuplicates(files, mark),
    /near\.keys at byte 0: expected 48 bytes, got no file/,
  );
});

test('the band table finds its entries over many generations and stays within its limit', () => {
  const random = new Random(12);
  const limit = 20_000;
  const table = new BandTable(limit);
  const keys = Array.from({ length: 60_000 }, () => ({
    simLow: random.below(2 ** 32),
    simHigh: random.below(2 ** 32),
    bands: Uint32Array.from({ length: 6 }, () => random.below(2 ** 32)),
  }));
  for (const [entry, each] of keys.entries()) table.add(entry, each);
  let missed = 0;
  for (let entry = keys.length - limit; entry < keys.length; entry++) {
    const bands = keys[entry]!.bands.map((key, band) => (band === entry % 6 ? key : 1));
    if (!table.candidates({ ...keys[entry]!, bands }, 3).includes(entry)) missed++;
  }
  assert.ok(missed <= 5, `by one of its six keys, ${missed} of ${limit} entries are not found`);
  assert.deepEqual(table.candidates(keys[0]!, 3), []);
  assert.ok(table.sizeBytes < 2 * limit * 50);
});

test('a look-up among ten thousand pages of one template visits few of them', () => {
  const table = new BandTable(NEAR_DUPLICATE_DEFAULTS.maxEntries);
  const random = new Random(13);
  const bands = Uint32Array.of(1, 2, 3, 4, 5, 6);
  for (let entry = 0; entry < 10_000; entry++) {
    table.add(entry, { simLow: random.below(2 ** 32), simHigh: random.below(2 ** 32), bands });
  }
  const all = table.candidates({ simLow: 0, simHigh: 0, bands }, 64);
  assert.ok(all.length <= 3 * 6 * 32, `${all.length} candidates`);
});
