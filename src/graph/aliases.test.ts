import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ALIAS, resolveAliases } from './aliases.ts';

function documentsOf(aliasOf: number[]): number[] {
  return [...resolveAliases(aliasOf, (a, b) => a < b)];
}

test('a URL that is not an alias is its own document', () => {
  assert.deepEqual(documentsOf([NO_ALIAS, NO_ALIAS]), [0, 1]);
  assert.deepEqual(documentsOf([]), []);
});

test('every alias of a chain leads to the end of the chain', () => {
  assert.deepEqual(documentsOf([1, 2, 3, NO_ALIAS, 1]), [3, 3, 3, 3, 3]);
  assert.deepEqual(documentsOf([NO_ALIAS, 0, 1, 2]), [0, 0, 0, 0]);
});

test('aliases in a circle are one document, named by its first URL', () => {
  assert.deepEqual(documentsOf([0]), [0]);
  assert.deepEqual(documentsOf([3, 2, 1, 2]), [1, 1, 1, 1]);
  assert.deepEqual(documentsOf([4, 2, 3, 1, 2]), [1, 1, 1, 1, 1]);
});

test('a chain of a million aliases is resolved', () => {
  const count = 1_000_000;
  const chain = Array.from({ length: count }, (_, url) => (url + 1 < count ? url + 1 : NO_ALIAS));
  const documents = resolveAliases(chain, (a, b) => a < b);
  assert.equal(documents[0], count - 1);
});
