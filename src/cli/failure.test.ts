import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CorruptError, GyreError } from '../base/mod.ts';
import { failureOf } from './failure.ts';

test('a damaged file without advice of its own sends the operator to gyre doctor', () => {
  const plain = new CorruptError('a.warc.gz.part', 7, '9 committed bytes', 'the end');
  assert.match(failureOf(plain).message, /got the end; run gyre doctor$/);
  const advised = new CorruptError('seg-1.seg', 0, 'magic A', 'B', 'run gyre build --repair');
  assert.match(failureOf(advised).message, /got B; run gyre build --repair$/);
});

test('only the advice of an error counts, not a command in its message', () => {
  const named = new CorruptError('run gyre rank.seg', 0, 'magic A', 'B');
  assert.match(failureOf(named).message, /got B; run gyre doctor$/);
});

test('a full disk is recognised by the code of the error or of its cause, not by its text', () => {
  const full = Object.assign(new Error('write failed'), { code: 'ENOSPC' });
  for (const error of [full, new GyreError('thread-died', 'the thread has died', { cause: full })])
    assert.match(failureOf(error).message, /^the disk is full: free some space/);
  assert.match(failureOf(new GyreError('bad-query', 'no results for "disk is full"')).message, /^no results/);
});

test('a full database is a full disk', () => {
  const database = new DatabaseSync(':memory:');
  database.exec('pragma max_page_count = 2');
  const fill = () => database.exec('create table t (bytes); insert into t values (zeroblob(100000))');
  assert.throws(fill, (error) => failureOf(error).message.startsWith('the disk is full'));
  database.close();
});
