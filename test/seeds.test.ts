/**
 * Checks that tests draw their seeds from `test/helpers/seed.ts`, so that a run on the same commit tests the same
 * inputs, and `TEST_SEED` repeats a failure.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const THIS_FILE = 'test/seeds.test.ts';

/** Matches a source of chance that no seed repeats. Names of databases and passwords may use `randomBytes`. */
const UNSEEDED = /\bMath\.random\b|\brandomInt\b/;
/** Matches a statement that makes a seed from the clock or from random bytes. */
const DRAWN_SEED =
  /(?:\bseed\w*\b\s*[=:]|\bRandom\()[^;]*(?:\bDate\.now\b|\bnew Date\b|\bperformance\.now\b|\bhrtime\b|\brandomBytes\b|\brandomUUID\b)/i;

function hasUnseededChance(text: string): boolean {
  return UNSEEDED.test(text) || text.split(';').some((statement) => DRAWN_SEED.test(statement));
}

test('no test draws a seed from the clock, from Math.random or from random bytes', () => {
  const patterns = ['src', 'test', 'scripts', 'bench'].map((folder) => `${folder}/**/*.{test,fixture}.ts`);
  const files = globSync(patterns, { cwd: ROOT, exclude: (path) => path.includes('node_modules') })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file !== THIS_FILE);
  assert.ok(files.length > 300, `${files.length} files`);
  const found = files.filter((file) => hasUnseededChance(readFileSync(join(ROOT, file), 'utf8')));
  assert.deepEqual(found, [], 'use testSeed() of test/helpers/seed.ts');
});

test('the check finds seeds from the clock and from random numbers', () => {
  const wrong = ['const seed = Date.now() % 1e9;', 'new Random(Date.now())', 'const n = Math.random();'];
  for (const text of [...wrong, 'let seed =\n  randomBytes(4).readUInt32LE();']) {
    assert.ok(hasUnseededChance(text), text);
  }
  const right = ['const seed = testSeed();\nconst now = Date.now();', "randomBytes(6).toString('hex')"];
  for (const text of right) assert.ok(!hasUnseededChance(text), text);
});
