import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../../base/mod.ts';
import { Synonyms } from './synonyms.ts';
import { parseSynonyms } from './synonyms-file.ts';

const parsed = (text: string) =>
  parseSynonyms(text, 'syn.txt').map(({ word, other }) => `${word} > ${other}`);

test('a list applies in every direction, an arrow in one; comments and empty lines are ignored', () => {
  assert.deepEqual(parsed('# cars\n\nCar, Auto'), ['car > auto', 'auto > car']);
  assert.deepEqual(parsed('upenn => Penn, university\r\n'), ['upenn > penn', 'upenn > university']);
});

test('the error for an invalid line has its number', () => {
  const cases: [string, RegExp][] = [
    ['a, b\nnew york, nyc', /^syn\.txt line 2: "new york" is 2 words \(new, york\); a synonym is one$/],
    ['alone', /line 1: "alone" has no synonyms/],
    ['a => b => c', /line 1: more than one =>/],
    ['a, , b', /line 1: expected a word, got ""/],
  ];
  for (const [text, message] of cases) {
    assert.throws(
      () => parsed(text),
      (error) => error instanceof UsageError && message.test(error.message),
      text,
    );
  }
});

test('rules outweigh and replace mined pairs, and a word has at most four synonyms', () => {
  const pairs = [
    { first: 'penn', second: 'upenn', weight: 0.3 },
    ...['a', 'b', 'c', 'd'].map((second) => ({ first: 'upenn', second, weight: 0.2 })),
  ];
  const synonyms = new Synonyms(parseSynonyms('upenn => penn', ''), pairs);
  assert.deepEqual(synonyms.of('upenn')[0], { term: 'penn', weight: 0.7, source: 'operator' });
  assert.deepEqual(
    synonyms.of('upenn').map(({ term }) => term),
    ['penn', 'a', 'b', 'c'],
  );
  assert.deepEqual(synonyms.of('penn'), [{ term: 'upenn', weight: 0.3, source: 'mined' }]);
  assert.deepEqual(synonyms.of('other'), []);
  assert.deepEqual(synonyms.words(), ['a', 'b', 'c', 'd', 'penn', 'upenn']);
});

test('shipped synonyms are below rules of the operator', () => {
  const synonyms = new Synonyms(parseSynonyms('db => store', ''), []);
  assert.deepEqual(synonyms.of('db'), [
    { term: 'store', weight: 0.7, source: 'operator' },
    { term: 'database', weight: 0.6, source: 'shipped' },
  ]);
  assert.deepEqual(synonyms.words(), ['db']);
});
