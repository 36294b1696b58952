/** Checks that each promise of docs/security.md names a test that exists. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const DOCS = join(import.meta.dirname, '..', 'docs');

test('each promise of the security page has a test with this name', () => {
  const page = readFileSync(join(DOCS, 'security.md'), 'utf8');
  const table = page.split('## What is promised')[1]!.split('\n## ')[0]!;
  const rows = table.split('\n').filter((line) => /^\| [A-Z]/.test(line));
  assert.ok(rows.length > 20);
  for (const row of rows) {
    const [, name, file] = /\| \[(.+)\]\((\S+\.test\.ts)\) \|$/.exec(row) ?? [];
    assert.ok(name && file, row);
    const source = readFileSync(join(DOCS, file), 'utf8');
    assert.ok(
      source.includes(`'${name}'`) || source.includes(`\`${name}\``),
      `${file} has no test "${name}"`,
    );
  }
});
