import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../test/helpers/seed.ts';
import { Random } from '../base/mod.ts';
import { assignVnodes, type WeightedNode } from './vnode-assignment.ts';

const FREE: (string | null)[] = Array(256).fill(null);

function nodesOf(count: number): WeightedNode[] {
  return Array.from({ length: count }, (_, number) => ({ node: `node-${number}`, weight: 1 }));
}

function countMoves(before: readonly (string | null)[], after: readonly (string | null)[]): number {
  return before.filter((node, vnode) => node !== after[vnode]).length;
}

function countOf(assigned: readonly (string | null)[], node: string): number {
  return assigned.filter((each) => each === node).length;
}

test('without nodes no vnode is assigned', () => {
  assert.deepEqual(assignVnodes(FREE, []), FREE);
  assert.deepEqual(assignVnodes(Array(256).fill('gone'), []), FREE);
});

test('the eleventh node moves 9 % of the vnodes, and the largest load is 1.03 times the mean', () => {
  const before = assignVnodes(FREE, nodesOf(10));
  const after = assignVnodes(before, nodesOf(11));
  assert.equal(countMoves(before, after), 23);
  const largest = Math.max(...nodesOf(11).map(({ node }) => countOf(after, node)));
  assert.ok(largest / (256 / 11) < 1.04);
});

test('if nothing changes, nothing moves, whatever the order of the nodes', () => {
  const before = assignVnodes(FREE, nodesOf(7));
  assert.deepEqual(assignVnodes(before, nodesOf(7).reverse()), before);
});

test('a node of twice the weight gets twice as many vnodes', () => {
  const assigned = assignVnodes(FREE, [
    { node: 'small', weight: 1 },
    { node: 'large', weight: 3 },
  ]);
  assert.deepEqual([countOf(assigned, 'small'), countOf(assigned, 'large')], [64, 192]);
});

test('a leave moves only the vnodes of the node that left, if all weights are equal', () => {
  for (let count = 2; count <= 64; count++) {
    const before = assignVnodes(FREE, nodesOf(count));
    const after = assignVnodes(before, nodesOf(count).slice(1));
    assert.equal(countMoves(before, after), countOf(before, 'node-0'), `${count} nodes`);
  }
});

test('after any joins, leaves and weights, loads are balanced and moves are minimal', () => {
  const seed = testSeed();
  const random = new Random(seed);
  let assigned = FREE;
  for (let step = 0; step < 500; step++) {
    const nodes = nodesOf(40)
      .filter(() => random.chance(0.7))
      .map(({ node }) => ({ node, weight: random.pick([1, 1, 2, 2.5, 8]) }));
    if (nodes.length === 0) continue;
    const next = assignVnodes(assigned, nodes);
    const total = nodes.reduce((sum, { weight }) => sum + weight, 0);
    let kept = 0;
    for (const { node, weight } of nodes) {
      const share = (256 * weight) / total;
      const count = countOf(next, node);
      assert.ok(Math.abs(count - share) < 1, `seed ${seed}, step ${step}: ${node} has ${count} of ${share}`);
      const keeps = assigned.filter((before, vnode) => before === node && next[vnode] === node).length;
      assert.equal(keeps, Math.min(count, countOf(assigned, node)), `seed ${seed}, step ${step}: ${node}`);
      kept += keeps;
    }
    assert.equal(countMoves(assigned, next), 256 - kept);
    assigned = next;
  }
});
