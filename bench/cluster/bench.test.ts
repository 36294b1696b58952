import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, Random } from '../../src/base/mod.ts';
import { openCrawlState } from '../../src/crawl/mod.ts';
import { buildGraph, randomEdges, temporaryDirectory } from '../../src/graph/graph.fixture.ts';
import { RANGE_NODES } from '../../src/graph/tiles/mod.ts';
import { measureState } from './measure.ts';
import { measureRanks } from './ranks.ts';

test('commits of links and of pages are measured', async (t) => {
  const path = mkdtempSync(join(tmpdir(), 'gyre-bench-'));
  t.after(() => rmSync(path, { recursive: true }));
  const state = openCrawlState(openDirectory(path));
  const row = await measureState('SQLite', state, { commits: 2, hosts: 10, links: 200 });
  const counts = await state.counts();
  state.close();
  assert.ok((row['new URLs/s'] as number) > 0 && (row['pages/s'] as number) > 0);
  assert.deepEqual([counts.hosts, counts.done, counts.ready], [10, 256, 400 - 256 + 2 * 128 * 9]);
});

test('iterations of ranks in parts are measured, and all numbers of workers agree', async (t) => {
  const directory = temporaryDirectory(t);
  const nodeCount = 3 * RANGE_NODES;
  buildGraph(directory, nodeCount, randomEdges(new Random(1), nodeCount, 20_000, 1)).close();
  const bench = { directory, graph: 'test.graph', tileBytes: 1000, iterations: 3 };
  const [alone, two] = [await measureRanks(bench, 1), await measureRanks(bench, 2)];
  assert.ok((two['critical path ms'] as number) > 0);
  const distances = [alone, two].map((row) => row['distance at the end'] as number);
  assert.ok(Math.abs(distances[0]! - distances[1]!) < 1e-9);
});
