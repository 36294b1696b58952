import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { CorruptError, hash64, openDirectory, Random } from '../../base/mod.ts';
import { SeenLog, type SeenMark, SeenSet } from './seen-set.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-seen-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;
const freshDirectory = () => openDirectory(join(root, String(++directories)));

test('the seen set agrees with a JavaScript Set on random fingerprints', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const seen = new SeenSet();
  const naive = new Set<bigint>();
  for (let round = 0; round < 200_000; round++) {
    const fingerprint = BigInt.asIntN(64, hash64(String(random.below(120_000))));
    assert.equal(seen.has(fingerprint), naive.has(fingerprint), `seed ${seed}`);
    assert.equal(seen.add(fingerprint), !naive.has(fingerprint), `seed ${seed}`);
    naive.add(fingerprint);
  }
  assert.equal(seen.size, naive.size);
});

test('the seen log restores the set up to the last commit', async () => {
  const directory = freshDirectory();
  const log = SeenLog.open(directory, { seenBytes: 0 }, new SeenSet());
  for (const fingerprint of [5n, -7n, 0n]) log.append(fingerprint);
  const committed = await log.flush();
  log.append(99n);
  await log.flush();
  log.close();
  const seen = new SeenSet();
  const again = SeenLog.open(directory, committed, seen);
  assert.deepEqual(
    [5n, -7n, 0n, 99n].map((fingerprint) => seen.has(fingerprint)),
    [true, true, true, false],
  );
  assert.equal(again.length, committed.seenBytes);
  again.close();
});

async function* pages() {
  yield [1n, 2n];
  yield [3n];
}

test('a lost, truncated or damaged seen log is detected and can be rebuilt', async () => {
  const directory = freshDirectory();
  const open = (mark: SeenMark) => SeenLog.open(directory, mark, new SeenSet());
  open({ seenBytes: 0 }).close();
  directory.remove('seen.log');
  assert.throws(() => open({ seenBytes: 16 }), /seen\.log .+no file/);
  const seen = new SeenSet();
  const log = await SeenLog.rebuild(directory, pages(), seen);
  assert.ok(seen.has(2n));
  log.append(4n);
  const mark = await log.flush();
  log.close();
  assert.equal(mark.seenBytes, 32);
  open(mark).close();
  const bytes = directory.read('seen.log');
  for (const length of [0, 8, 31]) {
    directory.replace('seen.log', bytes.subarray(0, length));
    assert.throws(() => open(mark), CorruptError);
  }
  for (let at = 0; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 0x10;
    directory.replace('seen.log', flipped);
    assert.throws(() => open(mark), /seen\.log at byte 32: expected checksum/);
  }
});
