import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { hash64, openDirectory, Random } from '../base/mod.ts';
import { SeenLog, SeenSet } from './seen-set.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-seen-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;
const freshDirectory = () => openDirectory(join(root, String(++directories)));

test('it agrees with a set of the language on random fingerprints', () => {
  const seed = Date.now() % 1e9;
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

test('the log fills the table again, up to the last commit', async () => {
  const directory = freshDirectory();
  const log = SeenLog.open(directory, 0, new SeenSet());
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
  assert.equal(again.length, committed);
  again.close();
});

test('a log that is lost or too short is noticed and can be made anew', () => {
  const directory = freshDirectory();
  assert.ok(SeenLog.isWhole(directory, 0));
  assert.ok(!SeenLog.isWhole(directory, 16));
  const seen = new SeenSet();
  const log = SeenLog.rebuild(directory, [1n, 2n, 3n], seen);
  assert.equal(log.length, 24);
  assert.ok(SeenLog.isWhole(directory, 24) && seen.has(2n));
  log.close();
});
