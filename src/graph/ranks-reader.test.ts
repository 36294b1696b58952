import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { openDirectory, Random } from '../base/mod.ts';
import { openRanks } from './ranks-reader.ts';
import { writeRanks } from './ranks-writer.ts';

const COUNT = 3000;

/** Writes the ranks of URLs of 40 hosts. The fingerprints of the URLs of one host begin with the same bits. */
function writtenRanks(context: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'gyre-ranks-'));
  context.after(() => rmSync(path, { recursive: true }));
  const directory = openDirectory(path);
  const random = new Random(testSeed());
  const highs = Uint32Array.from({ length: COUNT }, () => random.below(40) * 0x6000000 + random.below(3));
  const lows = Uint32Array.from({ length: COUNT }, () => random.below(2 ** 32));
  const nodeOf = Uint32Array.from({ length: COUNT }, (_, at) => at % 2000);
  const ranks = Float32Array.from({ length: COUNT }, () => random.below(1000) / 1000);
  const crawled = Uint8Array.from({ length: COUNT }, () => random.below(2));
  writeRanks(directory, 1, { lows, highs, nodeOf, ranks, crawled });
  const known = Array.from(lows, (low, at) => BigInt.asIntN(64, (BigInt(highs[at]!) << 32n) | BigInt(low)));
  return { directory, known };
}

test('ranks that are read from disk are those that are held in memory', (context) => {
  const { directory, known } = writtenRanks(context);
  const inMemory = openRanks(directory)!;
  const onDisk = openRanks(directory, 1)!;
  assert.deepEqual([onDisk.generation, onDisk.count], [inMemory.generation, inMemory.count]);
  assert.notEqual(onDisk.constructor, inMemory.constructor);
  for (const fingerprint of [...known, ...known.map((each) => each ^ 5n), 0n, -1n]) {
    for (const read of ['rankOf', 'relativeRankOf', 'nodeOf', 'isCrawled'] as const)
      assert.equal(onDisk[read](fingerprint), inMemory[read](fingerprint), `${read} ${fingerprint}`);
  }
  onDisk.close();
});

test('damage is found when ranks are opened on disk', (context) => {
  const { directory } = writtenRanks(context);
  const bytes = directory.read('ranks-00000001.ranks');
  bytes[9000]! ^= 1;
  directory.replace('ranks-00000001.ranks', bytes);
  assert.throws(() => openRanks(directory, 1), { code: 'corrupt-file' });
});
