/** Checks that the tests and commands that docs/trust.md names exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs', 'trust.md'), 'utf8');
const [, promises] = /## Promises\n([\s\S]*?)\n## /.exec(page)!;
const rows = promises!.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise'));

test('every promise names a test, and every named test file exists', () => {
  assert.ok(rows.length > 10, `${rows.length} promises`);
  for (const row of rows) {
    const files = Array.from(row.matchAll(/`([\w/.-]+\.test\.ts)`/g), (match) => match[1]!);
    assert.notEqual(files.length, 0, row);
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), file);
  }
});

test('every command of the page exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = Array.from(page.matchAll(/npm run ([\w:]+)/g), (match) => match[1]!);
  assert.notEqual(commands.length, 0);
  for (const command of commands) assert.ok(Object.hasOwn(scripts, command), command);
});
