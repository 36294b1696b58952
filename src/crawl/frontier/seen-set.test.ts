import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { testSeed } from '../../../test/helpers/seed.ts';
import { CorruptError, hash64, openDirectory, Random } from '../../base/mod.ts';
import { SeenLog, type SeenMark } from './seen-log.ts';
import { SeenRun } from './seen-run.ts';
import { SeenSet } from './seen-set.ts';

const EXAMPLE =
  '47 59 53 52 01 00 00 00 00 00 00 00 00 00 00 40 A8 6E B1 A7 00 00 00 00 01 00 00 00 00 00 00 00 02 00 00 00 00 00 00 00 8E BF A1 88';

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
  const log = await SeenLog.open(directory, { seenBytes: 0 }, new SeenSet());
  for (const fingerprint of [5n, -7n, 0n]) log.append(fingerprint);
  const committed = await log.flush();
  log.append(99n);
  await log.flush();
  log.close();
  const seen = new SeenSet();
  const again = await SeenLog.open(directory, committed, seen);
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
  (await open({ seenBytes: 0 })).close();
  directory.remove('seen.log');
  await assert.rejects(open({ seenBytes: 16 }), /seen\.log .+no file/);
  const seen = new SeenSet();
  const log = await SeenLog.rebuild(directory, pages(), seen);
  assert.ok(seen.has(2n));
  log.append(4n);
  const mark = await log.flush();
  log.close();
  assert.equal(mark.seenBytes, 32);
  (await open(mark)).close();
  const bytes = directory.read('seen.log');
  for (const length of [0, 8, 31]) {
    directory.replace('seen.log', bytes.subarray(0, length));
    await assert.rejects(open(mark), CorruptError);
  }
  for (let at = 0; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 0x10;
    directory.replace('seen.log', flipped);
    await assert.rejects(open(mark), /seen\.log at byte 32: expected checksum/);
  }
});

/** Memory limit with which the table has its minimum size. */
const LEAST_BYTES = 2 ** 20;
const PER_RUN = Math.ceil(0.6 * 2 ** 16);
const at = (number: number) => BigInt.asIntN(64, hash64(String(number)));

/** Adds fingerprints made from the numbers of a range, with a commit after every 1,000. */
async function commitNumbers(log: SeenLog, seen: SeenSet, from: number, to: number): Promise<SeenMark> {
  let mark: SeenMark = { seenBytes: log.length };
  for (let number = from; number < to; number++) {
    if (seen.add(at(number))) log.append(at(number));
    if (number % 1000 !== 999) continue;
    mark = await log.flush();
    await log.spillIfFull();
  }
  return mark;
}

test('a set that is larger than its memory continues on disk and stays exact, also after a restart', async () => {
  const directory = freshDirectory();
  const count = 5 * PER_RUN;
  const seen = new SeenSet(LEAST_BYTES);
  const log = await SeenLog.open(directory, { seenBytes: 0 }, seen);
  const total = Math.floor(count / 1000) * 1000;
  const mark = await commitNumbers(log, seen, 0, total);
  assert.ok(seen.runCount >= 4);
  const check = (set: SeenSet) => {
    assert.equal(set.size, total);
    for (let number = 0; number < total; number += 3) assert.ok(set.has(at(number)), String(number));
    for (let number = total; number < total + 50_000; number++)
      assert.ok(!set.has(at(number)), String(number));
    assert.equal(set.add(at(1)), false);
  };
  check(seen);
  log.close();

  const again = new SeenSet(LEAST_BYTES);
  const reopened = await SeenLog.open(directory, mark, again);
  assert.ok(again.runCount >= 4);
  check(again);
  reopened.close();

  const runs = directory.directory('seen');
  const damaged = runs.list()[1]!;
  const bytes = runs.read(damaged);
  bytes[100]! ^= 1;
  runs.replace(damaged, bytes);
  const remade = new SeenSet(LEAST_BYTES);
  const repaired = await SeenLog.open(directory, mark, remade);
  check(remade);
  repaired.close();

  const unlimited = new SeenSet();
  runs.remove(runs.list()[0]!);
  const whole = await SeenLog.open(directory, mark, unlimited);
  assert.equal(unlimited.runCount, 0);
  check(unlimited);
  whole.close();
});

test('filters that are folded to fit into the memory lose no fingerprint', () => {
  const directory = freshDirectory();
  const seen = new SeenSet(LEAST_BYTES / 8);
  for (let number = 0; number < 5000; number++) {
    seen.add(at(number));
    if (number % 1000 === 999)
      void seen.spill(directory, { first: number - 999, end: number + 1, check: 0 }, []);
  }
  assert.equal(seen.runCount, 5);
  for (let number = 0; number < 6000; number++) assert.equal(seen.has(at(number)), number < 5000);
  seen.close();
});

test('a crash before the commit does not make a URL known that was never stored', async () => {
  const directory = freshDirectory();
  const seen = new SeenSet(LEAST_BYTES);
  const log = await SeenLog.open(directory, { seenBytes: 0 }, seen);
  const full = Math.ceil(PER_RUN / 1000) * 1000 - 1000;
  const mark = await commitNumbers(log, seen, 0, full);
  for (let number = full; number < full + 2000; number++) {
    if (seen.add(at(number))) log.append(at(number));
  }
  await log.spillIfFull();
  assert.equal(seen.runCount, 1);
  assert.ok(seen.has(at(full + 1)), 'an uncommitted link is known while the crawl runs');
  log.close();
  const again = new SeenSet(LEAST_BYTES);
  const reopened = await SeenLog.open(directory, mark, again);
  assert.ok(again.has(at(0)) && again.has(at(full - 1)));
  assert.ok(!again.has(at(full)) && !again.has(at(full + 1999)));
  reopened.close();
});

test('the bytes of a run are those of the example in its description', async () => {
  const directory = freshDirectory();
  const log = Buffer.alloc(16);
  log.writeBigUInt64LE(2n, 0);
  log.writeBigUInt64LE(1n, 8);
  const stretch = { first: 0, end: 2, check: crc32(log) };
  const { run, sealed } = SeenRun.write(directory, stretch, BigUint64Array.of(1n, 2n), []);
  await sealed;
  run.close();
  assert.equal(
    directory
      .read('run-00000000000-00000000002')
      .toString('hex')
      .toUpperCase()
      .replaceAll(/(..)(?=.)/g, '$1 '),
    EXAMPLE,
  );
  assert.deepEqual(SeenRun.open(directory, 'run-00000000000-00000000002').stretch, stretch);
});
