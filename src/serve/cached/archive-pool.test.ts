import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { directoryAt, silentLog, systemClock } from '../../base/mod.ts';
import { canonicalize } from '../../url/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import { ArchivePool } from './archive-pool.ts';

const FILE = new URL('./archive-thread.fixture.ts', import.meta.url);
const LOOP = canonicalize('https://example.org/loop')!;
const GOOD = canonicalize('https://example.org/good')!;

function poolFor(context: TestContext, { deadlineMs = 60_000, clock = systemClock } = {}): ArchivePool {
  const directory = directoryAt(import.meta.dirname);
  const pool = new ArchivePool({ directory, log: silentLog, clock, file: FILE, deadlineMs });
  context.after(() => pool.close());
  return pool;
}

function serverOver(context: TestContext, archive: ArchivePool) {
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({ ...common, searcher: testSite().searcher, archive });
  context.after(() => server.close());
  return (path: string) => server.inject(path);
}

test('a stuck copy is given up at the deadline, and others are served meanwhile', async (context) => {
  const pool = poolFor(context, { deadlineMs: 1500 });
  const get = serverOver(context, pool);
  let isOver = false;
  const hanging = get(`/cached?url=${encodeURIComponent(LOOP)}`).finally(() => (isOver = true));
  assert.equal((await get('/')).statusCode, 200);
  assert.equal(isOver, false, 'the accepting thread waited for the copy');
  const reply = await hanging;
  assert.equal(reply.statusCode, 503);
  assert.match(String(reply.headers['retry-after']), /^\d+$/);
  assert.match(
    reply.body,
    /could not be prepared in time.*href="https:\/\/example\.org\/loop"|href="https:\/\/example\.org\/loop".*could not be prepared in time/s,
  );
  const startedAt = performance.now();
  assert.deepEqual(await pool.copy(LOOP, '', ''), { kind: 'late' });
  assert.ok(performance.now() - startedAt < 1000, 'it was tried again');
});

test('a copy is computed once for frame and content, and again after its lifetime', async (context) => {
  let now = 0;
  const pool = poolFor(context, { clock: { now: () => now } });
  const get = serverOver(context, pool);
  const url = `url=${encodeURIComponent(GOOD)}`;
  assert.equal((await get(`/cached?${url}`)).statusCode, 200);
  const first = (await get(`/cached/copy?${url}`)).body;
  assert.equal((await get(`/cached/copy?${url}`)).body, first);
  assert.equal(first, 'copy 1');
  const results = await Promise.all([pool.copy(GOOD, '', 'a'), pool.copy(GOOD, '', 'a')]);
  assert.equal(results[0], results[1], 'two who ask at once share one');
  now = 3_600_000;
  const later = await pool.copy(GOOD, '', '');
  assert.ok(later.kind === 'copy' && later.document !== first);
});

test('the number of copies in work is limited', async (context) => {
  const pool = poolFor(context);
  const asked = Array.from({ length: 20 }, (_, at) => pool.copy(GOOD, String(at), ''));
  const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
  assert.deepEqual([...new Set(kinds)].toSorted(), ['busy', 'copy']);
  assert.equal((await pool.copy(GOOD, 'afterwards', '')).kind, 'copy');
});
