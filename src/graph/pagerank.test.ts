import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../base/mod.ts';
import { buildGraph, type LinkGraph, pageRank, rankStep } from './pagerank.ts';

const DAMPING = 0.85;

/** `links[node]` are the nodes it links to, each at most once. */
function graphOf(links: number[][]): LinkGraph {
  const outOffsets = new Uint32Array(links.length + 1);
  links.forEach((targets, node) => {
    outOffsets[node + 1] = outOffsets[node]! + targets.length;
  });
  return buildGraph(outOffsets, Uint32Array.from(links.flat()));
}

function rank(links: number[][], maxIterations = 200): Float64Array {
  return pageRank(graphOf(links), { damping: DAMPING, maxIterations, tolerance: 1e-12 }).ranks;
}

/** The definition: a dense matrix of chances, multiplied as often as asked. */
function naiveRank(links: number[][], iterations: number): number[] {
  const count = links.length;
  const chance = (from: number, to: number) => {
    const out = links[from]!;
    if (out.length === 0) return 1 / count;
    return (1 - DAMPING) / count + (out.includes(to) ? DAMPING / out.length : 0);
  };
  let ranks: number[] = new Array(count).fill(1 / count);
  for (let i = 0; i < iterations; i++) {
    ranks = ranks.map((_, to) => ranks.reduce((sum, value, from) => sum + value * chance(from, to), 0));
  }
  return ranks;
}

function randomLinks(random: Random): number[][] {
  const count = random.between(1, 30);
  const density = random.next() * 0.4;
  return Array.from({ length: count }, (_, from) => {
    const others = Array.from({ length: count }, (_, to) => to).filter((to) => to !== from);
    return random.chance(0.2) ? [] : others.filter(() => random.chance(density));
  });
}

function sum(values: Iterable<number>): number {
  return [...values].reduce((total, value) => total + value, 0);
}

function assertClose(actual: Iterable<number>, expected: readonly number[], message: string): void {
  [...actual].forEach((value, node) => {
    const difference = Math.abs(value - expected[node]!);
    assert.ok(difference < 1e-12, `${message}: node ${node} has ${value}, expected ${expected[node]}`);
  });
}

test('random graphs get the ranks of the definition', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const links = randomLinks(new Random(seed));
    const iterations = 1 + (seed % 20);
    const { ranks } = pageRank(graphOf(links), { damping: DAMPING, maxIterations: iterations, tolerance: 0 });
    assertClose(ranks, naiveRank(links, iterations), `seed ${seed}`);
  }
});

test('ranks sum to 1 after every step', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const graph = graphOf(randomLinks(new Random(seed)));
    let ranks = new Float64Array(graph.nodeCount).fill(1 / graph.nodeCount);
    for (let step = 0; step < 30; step++) {
      const next = new Float64Array(graph.nodeCount);
      rankStep(graph, DAMPING, ranks, next, new Float64Array(graph.nodeCount));
      ranks = next;
      assert.ok(Math.abs(sum(ranks) - 1) < 1e-12, `seed ${seed}, step ${step}: ${sum(ranks)}`);
    }
  }
});

test('a step returns how much it changed', () => {
  const graph = graphOf([[1], [2], []]);
  const ranks = Float64Array.of(0.5, 0.3, 0.2);
  const next = new Float64Array(3);
  const distance = rankStep(graph, DAMPING, ranks, next, new Float64Array(3));
  assert.equal(distance, sum(next.map((value, node) => Math.abs(value - ranks[node]!))));
});

test('no nodes, one node and nodes without links need no special care', () => {
  assert.deepEqual(pageRank(graphOf([]), { damping: DAMPING, maxIterations: 9, tolerance: 1e-6 }), {
    ranks: new Float64Array(0),
    iterations: 0,
    distance: 0,
  });
  assert.deepEqual([...rank([[]])], [1]);
  assertClose(rank([[], [], [], []]), [0.25, 0.25, 0.25, 0.25], 'all dangling');
});

test('iteration stops when ranks have settled, and not later than it is told', () => {
  const graph = graphOf([[1], [2], [0, 1], []]);
  const settled = pageRank(graph, { damping: DAMPING, maxIterations: 1000, tolerance: 1e-6 });
  assert.ok(settled.iterations < 120 && settled.distance < 1e-6, JSON.stringify(settled));
  assert.equal(pageRank(graph, { damping: DAMPING, maxIterations: 3, tolerance: 1e-6 }).iterations, 3);
});

test('the page that all others link to ranks highest', () => {
  const ranks = rank([[], [0], [0], [0, 1]]);
  assert.equal(Math.max(...ranks), ranks[0]);
  assert.ok(ranks[1]! > ranks[2]!);
});
