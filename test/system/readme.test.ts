/** What README promises is what happens: its commands run, its table of commands is the program's. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gyre } from '../helpers/gyre.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```sh\n([^`]*)```/g)].map((match) => match[1]!.trim());

test('the two commands of the README are there, and CI runs the second', () => {
  assert.ok(blocks.includes('npm ci && npm start'));
  assert.ok(blocks.includes('npm ci && npm test'));
  const ci = readFileSync(join(ROOT, '.ci', 'run'), 'utf8');
  assert.match(ci, /^npm ci && npm test$/m);
});

test('the table of commands is the one that the program has', async () => {
  const listed = [...readme.matchAll(/^\| `gyre (\w+)/gm)].map((match) => match[1]!);
  const { stdout } = await gyre(['--help']);
  const known = [...stdout.matchAll(/^ {2}(\w+) {2,}\S/gm)].map((match) => match[1]!);
  assert.deepEqual(listed.sort(), known.sort());
});

test('every file that a document links to exists', () => {
  for (const document of [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/decisions/README.md',
  ]) {
    const text = readFileSync(join(ROOT, document), 'utf8');
    for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      assert.ok(existsSync(join(ROOT, document, '..', target!)), `${document} links to ${target}`);
    }
  }
});

test('the self-test passes', async () => {
  const { code, stdout, stderr } = await gyre(['selftest']);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /ok politeness[\s\S]*ok robots\.txt[\s\S]*ok search\s+500 of 500 pages/);
});
