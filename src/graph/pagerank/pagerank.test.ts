import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { buildGraph, type Edge, naiveRanks, randomEdges, temporaryDirectory } from '../graph.fixture.ts';
import { GraphBuilder, GraphFile, RANGE_NODES } from '../tiles/mod.ts';
import { pageRank, RankEngine } from './pagerank.ts';

const WEIGHTS = [1, 0.5, 0.125];

function edge(source: number, target: number, kind = 0): Edge {
  return { source, target, kind };
}

function assertClose(actual: Float32Array, expected: Float64Array, message: string): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((rank, node) => {
    const difference = Math.abs(rank - expected[node]!);
    assert.ok(difference < 1e-5, `${message}: node ${node} has ${rank}, expected ${expected[node]}`);
  });
}

/**
 * Checks that the best nodes are the same. Two nodes may be swapped if their exact ranks differ by less than
 * the precision of float32.
 */
function assertSameTop(actual: Float32Array, expected: Float64Array, count: number, message: string): void {
  const order = (ranks: ArrayLike<number>) =>
    Array.from(ranks, (_, node) => node)
      .sort((a, b) => ranks[b]! - ranks[a]!)
      .slice(0, count);
  const ours = order(actual);
  order(expected).forEach((node, place) => {
    const gap = Math.abs(expected[node]! - expected[ours[place]!]!);
    assert.ok(
      gap <= 2e-6 * expected[node]!,
      `${message}: place ${place} is ${ours[place]}, expected ${node}`,
    );
  });
}

function randomColumn(random: Random, nodeCount: number): Float32Array {
  return Float32Array.from({ length: nodeCount }, (_, node) =>
    node === 0 || random.chance(0.3) ? random.next() + 0.1 : 0,
  );
}

test('on random graphs the ranks equal the definition, with every combination of options', (context) => {
  const directory = temporaryDirectory(context);
  for (let seed = 1; seed <= 96; seed++) {
    const random = new Random(seed);
    const nodeCount = random.between(1, 400);
    const weights = seed & 1 ? WEIGHTS : [1];
    const edges = randomEdges(random, nodeCount, random.below(nodeCount * 8), weights.length);
    const options = {
      damping: seed & 2 ? 0.85 : 0.5,
      ...(seed & 4 && { restarts: randomColumn(random, nodeCount) }),
      ...(seed & 8 && { start: randomColumn(random, nodeCount) }),
      sinks: seed & 16 ? ('lose' as const) : ('spread' as const),
    };
    const iterations = random.between(1, 60);
    const graph = buildGraph(directory, nodeCount, edges, weights);
    const { ranks } = pageRank(graph, { ...options, maxIterations: iterations, tolerance: 0 });
    graph.close();
    const expected = naiveRanks(nodeCount, edges, weights, { ...options, iterations });
    assertClose(ranks, expected, `seed ${seed}`);
    assertSameTop(ranks, expected, 100, `seed ${seed}`);
  }
});

test('on a graph of several columns the ranks equal the definition, on one thread and on three', (context) => {
  const random = new Random(5);
  const nodeCount = 2 * RANGE_NODES + 777;
  const edges = randomEdges(random, nodeCount, 300_000, WEIGHTS.length);
  const graph = buildGraph(temporaryDirectory(context), nodeCount, edges, WEIGHTS);
  const [restarts, start] = [randomColumn(random, nodeCount), randomColumn(random, nodeCount)];
  for (const options of [{}, { restarts }, { start, sinks: 'lose' as const }]) {
    const fixed = { ...options, maxIterations: 12, tolerance: 0 };
    const alone = pageRank(graph, { ...fixed, threads: 1 });
    assert.deepEqual(pageRank(graph, { ...fixed, threads: 3 }), alone);
    const expected = naiveRanks(nodeCount, edges, WEIGHTS, { ...options, damping: 0.85, iterations: 12 });
    const message = `three columns with ${Object.keys(options).join(' and ') || 'no options'}`;
    assertClose(alone.ranks, expected, message);
    assertSameTop(alone.ranks, expected, 100, message);
  }
  graph.close();
});

test('with memory for some of the edges the ranks are the same', (context) => {
  const random = new Random(11);
  const nodeCount = 3 * RANGE_NODES + 9;
  const edges = randomEdges(random, nodeCount, 200_000, WEIGHTS.length);
  const graph = buildGraph(temporaryDirectory(context), nodeCount, edges, WEIGHTS);
  const fixed = { maxIterations: 5, tolerance: 0 };
  const resident = pageRank(graph, fixed);
  for (const edgeBytes of [0, 300_000, 500_000])
    assert.deepEqual(pageRank(graph, { ...fixed, edgeBytes, threads: 2 }), resident, `${edgeBytes} bytes`);
  graph.close();
});

test('parts of a graph that exchange their shares have the ranks of the whole graph', (context) => {
  const random = new Random(3);
  const nodeCount = 4 * RANGE_NODES - 777;
  const edges = randomEdges(random, nodeCount, 200_000, WEIGHTS.length);
  const directory = temporaryDirectory(context);
  const whole = buildGraph(directory, nodeCount, edges, WEIGHTS);
  const expected = pageRank(whole, { maxIterations: 6, tolerance: 0 });
  const firstColumns = [0, 1, 3];
  const parts = firstColumns.map((firstColumn, at) => {
    const [first, end] = [firstColumn, firstColumns[at + 1] ?? 4].map((column) => column * RANGE_NODES);
    const count = Math.min(end!, nodeCount) - first!;
    const builder = new GraphBuilder(directory, `part-${at}.graph`, {
      ...{ nodeCount: count, weights: WEIGHTS, part: { firstColumn, blocks: 4 } },
      outWeights: whole.outWeights.slice(first, end),
    });
    for (const { source, target, kind } of edges)
      if (target >= first! && target < end!) builder.add(source, target, kind);
    builder.finish();
    const graph = new GraphFile(directory, `part-${at}.graph`);
    return { graph, firstNode: first!, engine: new RankEngine(graph, {}, nodeCount) };
  });
  let handed = parts.reduce((sum, { engine }) => sum + engine.handed, 0);
  let distance = 0;
  for (let step = 0; step < 6; step++) {
    for (const { engine: to } of parts)
      for (const { engine, firstNode } of parts) to.receive(firstNode, engine.shares());
    const results = parts.map(({ engine }) => engine.step(handed));
    handed = results.reduce((sum, result) => sum + result.handed, 0);
    distance = results.reduce((sum, result) => sum + result.distance, 0);
    // A part that continues on another node starts with its last ranks.
    parts[step % 3]!.engine.resume(parts[step % 3]!.engine.ranks());
  }
  const ranks = parts.flatMap(({ engine }) => [...engine.ranks()]);
  assert.deepEqual(ranks, [...expected.ranks]);
  assert.ok(Math.abs(distance - expected.distance) < 1e-9);
  for (const { engine, graph } of parts) {
    engine.close();
    graph.close();
  }
  whole.close();
});

test('ranks sum to 1 after every step, also with nodes without links', (context) => {
  const directory = temporaryDirectory(context);
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const graph = buildGraph(directory, 500, randomEdges(random, 500, 2000, 3), WEIGHTS);
    const totals: number[] = [];
    pageRank(graph, { maxIterations: 40, tolerance: 0, onStep: ({ total }) => totals.push(total) });
    for (const total of totals) assert.ok(Math.abs(total - 1) < 1e-6, `seed ${seed}: ${total}`);
    graph.close();
  }
});

test('no nodes, one node and nodes without links have defined ranks', (context) => {
  const directory = temporaryDirectory(context);
  const rank = (nodeCount: number, edges: Edge[]) => {
    const graph = buildGraph(directory, nodeCount, edges);
    const { ranks } = pageRank(graph);
    graph.close();
    return [...ranks];
  };
  assert.deepEqual(rank(0, []), []);
  assert.deepEqual(rank(1, []), [1]);
  assert.deepEqual(rank(1, [edge(0, 0)]), [1]);
  assert.deepEqual(rank(4, []), [0.25, 0.25, 0.25, 0.25]);
  const [first, second] = rank(2, [edge(0, 1), edge(0, 1), edge(1, 1)]);
  assert.ok(second! > first! && Math.abs(first! + second! - 1) < 1e-6);
});

test('iteration stops when the ranks have converged or at the limit', (context) => {
  const graph = buildGraph(temporaryDirectory(context), 4, [edge(0, 1), edge(1, 2), edge(2, 0), edge(2, 1)]);
  const settled = pageRank(graph, { maxIterations: 1000 });
  assert.ok(settled.iterations < 120 && settled.distance < 1e-6, JSON.stringify(settled));
  assert.equal(pageRank(graph, { maxIterations: 3 }).iterations, 3);
  const warm = pageRank(graph, { start: settled.ranks });
  assert.ok(warm.iterations <= 3, `${warm.iterations} iterations from where it had settled`);
  graph.close();
});

test('restarts at chosen nodes favour them and what they link to', (context) => {
  const graph = buildGraph(temporaryDirectory(context), 5, [edge(0, 1), edge(1, 0), edge(2, 3), edge(3, 2)]);
  const { ranks } = pageRank(graph, { restarts: Float32Array.of(1, 0, 0, 0, 0) });
  assert.ok(ranks[0]! > ranks[1]! && ranks[1]! > 0.4);
  assert.deepEqual([...ranks.subarray(2)], [0, 0, 0]);
  graph.close();
});
