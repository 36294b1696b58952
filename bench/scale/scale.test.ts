import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeCapacity } from './capacity.ts';
import { simulateCluster } from './cluster-simulation.ts';
import { SIMULATED, simulationOf } from './page.ts';

test('a hundred times the pages need a hundred times the storage, and more limits are exceeded', () => {
  const demand = { name: '', pages: 1e8, queriesPerSecond: 10 };
  const [small, large] = [computeCapacity(demand), computeCapacity({ ...demand, pages: 1e10 })];
  assert.ok(Math.abs(large.objectTb / small.objectTb - 100) < 1e-6);
  assert.ok(large.crawlCores > small.crawlCores && large.nodes > small.nodes);
  assert.deepEqual(small.limits, []);
  assert.ok(large.limits.length >= 3);
});

test('vnodes of dead nodes recover after lease and delay, never have two owners, and queues drain', () => {
  const result = simulationOf(50, 256);
  assert.equal(result.hadTwoOwners, false);
  assert.ok(result.recoveryLargest > 11 && result.recoveryLargest < 15, `${result.recoveryLargest} s`);
  assert.ok(result.coordinatorGap >= 4 && result.coordinatorGap <= 6.5, `${result.coordinatorGap} s`);
  assert.ok(result.movedByJoin > 0 && result.movedByJoin < 0.03);
  assert.ok(result.deepestQueue > 0 && result.drainSeconds < 60);
});

test('nodes without a vnode are idle, and more vnodes give them work', () => {
  assert.equal(simulationOf(300, 256).idleNodes, 44);
  assert.equal(simulationOf(300, 1024).idleNodes, 0);
});

test('full queues pause the crawl', () => {
  const { maxQueuedPerNode: _, ...settings } = SIMULATED;
  const narrow = { ...settings, nodes: 10, vnodes: 64, linksPerSecond: 8_000, maxQueued: 50_000 };
  const result = simulateCluster(narrow);
  assert.ok(result.pausedSeconds > 10);
  assert.ok(result.deepestQueue < 50_000);
});
