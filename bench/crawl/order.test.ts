import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareOrders, meanOf } from './order.ts';

test('on a small tangled web the first fifth of the pages has clearly more rank than breadth-first', async () => {
  const webs = [await compareOrders('tangled', 20, 1000, 1), await compareOrders('tangled', 20, 1000, 2)];
  const [ours, breadth, ideal] = meanOf(webs).map(({ curve }) => curve['20%']!);
  assert.ok(ours! > 1.1 * breadth!, `${ours} against ${breadth}`);
  assert.ok(ours! <= ideal!);
});
