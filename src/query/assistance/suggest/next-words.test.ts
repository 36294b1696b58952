import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WordCounter, WordPairs } from '../../../lexicon/mod.ts';
import { encodeVocabulary } from '../../../lexicon/vocabulary-writer.ts';
import { suggestNextWords } from './next-words.ts';

const counter = new WordCounter();
counter.add('the sea shell', 20);
counter.add('sea shore', 10);
counter.add('sea shed', 2);
counter.add('shell script', 8);
counter.add('shell the peas', 9);
counter.add('harbour', 30);
const PAIRS = new WordPairs(encodeVocabulary({ generation: 1, docs: 1 }, counter.finish()));
const next = (typed: string, limit = 5) => suggestNextWords(PAIRS, typed, limit);

test('the last word is completed by words that follow the one before it, most frequent first', () => {
  assert.deepEqual(next('Sea sh'), ['Sea shell', 'Sea shore']);
  assert.deepEqual(next('by the sea sh', 1), ['by the sea shell']);
});

test('a whole word is continued by words that follow it, but not by function words', () => {
  assert.deepEqual(next('sea shell'), ['sea shell script']);
  assert.deepEqual(next('sea '), ['sea shell', 'sea shore']);
});

test('without a pair, the last word is completed by the most frequent words', () => {
  assert.deepEqual(next('old harb'), ['old harbour']);
  assert.deepEqual(next('old xyz'), []);
});

test('a single unfinished word is left to phrases', () => {
  assert.deepEqual(next('sh'), []);
  assert.deepEqual(next(''), []);
  assert.deepEqual(next('?! '), []);
});
