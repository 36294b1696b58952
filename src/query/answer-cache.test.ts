import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AnswerCache, cacheKey } from './answer-cache.ts';
import type { SearchResponse } from './searcher.ts';

function answerOf(query: string, snippet = '', partial = false): SearchResponse {
  const result = {
    url: 'https://a.example/',
    title: '',
    snippet,
    highlights: [],
    host: '',
    score: 1,
    fetchedAt: '',
  };
  return { query, total: 1, tookMs: 5, partial, notes: [], results: [result] };
}

test('a cached response is valid for the same index only', () => {
  const cache = new AnswerCache(100_000);
  assert.equal(cache.find('1', 'a'), null);
  cache.keep('1', 'a', answerOf('a'));
  assert.equal(cache.find('1', 'a')?.query, 'a');
  assert.equal(cache.find('2', 'a'), null);
  assert.equal(cache.find('1', 'a'), null);
  assert.deepEqual(cache.stats, { hits: 1, misses: 3, sizeBytes: 0 });
});

test('a response computed during an index change is not cached, nor is a partial one', () => {
  const cache = new AnswerCache(100_000);
  cache.find('1', 'a');
  cache.find('2', 'b');
  cache.keep('1', 'a', answerOf('a'));
  cache.keep('2', 'b', answerOf('b', '', true));
  assert.equal(cache.stats.sizeBytes, 0);
});

test('the cache keeps the most recently used responses within its limit', () => {
  const cache = new AnswerCache(10_000);
  cache.find('1', 'a');
  const snippet = 'x'.repeat(1000);
  for (const key of ['a', 'b', 'c']) cache.keep('1', key, answerOf(key, snippet));
  assert.ok(cache.find('1', 'a'));
  cache.keep('1', 'd', answerOf('d', snippet));
  assert.ok(cache.stats.sizeBytes <= 10_000, `${cache.stats.sizeBytes}`);
  assert.ok(cache.find('1', 'a'));
  assert.equal(cache.find('1', 'b'), null);
  cache.keep('1', 'huge', answerOf('huge', 'x'.repeat(10_000)));
  assert.equal(cache.find('1', 'huge'), null);
  assert.ok(cache.find('1', 'd'));
});

test('the size of the cache stays correct when responses are replaced', () => {
  const cache = new AnswerCache(100_000);
  cache.find('1', 'a');
  cache.keep('1', 'a', answerOf('a', 'short'));
  const { sizeBytes } = cache.stats;
  for (let n = 0; n < 50; n++) cache.keep('1', 'a', answerOf('a', 'short'));
  assert.equal(cache.stats.sizeBytes, sizeBytes);
});

test('every text of a response counts towards its size, also site queries', () => {
  const sizeWith = (change: (answer: SearchResponse) => void) => {
    const cache = new AnswerCache(1_000_000);
    cache.find('1', 'a');
    const answer = answerOf('a');
    change(answer);
    cache.keep('1', 'a', answer);
    return cache.stats.sizeBytes;
  };
  const long = 'x'.repeat(1000);
  const plain = sizeWith(() => {});
  for (const change of [
    (answer: SearchResponse) => answer.notes.push({ code: 'plain-words', values: { text: long } }),
    (answer: SearchResponse) => Object.assign(answer, { cursor: long }),
    (answer: SearchResponse) => Object.assign(answer.results[0]!, { similar: [long] }),
    (answer: SearchResponse) =>
      Object.assign(answer.results[0]!, { moreFromSite: { count: 1, query: long } }),
  ])
    assert.equal(sizeWith(change), plain + 2000);
  const marked = sizeWith((answer) => answer.results[0]!.highlights.push([0, 1]));
  assert.ok(marked > plain);
});

test('the key has every field of the request, and one space between words', () => {
  const request = { query: 'HTTP   client', offset: 0, limit: 10 };
  const key = cacheKey(request, 'default');
  assert.equal(cacheKey({ ...request, query: ' HTTP client' }, 'default'), key);
  for (const other of [
    { offset: 10 },
    { limit: 20 },
    { perHost: 2 },
    { cursor: 'abc' },
    { collapse: true },
  ]) {
    assert.notEqual(cacheKey({ ...request, ...other }, 'default'), key);
  }
  assert.notEqual(cacheKey(request, 'other'), key);
  assert.notEqual(cacheKey({ ...request, query: 'http client' }, 'default'), key);
});
