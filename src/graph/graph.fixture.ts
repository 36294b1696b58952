/** Makes pages that have only links, small graphs, and a naive PageRank, for tests and benchmarks. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Directory, openDirectory, type Random } from '../base/mod.ts';
import type { PageRecord } from '../journal/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { GraphFile } from './tiles/tiles-reader.ts';
import { GraphBuilder } from './tiles/tiles-writer.ts';

export interface Edge {
  source: number;
  target: number;
  kind: number;
}

export interface NaiveOptions {
  damping: number;
  iterations: number;
  restarts?: Float32Array;
  start?: Float32Array;
  sinks?: 'spread' | 'lose';
}

type Page = PageRecord['page'];

export function linkingPage(url: CanonicalUrl, links: Page['links'], over: Partial<Page> = {}): PageRecord {
  const silent = { title: '', description: '', language: '', text: '', marks: [], canonical: null };
  const robots = { index: true, follow: true, archive: true, snippet: true };
  const page = { contentType: 'text/html', ...silent, links, robots, ...over };
  return { kind: 'page', url, fetchedAt: 0, digest: '', page };
}

export function temporaryDirectory(context: TestContext): Directory {
  const path = mkdtempSync(join(tmpdir(), 'gyre-graph-'));
  context.after(() => rmSync(path, { recursive: true }));
  return openDirectory(path);
}

export function buildGraph(
  directory: Directory,
  nodeCount: number,
  edges: readonly Edge[],
  weights: readonly number[] = [1],
  memoryBytes?: number,
): GraphFile {
  const builder = new GraphBuilder(directory, 'test.graph', {
    nodeCount,
    weights,
    ...(memoryBytes && { memoryBytes }),
  });
  for (const { source, target, kind } of edges) builder.add(source, target, kind);
  builder.finish();
  return new GraphFile(directory, 'test.graph');
}

/**
 * Returns random distinct edges, each with a random kind. Some nodes have no outgoing links, some no incoming
 * links.
 */
export function randomEdges(random: Random, nodeCount: number, edgeCount: number, kinds: number): Edge[] {
  const edges = new Map<number, Edge>();
  for (let i = 0; i < edgeCount; i++) {
    const source = random.below(Math.ceil(nodeCount * 0.8));
    const target = Math.floor(nodeCount * random.next() ** 2);
    if (source === target) continue;
    edges.set(source * nodeCount + target, { source, target, kind: random.below(kinds) });
  }
  return [...edges.values()];
}

export function naiveRanks(
  nodeCount: number,
  edges: readonly Edge[],
  weights: readonly number[],
  options: NaiveOptions,
): Float64Array {
  const { damping, iterations, sinks } = options;
  const restarts = scaled(options.restarts ?? new Float32Array(nodeCount).fill(1));
  const outWeights = new Float64Array(nodeCount);
  for (const { source, kind } of edges) outWeights[source]! += weights[kind]!;
  let ranks = scaled(options.start ?? options.restarts ?? new Float32Array(nodeCount).fill(1));
  for (let i = 0; i < iterations; i++) {
    const next = new Float64Array(nodeCount);
    for (const { source, target, kind } of edges)
      next[target]! += (damping * ranks[source]! * weights[kind]!) / outWeights[source]!;
    const dangling = ranks.reduce((sum, rank, node) => sum + (outWeights[node] === 0 ? rank : 0), 0);
    const spread = 1 - damping + (sinks === 'lose' ? 0 : damping * dangling);
    for (let node = 0; node < nodeCount; node++) next[node]! += spread * restarts[node]!;
    ranks = next;
  }
  return ranks;
}

function scaled(values: Float32Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return Float64Array.from(values, (value) => value / sum);
}
