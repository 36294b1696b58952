import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { type Log, silentLog, systemClock, UsageError } from '../base/mod.ts';
import type { Searcher, SearchRequest, SearchResponse } from '../query/mod.ts';
import { archiveOver } from './cached/copies.fixture.ts';
import { createServer, listen } from './server.ts';
import type { ServeOptions } from './server-context.ts';

const TOTAL = 45;
/** The options of every search for a list of results. */
const LISTED = { perHost: 2, collapse: true };

/** Makes a searcher that returns the same 45 pages for every query and records the search requests. */
function fixedSearcher(response: Partial<SearchResponse> = {}) {
  const asked: SearchRequest[] = [];
  const searcher: Searcher = {
    async search({ arrivedAt: _, isCancelled: __, ...request }) {
      asked.push(request);
      const numbers = Array.from({ length: TOTAL }, (_, at) => at + 1);
      const results = numbers.slice(request.offset, request.offset + request.limit).map((number) => ({
        url: `https://host.example/docs/${number}`,
        title: `Page ${number} <b>`,
        snippet: 'a <i>needle</i> in hay',
        highlights: [[5, 11]] as [number, number][],
        host: 'host.example',
        score: 1 / number,
        fetchedAt: '2025-06-01T00:00:00.000Z',
        secret: 'not for the outside',
      }));
      return {
        query: request.query,
        total: TOTAL,
        tookMs: 3.21,
        partial: false,
        notes: [],
        results,
        ...response,
      };
    },
    stats: () => ({ docCount: TOTAL, segmentCount: 2, sizeBytes: 1000, generation: 1 }),
    close() {},
  };
  return { searcher, asked };
}

function serverWith(options: Partial<ServeOptions> = {}) {
  const defaults = { searcher: fixedSearcher().searcher, version: '9.8.7', contact: '', clock: systemClock };
  return createServer({ ...defaults, log: silentLog, ...options });
}

async function get(url: string, options: Partial<ServeOptions> = {}): Promise<LightMyRequestResponse> {
  const server = serverWith(options);
  const reply = await server.inject({ url });
  await server.close();
  return reply;
}

function isPage(reply: LightMyRequestResponse, status: number): void {
  assert.equal(reply.statusCode, status);
  assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
  assert.match(reply.body, /^<!doctype html>/);
}

function isProblem(reply: LightMyRequestResponse, status: number, code: string): void {
  assert.equal(reply.statusCode, status);
  assert.equal(reply.headers['content-type'], 'application/problem+json; charset=utf-8');
  const problem = reply.json();
  assert.deepEqual(Object.keys(problem), ['type', 'title', 'status', 'detail', 'code']);
  assert.equal(problem.status, status);
  assert.equal(problem.code, code);
}

test('the start page has a search form and the size of the index', async () => {
  const reply = await get('/');
  isPage(reply, 200);
  assert.match(reply.body, /<form class="search" role="search" action="\/search" method="get">/);
  assert.match(reply.body, /Search 45 pages/);
});

test('an empty query shows the start page', async () => {
  const start = await get('/');
  for (const url of ['/search', '/search?q=', '/search?q=+%20%09', '/search?q=%00']) {
    assert.equal((await get(url)).body, start.body, url);
  }
});

test('a results page has ten escaped results with highlights, count and time', async () => {
  const reply = await get('/search?q=needle');
  isPage(reply, 200);
  assert.equal(reply.body.match(/<li class="result"/g)?.length, 10);
  assert.match(reply.body, /<a class="title" href="https:\/\/host\.example\/docs\/1">Page 1 &lt;b&gt;<\/a>/);
  assert.match(reply.body, /a &lt;i&gt;<mark>needle<\/mark>&lt;\/i&gt; in hay/);
  assert.match(reply.body, /45 results in 3\.2 ms/);
  assert.match(reply.body, /<title>needle · Gyre<\/title>/);
  assert.match(reply.body, /value="needle"/);
});

test('page numbers lead to the other results', async () => {
  const { searcher, asked } = fixedSearcher();
  const reply = await get('/search?q=a+%26+b&page=2', { searcher });
  assert.deepEqual(asked, [{ query: 'a & b', offset: 10, limit: 10, ...LISTED }]);
  assert.match(reply.body, /<ol class="results" role="list" start="11">/);
  assert.match(reply.body, /<span aria-current="page">2<\/span>/);
  assert.match(reply.body, /<a rel="prev" href="\/search\?q=a%20%26%20b">/);
  assert.match(reply.body, /<a rel="next" href="\/search\?q=a%20%26%20b&amp;page=3">/);
  assert.match(reply.body, /aria-label="Page 5"/);
  assert.doesNotMatch(reply.body, /aria-label="Page 6"/);
});

test('a page after the last says where the list ends', async () => {
  const reply = await get('/search?q=needle&page=6');
  isPage(reply, 200);
  assert.match(reply.body, /The list ends before page 6/);
});

test('a page number that is too large stands for the last page that a list may have', async () => {
  for (const page of ['101', '999', '99999999999999999999']) {
    const reply = await get(`/search?q=needle&page=${page}`);
    isPage(reply, 200);
    assert.match(reply.body, /The list ends before page 100/);
    assert.match(reply.body, /<a href="\/search\?q=needle">Go to the first page<\/a>/);
  }
});

test('a page without results has advice', async () => {
  const { searcher } = fixedSearcher({ total: 0, results: [] });
  const reply = await get('/search?q=%22a+b%22+site:x.example', { searcher });
  isPage(reply, 200);
  assert.match(reply.body, /Nothing was found/);
  assert.match(
    reply.body,
    /<a href="\/search\?q=a%20b%20site%3Ax\.example" dir="auto">a b site:x\.example<\/a>/,
  );
});

test('a query without a word says so, and has no advice on words or quotes', async () => {
  const { searcher } = fixedSearcher({ total: 0, results: [] });
  for (const query of ['-', '*', '"*"', '🌊']) {
    const { body } = await get(`/search?q=${encodeURIComponent(query)}`, { searcher });
    assert.match(body, /The query has no word to search for/, query);
    assert.doesNotMatch(body, /Check the spelling|without the quotes/, query);
  }
  for (const query of ['潮', '7', '-moon']) {
    const { body } = await get(`/search?q=${encodeURIComponent(query)}`, { searcher });
    assert.match(body, /Check the spelling/, query);
  }
});

test('notes and partial responses are shown, escaped', async () => {
  const { searcher } = fixedSearcher({
    partial: true,
    notes: [{ code: 'plain-words', values: { text: '<plain>' } }],
  });
  const reply = await get('/search?q=needle', { searcher });
  assert.match(reply.body, /<p class="note">Read as plain words: <bdi>&lt;plain&gt;<\/bdi><\/p>/);
  assert.match(reply.body, /Part of the index did not respond in time/);
  assert.match(reply.body, /At least 45 results/);
});

test('a query is shown as text wherever it appears', async () => {
  const attack = '"><script>alert(1)</script>';
  const { searcher } = fixedSearcher({
    total: 0,
    results: [],
    notes: [{ code: 'plain-words', values: { text: attack } }],
  });
  const reply = await get(`/search?q=${encodeURIComponent(attack)}`, { searcher });
  assert.doesNotMatch(reply.body, /<script>/);
});

test('the title of a later page has its number', async () => {
  assert.match((await get('/search?q=tide')).body, /<title>tide · Gyre<\/title>/);
  assert.match((await get('/search?q=tide&page=2')).body, /<title>tide, page 2 · Gyre<\/title>/);
});

test('the heading has no direction marks', async () => {
  const { searcher } = fixedSearcher({ total: 0, results: [] });
  const reply = await get(`/search?q=${encodeURIComponent('tide \u202Eedit\u2066')}`, { searcher });
  assert.match(reply.body, /<h1 class="unseen">Results for tide edit<\/h1>/);
});

test('a query over the limit is refused clearly, however long it is', async () => {
  for (const length of [2001, 10_000, 25_000]) {
    const query = encodeURIComponent('ü'.repeat(length));
    const page = await get(`/search?q=${query}`);
    isPage(page, 400);
    assert.match(page.body, /at most 2,000 are allowed/);
    assert.ok(page.body.length < 5000, 'the query is not sent back');
    isProblem(await get(`/api/v1/search?q=${query}`), 400, 'query-too-long');
  }
  isPage(await get(`/search?q=${encodeURIComponent('😀'.repeat(2000))}`), 200);
});

test('numbers out of bounds are refused, as a page or as a problem', async () => {
  for (const page of ['0', '-1', '1.5', 'x', '1e1']) {
    const refused = await get(`/search?q=tide%22&page=${page}`);
    isPage(refused, 400);
    assert.match(refused.body, /<input type="search" name="q" value="tide&quot;"/);
  }
  for (const bad of [
    'limit=0',
    'limit=101',
    'offset=-1',
    'offset=x',
    'offset=950&limit=51',
    'limit=1&limit=2',
  ]) {
    isProblem(await get(`/api/v1/search?q=a&${bad}`), 400, 'bad-parameter');
  }
  isPage(await get('/search?q=a&q=b'), 400);
});

test('the JSON answer has exactly the promised fields', async () => {
  const { searcher, asked } = fixedSearcher();
  const reply = await get('/api/v1/search?q=http+client&offset=3&limit=2', { searcher });
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
  assert.deepEqual(asked, [{ query: 'http client', offset: 3, limit: 2, passage: true, ...LISTED }]);
  const answer = reply.json();
  assert.deepEqual(Object.keys(answer), ['query', 'total', 'tookMs', 'partial', 'notes', 'results']);
  assert.equal(answer.results.length, 2);
  const fields = ['url', 'title', 'snippet', 'highlights', 'host', 'score', 'fetchedAt'];
  assert.deepEqual(Object.keys(answer.results[0]), fields);
  assert.equal(answer.results[0].url, 'https://host.example/docs/4');
});

test('a cursor is passed to the searcher and back', async () => {
  const { searcher, asked } = fixedSearcher({ cursor: 'next-one' });
  const reply = await get('/api/v1/search?q=needle&cursor=from_here', { searcher });
  assert.equal(asked[0]?.cursor, 'from_here');
  assert.equal(reply.json().cursor, 'next-one');
  isProblem(await get('/api/v1/search?q=needle&cursor=%3Cb%3E'), 400, 'bad-parameter');
});

test('more results of a site are a link, and the API has URLs of copies', async () => {
  const more = { count: 1200, query: 'needle site:host.example' };
  const result = {
    url: 'https://host.example/',
    title: 'Host',
    snippet: '',
    highlights: [],
    host: 'host.example',
  };
  const rest = { score: 1, fetchedAt: '2025-06-01T00:00:00.000Z', similar: ['https://copy.example/'] };
  const { searcher } = fixedSearcher({ results: [{ ...result, ...rest, moreFromSite: more }] });
  const page = await get('/search?q=needle&type=html', { searcher });
  const link = /<a href="([^"]*)">1,200 more from this site<\/a>/;
  assert.equal(link.exec(page.body)?.[1], '/search?q=needle&amp;site=host.example&amp;type=html');
  const [answer] = (await get('/api/v1/search?q=needle', { searcher })).json().results;
  assert.deepEqual([answer.moreFromSite, answer.similar], [more, ['https://copy.example/']]);
});

test('cache counters are among the metrics', async () => {
  const { searcher } = fixedSearcher();
  const stats = () => ({
    ...fixedSearcher().searcher.stats(),
    cache: { hits: 7, misses: 3, sizeBytes: 9000 },
  });
  const { body } = await get('/metrics', { searcher: { ...searcher, stats } });
  assert.match(body, /^gyre_answer_cache_hits_total 7$/m);
  assert.match(body, /^gyre_answer_cache_misses_total 3$/m);
  assert.match(body, /^gyre_answer_cache_size_bytes 9000$/m);
});

test('a JSON search without a query is refused', async () => {
  isProblem(await get('/api/v1/search'), 400, 'query-missing');
  isProblem(await get('/api/v1/search?q=+'), 400, 'query-missing');
});

test('the status has version, index and crawl', async () => {
  const crawl = { state: 'crawling', pages: 7, queued: 3, errors: 1 } as const;
  const index = { docCount: TOTAL, segmentCount: 2, sizeBytes: 1000, generation: 1 };
  assert.deepEqual((await get('/api/v1/status', { status: () => crawl })).json(), {
    version: '9.8.7',
    index,
    crawl,
  });
  assert.equal((await get('/api/v1/status')).json().crawl, null);
  assert.match((await get('/', { status: () => crawl })).body, /crawling, 3 addresses to visit/);
});

test('unknown paths get an error page, and a problem document below /api/', async () => {
  isPage(await get('/nowhere'), 404);
  isPage(await get('/assets/nothing.css'), 404);
  isPage(await get('/assets/../../package.json'), 404);
  isPage(await get('/assets/..%2f..%2fpackage.json'), 404);
  isProblem(await get('/api/v1/nowhere'), 404, 'not-found');
});

test('a path that cannot be decoded gets an error page with the usual headers', async () => {
  const reply = await get('/%E0%A4%A');
  isPage(reply, 400);
  assert.match(String(reply.headers['content-security-policy']), /default-src 'none'/);
});

test('an internal error is logged and not shown', async () => {
  const logged: unknown[] = [];
  const log: Log = { ...silentLog, error: (event, fields) => logged.push([event, fields?.error]) };
  const searcher: Searcher = {
    ...fixedSearcher().searcher,
    search: () => Promise.reject(new Error('seg-7.post at byte 4096')),
  };
  const page = await get('/search?q=a', { searcher, log });
  isPage(page, 500);
  assert.doesNotMatch(page.body, /seg-7/);
  const problem = await get('/api/v1/search?q=a', { searcher, log });
  isProblem(problem, 500, 'internal');
  assert.doesNotMatch(problem.body, /seg-7/);
  assert.deepEqual(logged, Array(2).fill(['request failed', 'seg-7.post at byte 4096']));
});

test('/healthz is always 200, and /readyz is 200 if an index is open, even an empty one', async () => {
  const closed = { ...fixedSearcher().searcher, stats: () => assert.fail('closed') };
  const withoutDocuments = (generation: number) => ({
    ...fixedSearcher().searcher,
    stats: () => ({ docCount: 0, segmentCount: 0, sizeBytes: 0, generation }),
  });
  const [none, empty] = [withoutDocuments(0), withoutDocuments(3)];
  assert.equal((await get('/healthz', { searcher: closed })).statusCode, 200);
  assert.equal((await get('/readyz', { searcher: closed })).statusCode, 503);
  const early = await get('/readyz', { searcher: none });
  assert.equal(early.statusCode, 503);
  assert.deepEqual(early.json(), { status: 'not ready', reason: 'the index is empty' });
  assert.deepEqual((await get('/readyz', { searcher: empty })).json(), { status: 'ready', documents: 0 });
  assert.match((await get('/', { searcher: none })).body, /The index is empty/);
  isPage(await get('/', { searcher: closed }), 200);
});

test('metrics have requests by route and status and the size of the index', async () => {
  const server = serverWith({ status: () => ({ state: 'idle', pages: 7, queued: 3, errors: 1 }) });
  await server.inject('/search?q=a');
  await server.inject('/search?q=b');
  await server.inject('/no/such/place');
  const reply = await server.inject('/metrics');
  assert.equal(reply.headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8');
  const lines = reply.body.split('\n');
  assert.ok(lines.includes('gyre_http_requests_total{route="/search",status="200"} 2'));
  assert.ok(lines.includes('gyre_http_requests_total{route="none",status="404"} 1'));
  assert.ok(lines.includes('gyre_http_request_duration_seconds_count{route="/search"} 2'));
  assert.ok(lines.includes('gyre_index_documents 45'));
  assert.ok(lines.includes('gyre_index_segments 2'));
  assert.ok(lines.includes('gyre_crawl_pages_total 7'));
  assert.match(reply.body, /^process_resident_memory_bytes \d+$/m);
  await server.close();
});

test('the crawler page names the robots token and the contact, safely', async () => {
  const reply = await get('/bot', { contact: 'https://example.org/contact' });
  isPage(reply, 200);
  assert.match(reply.body, /User-agent: gyre\nDisallow: \//);
  assert.match(reply.body, /<a href="https:\/\/example\.org\/contact">/);
  assert.match((await get('/bot', { contact: 'me@example.org' })).body, /<strong>me@example\.org<\/strong>/);
  assert.match((await get('/bot')).body, /No contact is set/);
  assert.doesNotMatch((await get('/bot', { contact: 'https:"><b>' })).body, /<b>/);
});

test('the OpenSearch description has absolute URLs of the requested host', async () => {
  const server = serverWith();
  const reply = await server.inject({ url: '/opensearch.xml', headers: { host: 'search.example:8080' } });
  assert.equal(reply.headers['content-type'], 'application/opensearchdescription+xml; charset=utf-8');
  assert.match(reply.body, /template="http:\/\/search\.example:8080\/search\?q={searchTerms}"/);
  const hostile = await server.inject({ url: '/opensearch.xml', headers: { host: '"/><x>' } });
  assert.doesNotMatch(hostile.body, /<x>/);
  await server.close();
});

test('robots.txt keeps crawlers out of the results', async () => {
  assert.match((await get('/robots.txt')).body, /^User-agent: \*\nDisallow: \/search\n/);
});

test('assets of pages exist and are cached by content hash', async () => {
  const { body } = await get('/');
  const addresses = Array.from(body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g), (match) => match[1]!);
  assert.equal(addresses.length, 2);
  const types = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];
  for (const [at, address] of addresses.entries()) {
    assert.match(address, /\.[0-9a-f]{10}\.(?:css|js)$/);
    const asset = await get(address);
    assert.equal(asset.statusCode, 200);
    assert.equal(asset.headers['content-type'], types[at]);
    assert.equal(asset.headers['cache-control'], 'public, max-age=31536000, immutable');
  }
  const icon = await get('/favicon.svg');
  assert.equal(icon.headers['content-type'], 'image/svg+xml');
  assert.match(icon.body, /^<svg /);
});

test('every response has the security headers', async () => {
  for (const url of [
    '/',
    '/search?q=a',
    '/api/v1/search?q=a',
    '/nowhere',
    '/search?q=a&page=x',
    '/metrics',
  ]) {
    const { headers } = await get(url);
    const policy = String(headers['content-security-policy']);
    assert.match(
      policy,
      /^default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'/,
    );
    assert.doesNotMatch(policy, /unsafe|\*/);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.equal(headers['x-dns-prefetch-control'], 'off');
  }
});

test('HEAD responds like GET without a body', async () => {
  const server = serverWith();
  for (const url of ['/', '/search?q=a', '/api/v1/search?q=a', '/healthz', '/favicon.svg', '/bot']) {
    const reply = await server.inject({ method: 'HEAD', url });
    assert.equal(reply.statusCode, 200, url);
    assert.equal(reply.body, '', url);
    assert.equal(reply.headers['content-type'], (await server.inject(url)).headers['content-type'], url);
  }
  await server.close();
});

test('a long URL reaches the handler over a real connection, and a huge one gets 431', async () => {
  const server = serverWith();
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const long = await fetch(`${address}/search?q=${'%E6%B5%B7'.repeat(10_000)}`);
  assert.equal(long.status, 400);
  assert.match(await long.text(), /10,000 characters/);
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  socket.write(`GET /search?q=${'x'.repeat(300_000)} HTTP/1.1\r\n`);
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 431 /);
  socket.destroy();
  await server.close();
});

test('a port in use and a foreign address are errors of one line', async () => {
  const first = serverWith();
  const second = serverWith();
  const port = Number(new URL(await listen(first, { host: '127.0.0.1', port: 0 })).port);
  const message = `port ${port} is in use: stop the other program or choose one with --port`;
  await assert.rejects(listen(second, { host: '127.0.0.1', port }), new UsageError('port-in-use', message));
  await assert.rejects(listen(serverWith(), { host: '192.0.2.1', port: 0 }), { code: 'host-unknown' });
  await first.close();
  await second.close();
});

test('closing does not wait for a connection that never sends a request', async () => {
  const server = serverWith();
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const silent = connect(Number(new URL(address).port), '127.0.0.1').on('error', () => {});
  await once(silent, 'connect');
  const startedAt = performance.now();
  await server.close();
  assert.ok(performance.now() - startedAt < 20_000);
  silent.destroy();
});

test('suggestions are JSON, also in the OpenSearch format', async () => {
  const asked: [string, number][] = [];
  const suggest = async (prefix: string, limit: number) => {
    asked.push([prefix, limit]);
    return [{ text: 'needle', url: 'https://host.example/' }, { text: 'needles' }];
  };
  const searcher = { ...fixedSearcher().searcher, suggest };
  const reply = await get('/api/v1/suggest?q=nee%20&limit=5', { searcher });
  const suggestions = [{ text: 'needle', url: 'https://host.example/' }, { text: 'needles' }];
  assert.deepEqual(reply.json(), { query: 'nee ', suggestions });
  const openSearch = await get('/opensearch-suggest?q=nee', { searcher });
  assert.equal(openSearch.headers['content-type'], 'application/x-suggestions+json; charset=utf-8');
  assert.deepEqual(openSearch.json(), ['nee', ['needle', 'needles']]);
  assert.deepEqual(asked, [
    ['nee ', 5],
    ['nee', 8],
  ]);
});

test('without suggestions the list is empty, and bad parameters are errors', async () => {
  assert.deepEqual((await get('/api/v1/suggest?q=nee')).json().suggestions, []);
  assert.deepEqual((await get('/opensearch-suggest')).json(), ['', []]);
  assert.equal((await get('/api/v1/suggest?q=nee&limit=21')).statusCode, 400);
});

test('a correction is offered, or applied with a link to the original query', async () => {
  const offered = fixedSearcher({ spelling: { query: 'needle', automatic: false } });
  const page = await get('/search?q=nedle', offered);
  assert.match(page.body, /Did you mean <a href="\/search\?q=needle"/);
  const automatic = fixedSearcher({ spelling: { query: 'needle', automatic: true } });
  const shown = await get('/search?q=nedle', automatic);
  assert.match(shown.body, /results for <b dir="auto">needle<\/b>/);
  assert.match(shown.body, /href="\/search\?q=nedle&amp;spelling=off"|href="\/search\?q=nedle&spelling=off"/);
  const searcher: Searcher = { ...automatic.searcher, explain: async () => null };
  const menus = await get('/search?q=nedle', { searcher });
  assert.match(menus.body, /href="\/why\?q=needle&/, 'by what it was found');
  const api = await get('/api/v1/search?q=nedle&spelling=off', automatic);
  assert.deepEqual(api.json().spelling, { query: 'needle', automatic: true });
  assert.equal(automatic.asked.at(-1)!.asTyped, true);
  assert.equal(automatic.asked[0]!.asTyped, undefined);
});

test('explanation and copy of a corrected result use the corrected query', async () => {
  const archive = archiveOver({ copies: () => [], read: () => null });
  const linksFor = async (automatic: boolean) => {
    const { searcher } = fixedSearcher({ spelling: { query: 'needle', automatic } });
    const site = { searcher: { ...searcher, explain: async () => null }, archive };
    const { body } = await get('/search?q=nedle', site);
    return [/\/why\?q=(\w+)/, /\/cached\?[^"]*q=(\w+)/].map((link) => link.exec(body)?.[1]);
  };
  assert.deepEqual(await linksFor(true), ['needle', 'needle']);
  assert.deepEqual(await linksFor(false), ['nedle', 'nedle']);
});
