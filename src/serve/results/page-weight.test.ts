/**
 * Checks the size of a page of results with all resources that it loads, if everything on it is as large as
 * allowed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Answer, type AnswerBox, Answerer, conversion } from '../../answer/mod.ts';
import { Random, silentLog, systemClock } from '../../base/mod.ts';
import type { Searcher, SearchResult } from '../../query/mod.ts';
import { archiveOver } from '../cached/copies.fixture.ts';
import { MAX_PICTURE_BYTES } from '../icons/small-picture.ts';
import { createServer } from '../server.ts';

const random = new Random(7);
const LETTERS = [...'абвгдежзиклмнопрстуфхцчшщыэюя'];

function words(count: number): string {
  const word = () => Array.from({ length: random.between(3, 11) }, () => random.pick(LETTERS)).join('');
  return Array.from({ length: count }, word).join(' ');
}

/**
 * Results that are as large as possible: letters of two bytes, escaped URLs, a different host for each
 * result, and many highlights.
 */
const RESULTS = Array.from({ length: 10 }, (_, at): SearchResult => {
  const host = `site${at}.example`;
  const path = encodeURIComponent(words(4).replaceAll(' ', '_'));
  return {
    ...{ url: `https://${host}/${path}`, host, title: words(9), snippet: words(28), score: 1 },
    ...{ highlights: [0, 20, 40, 60, 80].map((start): [number, number] => [start, start + 8]) },
    ...{ fetchedAt: '2026-01-02T00:00:00.000Z', date: `2024-01-1${at}` },
    moreFromSite: { count: 3, query: `${words(3)} site:${host}` },
    similar: [1, 2, 3].map((copy) => `https://${host}/${copy}/${path}`),
  };
});

const searcher: Searcher = {
  search: async ({ query }) => {
    const kinds = ['html', 'news', 'pdf', 'product'];
    const spelling = { query: words(3), automatic: false };
    return { query, total: 98_765, tookMs: 3, partial: true, notes: [], spelling, results: RESULTS, kinds };
  },
  suggest: async () => [],
  explain: () => null,
  stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 }),
  close() {},
};

const archive = archiveOver({ copies: () => [], read: () => null }, async () => ({
  contentType: 'image/png',
  bytes: Buffer.alloc(MAX_PICTURE_BYTES, 1),
}));

/** An answer box with the maximum content. */
const knowing: AnswerBox = {
  ...{ name: 'knowing', cacheMs: 1000, matches: () => true },
  answer: async (): Promise<Answer> => ({
    ...{ kind: 'knowledge', title: words(4), text: words(50), time: '2026-01-02T00:00:00.000Z' },
    facts: Array.from({ length: 8 }, () => ({ name: words(1), value: words(6) })),
    ...{ links: [], source: { name: 'site0.example', url: 'https://site0.example/' } },
  }),
};

function heavyServer() {
  const answerer = new Answerer({ boxes: [conversion, knowing], clock: systemClock, log: silentLog });
  const common = { version: '1.2.3', contact: '', clock: systemClock, log: silentLog };
  return createServer({ ...common, searcher, archive, answerer });
}

for (const encoding of ['gzip, deflate, br, zstd', 'gzip, deflate']) {
  test(`the heaviest page weighs less than 40 KB with everything (${encoding})`, async () => {
    const server = heavyServer();
    const get = async (url: string) => {
      const headers = { 'accept-encoding': encoding, 'accept-language': 'ar' };
      const reply = await server.inject({ url, headers });
      assert.ok(reply.statusCode < 300, url);
      return reply;
    };
    const reply = await get('/search?q=5+Meilen+in+km');
    const coding = String(reply.headers['content-encoding']);
    const page = String((coding === 'br' ? brotliDecompressSync : gunzipSync)(reply.rawPayload));
    const loaded = [...page.matchAll(/(?:src|href)="(\/(?:assets|icon|favicon)[^"]*)"/g)].map(
      ([, url]) => url!,
    );
    assert.equal(new Set(loaded).size, 13);
    const parts = await Promise.all([...new Set(loaded), '/answers/boxes?q=5+Meilen+in+km'].map(get));
    const total = parts.reduce((sum, part) => sum + part.rawPayload.length, reply.rawPayload.length);
    assert.ok(total > 20_000 && total < 40_000, `${total} bytes`);
    await server.close();
  });
}

test('a page is compressed as the browser accepts, and an error page is not', async () => {
  const server = heavyServer();
  const codingFor = async (accepted: string) =>
    (await server.inject({ url: '/search?q=a', headers: { 'accept-encoding': accepted } })).headers[
      'content-encoding'
    ];
  assert.equal(await codingFor(''), undefined);
  assert.equal(await codingFor('identity, br;q=0'), undefined);
  assert.equal(await codingFor('br;q=0.0, GZIP;q=0.5'), 'gzip');
  assert.equal(await codingFor('gzip, br'), 'br');
  const reply = await server.inject('/search?q=a');
  assert.equal(reply.headers.vary, 'accept-language, cookie, accept-encoding');
  await server.close();
  const search = () => Promise.reject(new Error('broken'));
  const common = { version: '1.2.3', contact: '', clock: systemClock, log: silentLog };
  const broken = createServer({ ...common, searcher: { ...searcher, search } });
  const failed = await broken.inject({ url: '/search?q=a', headers: { 'accept-encoding': 'br' } });
  assert.equal(failed.statusCode, 500);
  assert.equal(failed.headers['content-encoding'], undefined);
  assert.match(failed.body, /^<!doctype html>/);
  await broken.close();
});
