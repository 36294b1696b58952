/**
 * Runs every target of the fuzzer for a moment with a fixed seed, and all inputs that failed once. Long runs, guided by
 * coverage: `npm run fuzz`.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Random } from '../../src/base/mod.ts';
import { fuzz } from './campaign.ts';
import { CRASHERS } from './crashers.ts';
import { mutated } from './mutate.ts';
import { FUZZ_TARGETS } from './targets.ts';

/** The time of each target. All targets together take 10 s of CPU time. */
const BUDGET_MS = 100;

const names = FUZZ_TARGETS.map(({ name }) => name);

test('the targets have different names, and the crashers belong to targets', () => {
  assert.equal(new Set(names).size, names.length);
  const folders = existsSync(CRASHERS) ? readdirSync(CRASHERS) : [];
  assert.deepEqual(
    folders.filter((folder) => !names.includes(folder)),
    [],
  );
});

test('the same seed makes the same inputs', () => {
  const make = () => {
    const random = new Random(7);
    const sources = { corpus: [Buffer.from('a seed')], words: ['word'], maxBytes: 1000 };
    return Array.from({ length: 200 }, () => mutated(random, sources));
  };
  const inputs = make();
  assert.deepEqual(inputs, make());
  assert.ok(new Set(inputs.map(String)).size > 150, 'most inputs are different');
  assert.ok(inputs.every(({ length }) => length <= 1000));
});

test('a target that throws, hangs or needs too much memory is reported with its input', async () => {
  // On a busy machine, the memory grows for many seconds before it is too much.
  const expected = [
    { target: 'self-test-throws', problem: /a byte above 127/, hangMs: 60_000 },
    { target: 'self-test-hangs', problem: /hangs/, hangMs: 2_000 },
    { target: 'self-test-grows', problem: /memory/, hangMs: 60_000 },
  ];
  for (const { target, problem, hangMs } of expected) {
    const [report] = await fuzz([target], { seed: 1, budgetMs: 1_000, isGuided: true, hangMs });
    const { failures } = report!;
    assert.match(String(failures[0]?.problem), problem, target);
    assert.ok(
      failures[0]!.input.some((byte) => byte > 127),
      target,
    );
  }
});

test('seeds, inputs that failed once, and mutations fail nowhere', async () => {
  const reports = await fuzz(names, { seed: 1, budgetMs: BUDGET_MS, isGuided: false });
  for (const { target, inputs, failures } of reports) {
    assert.ok(inputs > 0, target);
    assert.deepEqual(
      failures.map(
        ({ problem, place, input }) => `${problem} ${place} ${Buffer.from(input).toString('base64')}`,
      ),
      [],
      target,
    );
  }
});
