import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meanOf } from './order.ts';
import { compareTopicOrders } from './topics.ts';

test('on scattered topics, the first fifth of the pages has more of the topic than best-first and breadth-first', async () => {
  const webs = [
    await compareTopicOrders('scatteredTopic', 300, 1),
    await compareTopicOrders('scatteredTopic', 300, 2),
  ];
  const [ours, bestFirst, breadth, ideal] = meanOf(webs).map(({ curve }) => curve['20%']!);
  assert.ok(ours! >= 1.2 * bestFirst!, `${ours} against ${bestFirst}`);
  assert.ok(ours! >= 2 * breadth!, `${ours} against ${breadth}`);
  assert.ok(ours! <= ideal!);
});
