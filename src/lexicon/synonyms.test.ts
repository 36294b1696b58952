import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory } from '../base/mod.ts';
import { SynonymMiner } from './synonym-miner.ts';
import { joinNames, writeNamesPart } from './names-part.ts';
import { PhraseGatherer } from './phrase-gatherer.ts';
import { openPhrases } from './phrases-reader.ts';
import { readSynonyms, writeSynonyms } from './synonyms-format.ts';

function mined(...pages: string[][]): string[] {
  const miner = new SynonymMiner();
  for (const names of pages) miner.add(names);
  return miner.finish().map(({ first, second }) => `${first} ${second}`);
}

test('a word that contains another name of the same page is a synonym at once', () => {
  assert.deepEqual(mined(['Penn', 'UPenn']), ['penn upenn']);
});

test('other pairs need two pages and a minimum share of the pages with the word', () => {
  assert.deepEqual(mined(['JS guide', 'JavaScript guide']), []);
  assert.deepEqual(mined(['JS guide', 'JavaScript guide'], ['learn js', 'learn JavaScript', 'js']), [
    'javascript js',
  ]);
  const others = Array.from({ length: 8 }, (_, at) => [`guide js ${at}`, 'javascript reference']);
  assert.deepEqual(mined(['JS guide', 'JavaScript guide'], ['learn js', 'learn JavaScript'], ...others), []);
});

test('a page with too many names gives no synonyms', () => {
  const names = ['close', 'connect', 'disconnect', 'destroy'];
  assert.deepEqual(mined(names, names), []);
});

test('names that differ in several words, forms of one word and numbers give no pair', () => {
  for (const names of [
    ['http client', 'web fetcher'],
    ['clients', 'client'],
    ['version 1', 'version 2'],
    ['node', 'node server'],
  ]) {
    assert.deepEqual(mined(names, names), [], names.join(' and '));
  }
});

test('pairs are read from the file; their weight grows with the pages but stays below 1', (t) => {
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

test('the names of several shards give the synonyms and phrases of one index', (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-names-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const [parts, words] = [openDirectory(join(path, 'parts')), openDirectory(join(path, 'words'))];
  const pages = [
    ['JS guide', 'JavaScript guide'],
    ['learn js', 'learn JavaScript', 'js'],
    ['Penn', 'UPenn'],
  ];
  for (const [shard, names] of pages.entries()) {
    const [phrases, miner] = [new PhraseGatherer(10), new SynonymMiner()];
    for (const name of names) phrases.add(`All about ${name}`, 1);
    phrases.add('The whole story', 0.5);
    miner.add(names);
    writeNamesPart(parts, `part-${shard}`, { docs: 1, phrases: phrases.finish(), counts: miner.counts });
  }
  joinNames(parts, ['part-0', 'part-1', 'part-2'], words, 7);
  const found = readSynonyms(words).map(({ first, second }) => `${first} ${second}`);
  assert.deepEqual(found, mined(...pages));
  assert.deepEqual(found, ['javascript js', 'penn upenn']);
  const table = openPhrases(words)!;
  const texts = Array.from({ length: table.count }, (_, at) => table.phrase(at).text);
  assert.equal(texts.filter((text) => text === 'The whole story').length, 1);
  assert.equal(texts.length, 7 + 1);
});
