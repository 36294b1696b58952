import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestStretch } from './best-stretch.ts';

test('the best stretch has the heaviest words that are close together, each once', () => {
  const weights = [1, 2, 4];
  assert.equal(bestStretch([[100, 101], [102], [300]], weights, 0), 4);
  assert.equal(bestStretch([[100], [115], [300]], weights, 0), 4);
  assert.equal(bestStretch([[100], [110], [105]], weights, 0), 7);
  assert.equal(bestStretch([[100], [116], null], weights, 0), 2);
  assert.equal(bestStretch([null, null, null], weights, 0), null);
});

test('words in the title do not count', () => {
  assert.equal(bestStretch([[0, 50], [1], [2, 90]], [1, 2, 4], 3), 4);
});

test('with a quoted phrase, the best stretch must have the phrase', () => {
  const phrase = { words: [0, 1], exact: ['event', 'loop'], weight: 3 };
  const apart = [[10, 50], [12, 51], [11]];
  assert.equal(bestStretch(apart, [1, 2, 4], 0, [phrase]), 6);
  assert.equal(bestStretch([[10], [12], [11]], [1, 2, 4], 0, [phrase]), null);
});
