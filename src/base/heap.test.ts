import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heap } from './heap.ts';
import { Random } from './random.ts';

test('items are returned in order, whatever the order of insertion', () => {
  const random = new Random(7);
  const heap = new Heap<number>((a, b) => a < b);
  const items = Array.from({ length: 300 }, () => random.below(50));
  for (const item of items) heap.push(item);
  heap.replaceTop(25);
  items.sort((a, b) => a - b).shift();
  items.push(25);
  const out = Array.from({ length: heap.size }, () => heap.pop());
  assert.deepEqual(
    out,
    items.sort((a, b) => a - b),
  );
  assert.equal(heap.pop(), undefined);
});
