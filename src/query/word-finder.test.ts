import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordFinder } from './word-finder.ts';

test('words are found as the index would find them, excluded ones are not', () => {
  const text = 'Café au lait, and a cafe.';
  assert.deepEqual(
    wordFinder('cafe -lait')(text).map(([start, end]) => text.slice(start, end)),
    ['Café', 'cafe'],
  );
});

test('pairs of characters that overlap are one stretch', () => {
  assert.deepEqual(wordFinder('東京都')('in 東京都 now'), [[3, 6]]);
});

test('a query without words finds nothing', () => {
  assert.deepEqual(wordFinder('site:example.org')('site example'), []);
});
