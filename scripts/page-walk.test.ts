import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { reportBar } from '../test/helpers/bar.ts';
import { readPageWalk } from './page-walk.ts';

const SRC = join(import.meta.dirname, '..', 'src');
const { files, crossings } = readPageWalk();

test('every file of the page walk in docs/architecture.md exists and is listed once', () => {
  const missing = files.filter((file) => !existsSync(join(SRC, file)));
  assert.deepEqual(missing, [], 'update the table "Following one page through the code"');
  assert.equal(new Set(files).size, files.length, 'a file is listed twice');
});

test('a page passes fewer than 120 files and changes the room fewer than 30 times', (t) => {
  reportBar(t, 'files of the page walk', `${files.length} (fewer than 120)`);
  reportBar(t, 'changes of room in the page walk', `${crossings} (fewer than 30)`);
  assert.ok(files.length >= 60 && files.length < 120, `${files.length} files`);
  assert.ok(crossings < 30, `${crossings} crossings`);
});
