import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NaiveLexicon } from '../../../lexicon/lexicon.fixture.ts';
import { WordPairs } from '../../../lexicon/mod.ts';
import { suggestNextWords } from './next-words.ts';

/** Word pairs of two segments, so that some counts are sums. */
const PAIRS = new WordPairs(
  [
    new NaiveLexicon()
      .add('the sea shell', 20)
      .add('sea shore', 6)
      .add('sea shed', 1)
      .add('harbour', 6)
      .add('use', 500),
    new NaiveLexicon()
      .add('sea shore', 4)
      .add('sea shed', 1)
      .add('shell script', 8)
      .add('shell the peas', 9)
      .add('harbour', 24)
      .add('sea use', 30)
      .add('water', 800),
  ].map((lexicon) => lexicon.asRead().words),
);
const next = (typed: string, limit = 5) => suggestNextWords(PAIRS, typed, limit);

test('the last word is completed by words that follow the one before it, most frequent first', () => {
  assert.deepEqual(next('Sea sh'), ['Sea shell', 'Sea shore']);
  assert.deepEqual(next('by the sea sh', 1), ['by the sea shell']);
});

test('a whole word is continued by words that follow it, but not by function words', () => {
  assert.deepEqual(next('sea shell'), ['sea shell script']);
  assert.deepEqual(next('sea '), ['sea shell', 'sea shore']);
});

test('words that follow any word are no continuation, but complete a typed beginning', () => {
  assert.ok(!next('sea ').includes('sea use'));
  assert.ok(next('sea us').includes('sea use'));
});

test('without a pair, the last word is completed by the most frequent words', () => {
  assert.deepEqual(next('old harb'), ['old harbour']);
  assert.deepEqual(next('old xyz'), []);
});

test('a single unfinished word is completed by the most frequent words, each once', () => {
  assert.deepEqual(next('sh'), ['shell', 'shore']);
  assert.deepEqual(next('harb'), ['harbour']);
  assert.deepEqual(next('s'), [], 'one letter says too little');
  assert.deepEqual(next(''), []);
  assert.deepEqual(next('?! '), []);
});

test('one letter is enough after a word that has followers, also after a function word', () => {
  assert.deepEqual(next('Sea s'), ['Sea shell', 'Sea shore']);
  assert.deepEqual(next('in the s'), ['in the sea']);
  assert.deepEqual(next('harbour by the s'), [], 'any noun follows');
  assert.deepEqual(next('shell to'), [], 'a typed function word is not completed to another word');
});

test('a word is joined to the typed text as it was typed', () => {
  assert.deepEqual(next('sea::sh'), ['sea::shell', 'sea::shore']);
});
