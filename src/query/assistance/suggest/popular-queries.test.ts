import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Directory, openDirectory, silentLog } from '../../../base/mod.ts';
import { readQueries } from '../../../lexicon/mod.ts';
import { PopularQueries } from './popular-queries.ts';

function temporaryDirectory(t: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-popular-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return openDirectory(path);
}

function ask(queries: PopularQueries, query: string, times: number): void {
  for (let time = 0; time < times; time++) queries.note(query);
}

test('a query is suggested after five searches, the most frequent first', (t) => {
  const queries = new PopularQueries(temporaryDirectory(t), silentLog);
  ask(queries, 'Event loop', 4);
  assert.deepEqual(queries.suggest('ev', 5), []);
  ask(queries, 'event  LOOP', 1);
  ask(queries, 'event emitter', 9);
  assert.deepEqual(queries.suggest('Ev', 5), ['event emitter', 'event loop']);
  assert.deepEqual(queries.suggest('Ev', 1), ['event emitter']);
  assert.deepEqual(queries.suggest(' ', 5), []);
});

test('operators, URLs, numbers and long texts are not counted', (t) => {
  const directory = temporaryDirectory(t);
  const queries = new PopularQueries(directory, silentLog);
  for (const query of [
    'site:a.example b',
    'me@example.org',
    'call 555 1234',
    '"my words"',
    '-not',
    'x'.repeat(61),
  ])
    ask(queries, query, 5);
  queries.save();
  assert.deepEqual(directory.list(), []);
});

test('counts survive a restart, contain only texts and counts, and a damaged file is reset', (t) => {
  const directory = temporaryDirectory(t);
  const queries = new PopularQueries(directory, silentLog, 1);
  ask(queries, 'rare', 1);
  ask(queries, 'common', 5);
  queries.save();
  assert.deepEqual(readQueries(directory), new Map([['common', 5]]));
  assert.deepEqual(new PopularQueries(directory, silentLog).suggest('co', 3), ['common']);
  writeFileSync(join(directory.path, 'queries.gyre'), 'damaged');
  assert.deepEqual(new PopularQueries(directory, silentLog).suggest('co', 3), []);
});

test('the operator sees the most frequent queries, and those without results, but no private ones', (t) => {
  const queries = new PopularQueries(temporaryDirectory(t), silentLog);
  ask(queries, 'event loop', 2);
  ask(queries, 'streams', 3);
  for (const query of ['no such thing', 'No  such thing', 'me@example.org'])
    queries.noteWithoutResults(query);
  assert.deepEqual(queries.mostFrequent(1), {
    withResults: [['streams', 3]],
    withoutResults: [['no such thing', 2]],
  });
  assert.deepEqual(queries.suggest('no', 5), []);
});
