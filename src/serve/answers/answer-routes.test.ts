import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type AnswerBox, Answerer, calculator, clocks } from '../../answer/mod.ts';
import { silentLog } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { messagesOf } from '../messages/words.ts';
import { createServer } from '../server.ts';
import type { ServeOptions } from '../server-context.ts';
import { renderAnswer } from './answer-view.ts';

const NOON = '2026-07-15T12:00:00.000Z';
const OWN = { name: 'Pages of this index', url: '' };
let now = Date.parse(NOON);
const clock = { now: () => now };

const result = {
  ...{ url: 'https://a.example/', title: 'A page', snippet: 'words', highlights: [], host: 'a.example' },
  ...{ score: 1, fetchedAt: NOON },
};
const searcher: Searcher = {
  search: async ({ query }) => ({
    ...{ query, total: 1, tookMs: 1, partial: false, notes: [], results: [result] },
  }),
  stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 }),
  close() {},
};

const knowing: AnswerBox = {
  name: 'knowing',
  cacheMs: 1000,
  matches: (query) => query.includes('needle'),
  answer: async (query) =>
    query === 'needle'
      ? {
          kind: 'knowledge',
          title: 'A <b>needle</b>',
          text: '',
          facts: [],
          links: [],
          source: OWN,
          time: NOON,
        }
      : null,
};

function serverWith(options: Partial<ServeOptions> = {}) {
  const answerer = new Answerer({ boxes: [calculator, clocks, knowing], clock, log: silentLog });
  return createServer({ searcher, version: '', contact: '', clock, log: silentLog, answerer, ...options });
}

test('answer boxes are an escaped fragment, empty if there are none', async () => {
  const server = serverWith();
  const reply = await server.inject('/answers/boxes?q=6*7');
  assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
  assert.match(
    reply.body,
    /^<section class="answer answer-calculation" dir="auto">\n<h2><bdi dir="ltr">42<\/bdi><\/h2>/,
  );
  assert.match(reply.body, /Computed here<\/bdi> · <bdi><time datetime="/);
  assert.equal((await server.inject('/answers/boxes?q=needles')).statusCode, 204);
  await server.close();
  const without = createServer({ searcher, version: '', contact: '', clock, log: silentLog });
  for (const path of ['/answers', '/answers/boxes'])
    assert.equal((await without.inject(`${path}?q=6*7`)).statusCode, 404);
  assert.doesNotMatch((await without.inject('/search?q=6*7')).body, /class="answers"/);
  await without.close();
});

test('computed answers are in the results page; other answers are loaded by script or linked', async () => {
  const server = serverWith();
  const page = async (query: string) => (await server.inject(`/search?q=${query}`)).body;
  assert.match(
    await page('6*7'),
    /<div class="answers" data-answers="" role="region" aria-label="Answers"><section/,
  );
  assert.doesNotMatch(await page('6*7'), /noscript/);
  const asking = await page('needle');
  assert.match(asking, /<noscript><p class="spelling"><a href="\/answers\?q=needle">Look for short answers/);
  assert.match(asking, /<div class="answers" data-answers="\/answers\/boxes\?q=needle" [^>]* hidden><\/div>/);
  for (const query of ['other', '1/0', 'needle&page=2', 'needle&tab=news'])
    assert.doesNotMatch(await page(query), /class="answers"/, query);
  await server.close();
});

test('answers have their own page for browsers without scripts', async () => {
  const server = serverWith();
  const { body, headers } = await server.inject('/answers?q=needle');
  assert.match(body, /<h1>Short answers to <bdi>needle<\/bdi><\/h1>/);
  assert.match(body, /<h2>A &lt;b&gt;needle&lt;\/b&gt;<\/h2>/);
  assert.match(body, /<a href="\/search\?q=needle">To the results<\/a>/);
  assert.equal(headers.vary, 'accept-language, cookie');
  assert.match((await server.inject('/answers?q=needles')).body, /There is no short answer to this query/);
  assert.equal((await server.inject('/answers')).statusCode, 400);
  await server.close();
});

test('the source line has the direction of the page, whatever the direction of the answer', () => {
  const source = { name: 'محسوب', url: '' };
  const answer: Answer = {
    ...{ kind: 'conversion', title: '167.64 cm', text: '5 ft 6 in =', facts: [], links: [] },
    ...{ source, time: '2026-07-15' },
  };
  assert.match(String(renderAnswer(answer, messagesOf('ar')!)), /<p class="source" dir="rtl">/);
});

test('a date beside a link has its own direction', () => {
  const links = [{ title: 'Storm', url: 'https://a.example/', detail: 'Harbour Post', day: '14 يوليو 2026' }];
  const answer: Answer = { kind: 'news', title: '', text: '', facts: [], links, source: OWN, time: NOON };
  assert.match(
    String(renderAnswer(answer, messagesOf('ar')!)),
    /<span class="detail"><bdi>Harbour Post<\/bdi>, <bdi>14 يوليو 2026<\/bdi><\/span>/,
  );
});

test('a query with a computed answer is not corrected', async () => {
  const search: Searcher['search'] = async (request) => ({
    ...(await searcher.search(request)),
    ...(!request.asTyped && { spelling: { query: 'six seven', automatic: true } }),
  });
  const server = serverWith({ searcher: { ...searcher, search } });
  const page = async (query: string) => (await server.inject(`/search?q=${query}`)).body;
  assert.match(await page('sixx+seven'), /Showing results for/);
  assert.doesNotMatch(await page('6*7'), /Showing results for/);
  await server.close();
});

test('answer boxes use the corrected query if its results are shown', async () => {
  const spelling = { query: 'needle', automatic: true };
  const search: Searcher['search'] = async (request) => ({ ...(await searcher.search(request)), spelling });
  const server = serverWith({ searcher: { ...searcher, search } });
  assert.match((await server.inject('/search?q=nedle')).body, /data-answers="\/answers\/boxes\?q=needle"/);
  await server.close();
});

test('a page with an answer and no results has no search advice', async () => {
  const search: Searcher['search'] = async (request) => ({
    ...(await searcher.search(request)),
    ...{ total: 0, results: [] },
  });
  const server = serverWith({ searcher: { ...searcher, search } });
  const page = async (query: string) => (await server.inject(`/search?q=${query}`)).body;
  assert.match(
    await page('6*7'),
    /<p class="summary" role="status">No page in the index contains these words/,
  );
  assert.doesNotMatch(await page('6*7'), /Check the spelling/);
  assert.match(await page('words'), /Check the spelling/);
  for (const narrowed of ['6*7&tab=news', '6*7&type=pdf'])
    assert.match(await page(narrowed), /Search without filters/, narrowed);
  await server.close();
});

test('a page with a time answer is not cached', async () => {
  const server = serverWith({ pageCacheBytes: 100_000 });
  const page = async () => (await server.inject('/search?q=time+in+Tokyo')).body;
  assert.match(await page(), /<h2>21:00<\/h2>/);
  now += 20_000;
  const before = await page();
  now += 5_000;
  assert.notEqual(await page(), before);
  await server.close();
});
