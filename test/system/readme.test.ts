/**
 * Tests the user documentation: the commands in the README work, and all links between documents have a target.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gyre } from '../helpers/gyre.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```sh\n([^`]*)```/g)].map((match) => match[1]!.trim());

test('the two commands of the README exist, and CI runs the second', () => {
  assert.ok(blocks.includes('npm ci && npm start'));
  assert.ok(blocks.includes('npm ci && npm test'));
  const ci = readFileSync(join(ROOT, '.ci', 'run'), 'utf8');
  assert.match(ci, /^npm ci && npm test$/m);
});

test('the table of commands in the README has the commands of the program', async () => {
  const rows = readme.match(/^\| .*`gyre .*$/gm) ?? [];
  const listed = rows.flatMap((row) => Array.from(row.matchAll(/`gyre ([\w-]+)`/g), ([, name]) => name!));
  const { stdout } = await gyre(['--help']);
  const known = [...stdout.matchAll(/^ {2}([\w-]+) {2,}\S/gm)].map((match) => match[1]!);
  assert.deepEqual(listed.sort(), known.sort());
});

test('every file and every heading that a document links to exists', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
  for (const document of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'src/page/extractors/README.md',
    'src/synthetic-web/README.md',
    'test/attack/README.md',
    ...pages.filter((page) => page.endsWith('.md')).map((page) => `docs/${page}`),
  ]) {
    const text = readFileSync(join(ROOT, document), 'utf8');
    for (const [, target = '', anchor] of text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)) {
      const file = target === '' ? join(ROOT, document) : join(ROOT, document, '..', target);
      assert.ok(existsSync(file), `${document} links to ${target}`);
      if (anchor === undefined) continue;
      assert.ok(anchorsOf(file).includes(anchor), `${document} links to ${target}#${anchor}`);
    }
  }
});

/** Returns the anchors that GitHub gives to the headings of a document. */
function anchorsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the self-test passes', async () => {
  const { code, stdout, stderr } = await gyre(['selftest']);
  assert.equal(code, 0, stdout + stderr);
  for (const line of ['politeness', 'robots\\.txt', 'restart', 'duplicates', 'traps'])
    assert.match(stdout, new RegExp(`^ *ok ${line} `, 'm'));
  assert.match(stdout, /ok search\s+200 of 200 pages/);
});
