/**
 * Tests responses that the time limit cut short or that lack a damaged segment: they are returned and marked as
 * partial.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, type Log, silentLog } from '../base/mod.ts';
import { canonicalize } from '../url/mod.ts';
import { makeDocument } from './matching/naive.fixture.ts';
import { found, indexOf, open } from './searcher.fixture.ts';

const LIMIT_MS = 50;
/** A time in ms that is after the time limit and within the grace period. */
const LATE = 60;
const OVER = 200;
/** The number of times that a query reads the clock before the first document is evaluated. */
const LOOKS_BEFORE = 3;

/** Returns a clock whose first `looks` readings are 0 and whose later readings are `then`. */
function clockOf(then: number, looks = LOOKS_BEFORE): Clock {
  let left = looks;
  return { now: () => (left-- > 0 ? 0 : then) };
}

test('a search beyond its time limit is marked as partial', async (t) => {
  const documents = Array.from({ length: 1100 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
  const searcher = open(await indexOf(t, documents), { clock: clockOf(LATE), timeLimitMs: LIMIT_MS });
  const response = await searcher.search({ query: 'word -other', offset: 0, limit: 10 });
  assert.equal(response.partial, true);
  assert.equal(response.total, 512);
  assert.equal(response.results.length, 10);
  assert.equal(response.tookMs, LATE);
  searcher.close();
});

test('a filter without matches stops at the time limit', async (t) => {
  const documents = Array.from({ length: 1100 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
  const searcher = open(await indexOf(t, documents), { clock: clockOf(LATE), timeLimitMs: LIMIT_MS });
  const response = await searcher.search({ query: 'lang:fr', offset: 0, limit: 10 });
  assert.deepEqual([response.partial, response.total], [true, 0]);
  searcher.close();
});

test('the time limit is checked between segments', async (t) => {
  const documents = Array.from({ length: 2 }, (_, n) => [makeDocument(`https://a.example/${n}`, 'word')]);
  const searcher = open(await indexOf(t, ...documents), { clock: clockOf(LATE), timeLimitMs: LIMIT_MS });
  const response = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  assert.equal(response.partial, true);
  assert.equal(response.results.length, 1);
  searcher.close();
});

test('a query whose time limit has passed is not computed', async (t) => {
  const searcher = open(await indexOf(t, [makeDocument('https://a.example/', 'word')]), {
    clock: { now: () => 1000 },
    timeLimitMs: LIMIT_MS,
  });
  const asked = { query: 'word', offset: 0, limit: 10 };
  const late = await searcher.search({ ...asked, arrivedAt: 1000 - LIMIT_MS - 1 });
  assert.deepEqual([late.partial, late.total], [true, 0]);
  const inTime = await searcher.search({ ...asked, arrivedAt: 1000 - LIMIT_MS });
  assert.deepEqual([inTime.partial, inTime.total], [false, 1]);
  const fromTheFuture = await searcher.search({ ...asked, arrivedAt: 1e9 });
  assert.equal(fromTheFuture.total, 1);
  await assert.rejects(searcher.explain('word', canonicalize('https://a.example/')!, { arrivedAt: 0 }), {
    code: 'query-late',
  });
  searcher.close();
});

test('after the grace period the list keeps the order of the first stage and ends early', async (t) => {
  const documents = Array.from({ length: 1100 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
  const searcher = open(await indexOf(t, documents), { clock: clockOf(OVER), timeLimitMs: LIMIT_MS });
  const { partial, total, results, cursor } = await searcher.search({
    query: 'word -other',
    offset: 0,
    limit: 10,
  });
  assert.deepEqual([partial, total, results.length], [true, 512, 1]);
  assert.ok(cursor, 'the next page begins after the result that was shown');
  searcher.close();
});

test('conditions without a common document stop at the time limit', async (t) => {
  const words = ['odd', 'even'];
  const documents = Array.from({ length: 5000 }, (_, n) =>
    makeDocument(`https://a.example/${n}`, words[n % 2]!),
  );
  const searcher = open(await indexOf(t, documents), { clock: clockOf(LATE), timeLimitMs: LIMIT_MS });
  const { partial, total } = await searcher.search({ query: '+odd +even -other', offset: 0, limit: 10 });
  assert.deepEqual([partial, total], [true, 0]);
  searcher.close();
});

test('an excluded clause that hits its limit neither excludes nor includes documents', async (t) => {
  const words = ['odd', 'even'];
  const documents = Array.from({ length: 5000 }, (_, n) =>
    makeDocument(`https://a.example/${n}`, `${words[n % 2]} ${n > 4900 ? 'odd even' : ''}`),
  );
  const searcher = open(await indexOf(t, documents), { clock: clockOf(LATE), timeLimitMs: LIMIT_MS });
  const { partial, total } = await searcher.search({ query: 'odd -(+odd +even)', offset: 0, limit: 10 });
  assert.equal(partial, true);
  assert.ok(total <= 512, `${total}`);
  searcher.close();
});

test('a damaged segment is skipped, the response says so, and the others are served', async (t) => {
  const index = await indexOf(
    t,
    [makeDocument('https://a.example/', 'word')],
    [makeDocument('https://b.example/', 'word')],
  );
  const broken = index.read('seg-00000001.seg');
  broken[40]! ^= 1;
  index.replace('seg-00000001.seg', broken);
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(String(fields?.reason)) };
  const searcher = open(index, { log });
  const response = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  assert.deepEqual(
    response.results.map(({ url }) => url),
    ['https://b.example/'],
  );
  assert.equal(response.partial, true);
  assert.deepEqual(response.notes, [{ code: 'damaged-index', values: {} }]);
  assert.match(warnings.join(), /seg-00000001\.seg at byte \d+/);
  assert.equal(searcher.stats().segmentCount, 1);
  searcher.close();
});

test('a segment that becomes unreadable while open is skipped from then on', async (t) => {
  const index = await indexOf(
    t,
    [makeDocument('https://a.example/', 'word other')],
    [makeDocument('https://b.example/', 'word other')],
  );
  const searcher = open(index);
  assert.equal((await found(searcher, 'word')).length, 2);
  index.append('seg-00000001.seg', 20).close();
  const response = await searcher.search({ query: 'other', offset: 0, limit: 10 });
  assert.deepEqual(
    response.results.map(({ url }) => url),
    ['https://b.example/'],
  );
  assert.equal(response.partial, true);
  searcher.close();
});
