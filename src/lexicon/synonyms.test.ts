import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../base/mod.ts';
import { SynonymMiner } from './synonym-miner.ts';
import { readSynonyms } from './synonyms-reader.ts';
import { writeSynonyms } from './synonyms-writer.ts';

function mined(...pages: string[][]): string[] {
  const miner = new SynonymMiner();
  for (const names of pages) miner.add(names);
  return miner.finish().map(({ first, second }) => `${first} ${second}`);
}

test('a word that contains another and leads to the same page is a synonym at once', () => {
  assert.deepEqual(mined(['Penn', 'UPenn']), ['penn upenn']);
});

test('other pairs need two pages, and a fair share of those that have the word', () => {
  assert.deepEqual(mined(['JS guide', 'JavaScript guide']), []);
  assert.deepEqual(mined(['JS guide', 'JavaScript guide'], ['learn js', 'learn JavaScript', 'js']), [
    'javascript js',
  ]);
  const others = Array.from({ length: 8 }, (_, at) => [`guide js ${at}`, 'javascript reference']);
  assert.deepEqual(mined(['JS guide', 'JavaScript guide'], ['learn js', 'learn JavaScript'], ...others), []);
});

test('a page that is called many things is a list of them', () => {
  const names = ['close', 'connect', 'disconnect', 'destroy'];
  assert.deepEqual(mined(names, names), []);
});

test('names that differ in more, forms of one word and numbers make no pair', () => {
  for (const names of [
    ['http client', 'web fetcher'],
    ['clients', 'client'],
    ['version 1', 'version 2'],
    ['node', 'node server'],
  ]) {
    assert.deepEqual(mined(names, names), [], names.join(' and '));
  }
});

test('pairs come back from the file, stronger with more pages but never a full match', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-synonyms-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const directory = openDirectory(path);
  assert.deepEqual(readSynonyms(directory), []);
  const miner = new SynonymMiner();
  miner.add(['penn', 'upenn']);
  for (let page = 0; page < 9; page++) miner.add(['js guide', 'javascript guide']);
  writeSynonyms(directory, { generation: 1, docs: 10 }, miner.finish());
  assert.deepEqual(
    readSynonyms(directory).map((pair) => ({ ...pair, weight: Number(pair.weight.toFixed(2)) })),
    [
      { first: 'javascript', second: 'js', weight: 0.5 },
      { first: 'penn', second: 'upenn', weight: 0.3 },
    ],
  );
});
