import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadAhead } from './read-ahead.ts';

test('the oldest item is settled first when there are too many or they are too large', async () => {
  const settled: string[] = [];
  const ahead = new ReadAhead<string>(async (item) => void settled.push(item), { items: 2, bytes: 100 });
  await ahead.add('a', 1);
  await ahead.add('b', 1);
  assert.deepEqual(settled, []);
  await ahead.add('c', 1);
  assert.deepEqual(settled, ['a']);
  await ahead.add('large', 101);
  assert.deepEqual(settled, ['a', 'b', 'c', 'large']);
  await ahead.add('d', 1);
  await ahead.drain();
  assert.deepEqual(settled, ['a', 'b', 'c', 'large', 'd']);
});
