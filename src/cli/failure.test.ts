import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CorruptError } from '../base/mod.ts';
import { failureOf } from './failure.ts';

test('a damaged file without advice of its own sends the operator to gyre doctor', () => {
  const plain = new CorruptError('a.warc.gz.part', 7, '9 committed bytes', 'the end');
  assert.match(failureOf(plain).message, /got the end; run gyre doctor$/);
  const advised = new CorruptError('seg-1.seg', 0, 'magic A', 'B', 'run gyre build --repair');
  assert.match(failureOf(advised).message, /got B; run gyre build --repair$/);
});
