import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { Random, SEAL_HEADER_BYTES } from '../../base/mod.ts';
import { buildGraph, type Edge, randomEdges, temporaryDirectory } from '../graph.fixture.ts';
import { backEdgeRanks, hostScores } from '../pagerank/variants.ts';
import { GRAPH_PART_BYTES, RANGE_NODES } from './tiles-format.ts';
import { GraphFile } from './tiles-reader.ts';
import { GraphBuilder } from './tiles-writer.ts';

const KINDS = [1, 0.5, 0.25];

function edgesOf(graph: GraphFile): Edge[] {
  const edges: Edge[] = [];
  graph.forEachEdge((source, target, kind) => edges.push({ source, target, kind }));
  return edges;
}

function sorted(edges: Edge[]): Edge[] {
  return edges.toSorted((a, b) => a.source - b.source || a.target - b.target || a.kind - b.kind);
}

test('edges are read once each, for any order, repetition and memory limit', (context) => {
  const directory = temporaryDirectory(context);
  for (const [seed, nodeCount, edgeCount, memoryBytes] of [
    [1, 50, 400, 64 << 20],
    [2, 300, 20_000, 1024],
    [3, 3 * RANGE_NODES + 5, 60_000, 32 * 1024],
    [4, RANGE_NODES, 9000, 8192],
  ] as const) {
    const random = new Random(seed);
    const edges = randomEdges(random, nodeCount, edgeCount, KINDS.length);
    const repeated = [...edges, ...edges.filter(() => random.chance(0.5))];
    repeated.sort(() => random.next() - 0.5);
    const graph = buildGraph(directory, nodeCount, repeated, KINDS, memoryBytes);
    assert.deepEqual(sorted(edgesOf(graph)), sorted(edges), `seed ${seed}`);
    assert.equal(graph.shape.edgeCount, edges.length);
    const sum = edges
      .filter(({ source }) => source === edges[0]!.source)
      .reduce((all, { kind }) => all + KINDS[kind]!, 0);
    assert.equal(graph.outWeights[edges[0]!.source], sum);
    const { target } = edges[0]!;
    const linking = edges.filter((edge) => edge.target === target).map(({ source }) => source);
    assert.deepEqual(graph.sourcesOf(target).sort(), linking.sort());
    graph.close();
    assert.deepEqual(directory.list(), ['test.graph'], 'nothing else is left');
  }
});

test('an edge repeated many times stays within the memory limit', (context) => {
  const again = Array.from({ length: 100_000 }, () => ({ source: 1, target: 0, kind: 0 }));
  const graph = buildGraph(temporaryDirectory(context), 2, again, [1], 1024);
  assert.deepEqual(edgesOf(graph), [{ source: 1, target: 0, kind: 0 }]);
  graph.close();
});

test('a node out of range or an unknown kind is an error, and no file is made', (context) => {
  const directory = temporaryDirectory(context);
  for (const [source, target] of [
    [1, 3],
    [-1, 1],
    [1, -1],
    [0.5, 1],
    [1, Number.NaN],
    [2 ** 32, 1],
  ] as const) {
    assert.throws(() => buildGraph(directory, 3, [{ source, target, kind: 0 }]), {
      code: 'edge-out-of-range',
      message: `test.graph: expected whole numbers of nodes below 3, got the edge ${source} -> ${target}`,
    });
  }
  for (const kind of [2, -1, 0.5]) {
    assert.throws(() => buildGraph(directory, 3, [{ source: 1, target: 2, kind }], [1, 0.5]), {
      code: 'edge-of-unknown-kind',
      message: `test.graph: expected a kind of edge below 2, got ${kind}`,
    });
  }
  assert.deepEqual(directory.list(), []);
});

test('a truncated or changed graph file is an error, also when only some edges are read', (context) => {
  const directory = temporaryDirectory(context);
  const graph = buildGraph(directory, 9, randomEdges(new Random(1), 9, 30, 1));
  graph.close();
  const whole = directory.read('test.graph');
  const read = (use: (graph: GraphFile) => void) => () => {
    const damagedGraph = new GraphFile(directory, 'test.graph');
    try {
      use(damagedGraph);
    } finally {
      damagedGraph.close();
    }
  };
  const readers = [
    read((each) => each.readWords(new Uint32Array(each.shape.edgeCount))),
    read((each) => each.sourcesOf(3)),
  ];
  for (const reader of readers) reader();
  for (const length of [20, whole.length - 1]) {
    directory.replace('test.graph', whole.subarray(0, length));
    for (const reader of readers) assert.throws(reader, { code: 'corrupt-file' });
  }
  for (let at = 0; at < whole.length; at++) {
    const changed = Buffer.from(whole);
    changed[at]! ^= 1;
    directory.replace('test.graph', changed);
    const code = at >= 4 && at < 8 ? /^(?:corrupt-file|newer-format)$/ : /^corrupt-file$/;
    for (const reader of readers) assert.throws(reader, { code }, `byte ${at}`);
  }
});

test('graph files of older versions, without part or checksums of tiles, are read and checked', (context) => {
  const directory = temporaryDirectory(context);
  const graph = buildGraph(directory, 9, randomEdges(new Random(1), 9, 30, 1));
  const edges = edgesOf(graph);
  const at = SEAL_HEADER_BYTES + 4 * (graph.shape.edgeCount + graph.tiles.length);
  graph.close();
  const bytes = directory.read('test.graph');
  const end = bytes.length - GRAPH_PART_BYTES - 4;
  const trailer = Buffer.concat([bytes.subarray(at + 4 * graph.tiles.length, end), Buffer.alloc(4)]);
  const wordsEnd = SEAL_HEADER_BYTES + 4 * graph.shape.edgeCount;
  for (const version of [1, 2]) {
    const checks = bytes.subarray(at, version === 1 ? at : at + 4 * graph.tiles.length);
    const old = Buffer.concat([bytes.subarray(0, at), checks, trailer]);
    old.writeUInt32LE(version, 4);
    const checked = version === 1 ? [old] : [old.subarray(0, SEAL_HEADER_BYTES), old.subarray(wordsEnd)];
    old.writeUInt32LE(crc32(Buffer.concat(checked).subarray(0, -4)), old.length - 4);
    directory.replace('test.graph', old);
    const again = new GraphFile(directory, 'test.graph');
    assert.deepEqual(edgesOf(again), edges);
    again.readWords(new Uint32Array(again.shape.edgeCount));
    again.close();
  }
});

test('a part of a graph has the edges into its columns', (context) => {
  const directory = temporaryDirectory(context);
  const part = { firstColumn: 2, blocks: 4 };
  const outWeights = Float32Array.of(1, 0, 3);
  const builder = new GraphBuilder(directory, 'part.graph', { nodeCount: 3, part, outWeights });
  const first = 2 * RANGE_NODES;
  const edges = [
    { source: 7, target: first + 1, kind: 0 },
    { source: 3 * RANGE_NODES + 5, target: first, kind: 0 },
  ];
  for (const { source, target } of [...edges, { source: first + 1, target: first + 1 }])
    builder.add(source, target);
  for (const [source, target] of [
    [7, first - 1],
    [7, first + 3],
    [4 * RANGE_NODES, first],
  ] as const)
    assert.throws(() => builder.add(source, target), { code: 'edge-out-of-range' });
  builder.finish();
  const graph = new GraphFile(directory, 'part.graph');
  assert.deepEqual(edgesOf(graph), edges);
  assert.deepEqual(graph.outWeights, outWeights);
  assert.deepEqual(graph.sourcesOf(first), [3 * RANGE_NODES + 5]);
  assert.deepEqual([graph.shape.firstColumn, graph.shape.blocks], [2, 4]);
  graph.close();
});

test('the published variants: back edges for sinks, and hosts from 0 to 10', (context) => {
  const directory = temporaryDirectory(context);
  const edges = [0, 1, 2].map((source) => ({ source, target: 3, kind: 0 }));
  const graph = buildGraph(directory, 4, edges);
  const back = backEdgeRanks(graph, directory);
  const total = back.reduce((sum, rank) => sum + rank, 0);
  assert.ok(Math.abs(total - 4) < 1e-4, 'with back edges nothing is lost');
  assert.ok(back[3]! > 2 * back[0]!);
  const scores = hostScores(graph);
  assert.deepEqual([scores[0], scores[3]], [0, 10]);
  graph.close();
  assert.deepEqual(directory.list(), ['test.graph']);
});
