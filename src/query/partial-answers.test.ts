/** Answers that time cut short, or that lack a segment, are given and say so. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, type Log, silentLog } from '../base/mod.ts';
import { makeDocument } from './naive.fixture.ts';
import { found, indexOf, open } from './searcher.fixture.ts';

test('an answer that took too long is partial, and says so', async (t) => {
  const documents = Array.from({ length: 1100 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
  let now = 0;
  const clock: Clock = { now: () => (now += 100) };
  const searcher = open(await indexOf(t, documents), { clock, timeLimitMs: 50 });
  const response = await searcher.search({ query: 'word -other', offset: 0, limit: 10 });
  assert.equal(response.partial, true);
  assert.equal(response.total, 512);
  assert.equal(response.results.length, 10);
  assert.ok(response.tookMs > 0);
  searcher.close();
});

test('a filter that lets nothing through cannot run for ever either', async (t) => {
  const documents = Array.from({ length: 1100 }, (_, n) => makeDocument(`https://a.example/${n}`, 'word'));
  let now = 0;
  const clock: Clock = { now: () => (now += 100) };
  const searcher = open(await indexOf(t, documents), { clock, timeLimitMs: 50 });
  const response = await searcher.search({ query: 'lang:fr', offset: 0, limit: 10 });
  assert.deepEqual([response.partial, response.total], [true, 0]);
  searcher.close();
});

test('between segments the clock is looked at too', async (t) => {
  const documents = Array.from({ length: 2 }, (_, n) => [makeDocument(`https://a.example/${n}`, 'word')]);
  let now = 0;
  const clock: Clock = { now: () => (now += 100) };
  const searcher = open(await indexOf(t, ...documents), { clock, timeLimitMs: 50 });
  const response = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  assert.equal(response.partial, true);
  assert.equal(response.results.length, 1);
  searcher.close();
});

test('a damaged segment is left out, the answer says so, and the rest serves', async (t) => {
  const index = await indexOf(
    t,
    [makeDocument('https://a.example/', 'word')],
    [makeDocument('https://b.example/', 'word')],
  );
  const broken = index.read('seg-00000001.seg');
  broken[40]! ^= 1;
  index.replace('seg-00000001.seg', broken);
  const warnings: string[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(String(fields?.why)) };
  const searcher = open(index, { log });
  const response = await searcher.search({ query: 'word', offset: 0, limit: 10 });
  assert.deepEqual(
    response.results.map(({ url }) => url),
    ['https://b.example/'],
  );
  assert.equal(response.partial, true);
  assert.match(response.notes.join(), /damaged/);
  assert.match(warnings.join(), /seg-00000001\.seg at byte \d+/);
  assert.equal(searcher.stats().segmentCount, 1);
  searcher.close();
});

test('a segment that goes bad while it is open is left out from then on', async (t) => {
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
