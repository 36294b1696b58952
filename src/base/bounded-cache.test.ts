import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedCache } from './bounded-cache.ts';

test('a full cache drops the least recently used entry; peek does not count as use', () => {
  const cache = BoundedCache.ofEntries<string, number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.peek('b');
  cache.set('c', 3);
  assert.deepEqual(
    [...cache.entries()],
    [
      ['a', 1],
      ['c', 3],
    ],
  );
});

test('a cache of bytes drops entries until the sizes fit, and never keeps a value that alone is too large', () => {
  const cache = BoundedCache.ofBytes<string, string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.set('a', 'AA', 5);
  assert.equal(cache.sizeBytes, 9);
  cache.set('c', 'C', 5);
  assert.deepEqual([...cache.values()], ['AA', 'C']);
  cache.set('a', 'too large', 11);
  assert.deepEqual([...cache.values()], ['C']);
  assert.equal(cache.sizeBytes, 5);
  cache.delete('c');
  assert.deepEqual([cache.size, cache.sizeBytes], [0, 0]);
});

test('a cache that is cleared when full keeps the new entry alone', () => {
  const cache = BoundedCache.clearedWhenFull<string, number>(2);
  for (const key of ['a', 'b', 'b', 'a']) cache.set(key, 1);
  assert.equal(cache.size, 2);
  cache.set('c', 3);
  assert.deepEqual([...cache.entries()], [['c', 3]]);
});

test('a value is computed once while it is kept', () => {
  const cache = BoundedCache.ofEntries<string, number>(1);
  let computed = 0;
  const ask = (key: string) => cache.remember(key, () => ++computed);
  assert.deepEqual([ask('a'), ask('a'), ask('b'), ask('a')], [1, 1, 2, 3]);
});
