import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../base/mod.ts';
import type { SearchRequest, SearchResponse } from '../../query/mod.ts';
import { createServer } from '../server.ts';

function serverOf() {
  let now = Date.UTC(2026, 0, 2);
  const index = { generation: 1, partial: false, meant: '' };
  const asked: SearchRequest[] = [];
  const noted: string[] = [];
  const result = {
    ...{ url: 'https://a.example/', title: 'A page', snippet: 'words', highlights: [], host: 'a.example' },
    ...{ score: 1, fetchedAt: '2026-01-01T00:00:00.000Z' },
  };
  const server = createServer({
    searcher: {
      async search(request): Promise<SearchResponse> {
        asked.push(request);
        const { partial, meant } = index;
        const spelling = { query: meant, automatic: true };
        return {
          ...{ query: request.query, total: 1, tookMs: 1, partial, notes: [], results: [result] },
          ...(meant !== '' && { spelling }),
        };
      },
      note: (query) => noted.push(query),
      stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: index.generation }),
      close() {},
    },
    ...{ version: '1.2.3', contact: '', log: silentLog, clock: { now: () => now } },
    pageCacheBytes: 200_000,
  });
  const get = async (query: string, headers: Record<string, string> = {}) =>
    (await server.inject({ url: `/search?${query}`, headers })).body;
  return { server, get, asked, noted, index, wait: (ms: number) => (now += ms) };
}

test('a page is rendered once for equal requests, and each request is counted', async () => {
  const { get, asked, noted } = serverOf();
  const page = await get('q=words');
  assert.match(page, /A page/);
  assert.equal(await get('q=++words'), page);
  assert.equal(asked.length, 1);
  assert.deepEqual(noted, ['words']);
  assert.match(await get('q=words', { 'accept-language': 'de' }), /lang="de"/);
  await get('q=words&page=2');
  await get('q=words&lang=de');
  assert.equal(asked.length, 4);
});

test('the language of the searcher reaches the search, and pages differ by it', async () => {
  const { get, asked } = serverOf();
  for (const language of ['es-MX, en;q=0.5', 'es', 'pt', ''])
    await get('q=words', { 'accept-language': language });
  assert.deepEqual(
    asked.map(({ preferredLanguage }) => preferredLanguage),
    ['es', 'pt', undefined],
  );
});

test('a corrected query is not counted when its page comes from the cache', async () => {
  const { get, asked, noted, index } = serverOf();
  index.meant = 'words';
  await get('q=wrods');
  assert.match(await get('q=wrods'), /wrods/);
  assert.equal(asked.length, 1);
  assert.deepEqual(noted, []);
});

test('a page is rendered again after an index change and after 30 seconds', async () => {
  const { get, asked, index, wait } = serverOf();
  await get('q=words');
  index.generation = 2;
  await get('q=words');
  assert.equal(asked.length, 2);
  wait(29_000);
  await get('q=words');
  assert.equal(asked.length, 2);
  wait(1_000);
  await get('q=words');
  assert.equal(asked.length, 3);
});

test('a partial response is not cached', async () => {
  const { get, asked, index } = serverOf();
  index.partial = true;
  await get('q=words');
  index.partial = false;
  assert.doesNotMatch(await get('q=words'), /did not respond in time/);
  assert.equal(asked.length, 2);
});
