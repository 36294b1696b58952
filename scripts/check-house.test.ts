import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const BARS = [
  'directories with more than 20 production files: 0',
  'exported names declared twice: 0',
  'unused exports: 0 ',
  'imports outside the table: 0',
  'files of the page walk: ',
  'changes of room in the page walk: ',
  'decisions about each link of a page: 1.00 ',
  'URLs decided again after a page linked to them: 0 ',
  'times that a query is parsed: 1.00 ',
  'replaced phrases: ',
];

test('npm run check:house prints each bar with its figure, and none is missed', () => {
  const script = join(import.meta.dirname, 'check-house.ts');
  const args = ['--disable-warning=ExperimentalWarning', script];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
  for (const bar of BARS) assert.ok(stdout.includes(bar), `${bar}\n${stdout}`);
});
