import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { placeShard } from './shard-placement.ts';

const SHARDS = Array.from({ length: 2000 }, (_, number) => `shard-${number}`);

function randomNodes(random: Random): { node: string; weight: number }[] {
  const count = random.between(1, 12);
  return Array.from({ length: count }, (_, at) => ({
    node: `node-${at}-${random.below(1e6)}`,
    weight: random.pick([0.5, 1, 1, 2, 4]),
  }));
}

test('a shard is on as many different nodes as it has replicas, whatever the order of the nodes', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 50; round++) {
    const nodes = randomNodes(random);
    const replicas = random.between(1, 4);
    for (const shard of SHARDS.slice(0, 20)) {
      const placed = placeShard(shard, nodes, replicas);
      assert.equal(new Set(placed).size, Math.min(replicas, nodes.length), `seed ${seed}`);
      assert.deepEqual(placeShard(shard, nodes.toReversed(), replicas), placed, `seed ${seed}`);
    }
  }
});

test('when a node leaves, only its shards move; when it joins, only to it', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 30; round++) {
    const nodes = randomNodes(random);
    const gone = random.pick(nodes);
    const rest = nodes.filter((node) => node !== gone);
    const replicas = random.between(1, 3);
    for (const shard of SHARDS.slice(0, 100)) {
      const before = placeShard(shard, nodes, replicas);
      const after = placeShard(shard, rest, replicas);
      const kept = before.filter((node) => node !== gone.node);
      // The nodes that keep the shard come first, and a node replaces the one that left.
      assert.deepEqual(after.slice(0, kept.length), kept, `seed ${seed}, ${shard}`);
      if (kept.length === before.length) assert.deepEqual(after, before, `seed ${seed}, ${shard}`);
    }
  }
});

test('nodes get shards in proportion to their weights', () => {
  const nodes = [1, 1, 2, 4].map((weight, at) => ({ node: `node-${at}`, weight }));
  const counts = new Map<string, number>();
  for (const shard of SHARDS) {
    const [node] = placeShard(shard, nodes, 1);
    counts.set(node!, (counts.get(node!) ?? 0) + 1);
  }
  for (const { node, weight } of nodes) {
    const expected = (SHARDS.length * weight) / 8;
    assert.ok(Math.abs(counts.get(node)! - expected) < expected * 0.25, `${node}: ${counts.get(node)}`);
  }
});
