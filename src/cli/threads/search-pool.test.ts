import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Clock, type Log, silentLog } from '../../base/mod.ts';
import type { SearchResponse } from '../../query/mod.ts';
import { openData, writeSettings } from '../data-directory.ts';
import { type Config, loadConfig } from '../settings/config.ts';
import { SearchPool } from './search-pool.ts';
import { ShownPages } from './shown-pages.ts';

const SCRIPTED = new URL('./search-pool.fixture.ts', import.meta.url);
const NO_MODEL = { model: Promise.resolve(null), shown: new ShownPages() };

test('a hostile query does not delay others, and returns a partial response when they wait', async (t) => {
  const pool = await openPool(t, { threads: 2 });
  let hostileDone = 0;
  const hostile = ['hostile 1', 'hostile 2'].map((query) => search(pool, query).finally(() => hostileDone++));
  const startedAt = performance.now();
  const friendly = await search(pool, 'friendly');
  const waitedMs = performance.now() - startedAt;
  assert.equal(friendly.partial, false);
  assert.ok(waitedMs < 15_000, `${waitedMs} ms, of the 20,000 that a hostile query takes`);
  assert.ok(hostileDone > 0);
  await search(pool, 'another');
  for (const query of ['one', 'two', 'three']) await search(pool, query);
  assert.ok((await Promise.race(hostile)).partial);
});

test('while one thread is busy, the other responds at once', async (t) => {
  const pool = await openPool(t, { threads: 2 });
  const hostile = search(pool, 'hostile');
  for (let n = 0; n < 50; n++) assert.equal((await search(pool, `friendly ${n}`)).partial, false);
  assert.equal(await Promise.race([hostile, 'still running']), 'still running');
});

test('a query that is late in the queue or whose client left is refused without being computed', async (t) => {
  const pool = await openPool(t, { threads: 1 });
  const hostile = search(pool, 'hostile');
  const asked = { query: 'greedy', offset: 0, limit: 10 };
  const overloaded = { code: 'overloaded' };
  await assert.rejects(pool.search({ ...asked, arrivedAt: -60_000 }), overloaded);
  await assert.rejects(pool.search({ ...asked, isCancelled: () => true }), overloaded);
  assert.equal(await Promise.race([hostile, 'still running']), 'still running');
});

test('a running query is interrupted at its time limit, even if no other waits', async (t) => {
  let now = 0;
  const pool = await openPool(t, { threads: 1, clock: { now: () => now } });
  const startedAt = performance.now();
  const hostile = search(pool, 'hostile');
  now = 60_000;
  assert.equal((await hostile).partial, true);
  assert.ok(performance.now() - startedAt < 15_000, 'of the 20,000 ms that it takes by itself');
});

test('expensive queries leave one thread to others', async (t) => {
  const pool = await openPool(t, { threads: 2 });
  const [, second] = ['hostile aa* ab* ac*', 'hostile ba* bb* bc*'].map((query) => search(pool, query));
  const friendly = ['one', 'two', 'three'].map((query) => search(pool, query));
  const first = await Promise.race([second, Promise.all(friendly).then(() => 'friendly')]);
  assert.equal(first, 'friendly');
});

test('a query that ends its thread gets a partial response, and the thread is replaced', async (t) => {
  const events: string[] = [];
  const log: Log = { ...silentLog, error: (event, fields) => events.push(`${event}: ${fields?.query}`) };
  const pool = await openPool(t, { threads: 1, log });
  const broken = await search(pool, 'greedy');
  assert.equal(broken.partial, true);
  assert.deepEqual(broken.notes, [{ code: 'out-of-memory', values: {} }]);
  assert.deepEqual(events, ['search thread replaced: greedy']);
  assert.equal((await search(pool, 'friendly')).partial, false);
});

test('threads search the index, and an index that cannot be opened is an error', async (t) => {
  const { config, path } = configOf(t, 2);
  const pool = new SearchPool(config, silentLog, NO_MODEL, undefined, { now: () => 0 });
  t.after(() => pool.close());
  // No thread has opened the index yet, so the query waits until one has.
  const { results, partial } = await search(pool, 'anything');
  assert.deepEqual([results, partial], [[], false]);
  assert.equal(pool.stats().docCount, 0);
  pool.close();
  writeFileSync(join(path, 'index', 'manifest.json'), JSON.stringify({ version: 99 }));
  const refused = new SearchPool(config, silentLog, NO_MODEL);
  await assert.rejects(refused.ready, { code: 'newer-format' });
  refused.close();
  await refused.ended();
});

interface PoolOptions {
  threads: number;
  log?: Log;
  clock?: Clock;
}

/**
 * Opens a pool for a test. By default the clock stands still, so that no query reaches its time limit on a busy
 * machine.
 */
async function openPool(t: TestContext, options: PoolOptions): Promise<SearchPool> {
  const { threads, log = silentLog, clock = { now: () => 0 } } = options;
  const { config } = configOf(t, threads);
  const pool = new SearchPool(config, log, NO_MODEL, SCRIPTED, clock);
  t.after(() => pool.close());
  await pool.ready;
  return pool;
}

function configOf(t: TestContext, threads: number): { config: Config; path: string } {
  const path = mkdtempSync(join(tmpdir(), 'gyre-pool-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  const data = openData(path);
  writeSettings(data.root, { format: 1, seeds: [], contact: '', samplePort: null });
  const environment = { GYRE_DATA: path, GYRE_SERVE_THREADS: String(threads) };
  return { config: loadConfig({ flags: {}, environment, file: undefined }), path };
}

function search(pool: SearchPool, query: string): Promise<SearchResponse> {
  return pool.search({ query, offset: 0, limit: 10 });
}
