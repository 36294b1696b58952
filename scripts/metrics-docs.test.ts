import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog, systemClock } from '../src/base/mod.ts';
import type { Searcher } from '../src/query/mod.ts';
import { createServer } from '../src/serve/mod.ts';

const ROOT = join(import.meta.dirname, '..');
const METRIC = '(?:gyre|process|nodejs)_[a-z_]+';
/** The shelves that declare metrics, and the documents with their tables. */
const SOURCES = ['src/serve/{http,guards,operations}/*.ts', 'src/cli/{cluster,node-health}/*.ts'];
const DOCUMENTS = ['docs/api.md', 'docs/cluster.md'];

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The names in the sources: `name: 'gyre_x'` in a gauge, and constants. */
function declared(): Set<string> {
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => !/\.(?:test|fixture)\.ts$/.test(file));
  const pattern = new RegExp(`(?:name:|=) '(${METRIC})'`, 'g');
  return new Set(files.flatMap((file) => Array.from(read(file).matchAll(pattern), (match) => match[1]!)));
}

/** The names in the first column of the tables of metrics. */
function documented(): Set<string> {
  const cells = DOCUMENTS.flatMap((file) => read(file).match(/^\| `[^|]+\|/gm) ?? []);
  const pattern = new RegExp(`\`(${METRIC})(?:\\{\\w+\\})?\``, 'g');
  return new Set(cells.flatMap((cell) => Array.from(cell.matchAll(pattern), (match) => match[1]!)));
}

test('every metric is described, and every described metric exists', () => {
  const [names, described] = [declared(), documented()];
  assert.ok(names.size > 40, 'the declarations are found');
  assert.deepEqual([...described].sort(), [...names].sort());
});

test('an engine serves only metrics that are described', async () => {
  const cache = { hits: 1, misses: 1, sizeBytes: 1 };
  const stats = () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1, cache });
  const crawl = { isStopped: false, fetched: 1, bytes: 1, statuses: { 200: 1 }, failures: {} };
  const figures = { ...crawl, activeHosts: 1, underWay: 1 };
  const status = () => ({ state: 'crawling', pages: 1, queued: 1, errors: 0, crawl: figures }) as const;
  const searcher = { stats, close() {} } as unknown as Searcher;
  const common = { searcher, status, version: '1', contact: '', clock: systemClock, log: silentLog };
  const server = createServer(common);
  await server.inject('/healthz');
  const { body } = await server.inject('/metrics');
  await server.close();
  const served = new Set(Array.from(body.matchAll(/^# TYPE (\w+) /gm), (match) => match[1]!));
  assert.ok(served.size > 20, body);
  const described = documented();
  assert.deepEqual(
    [...served].filter((name) => !described.has(name)),
    [],
  );
});
