/** Checks every response of the JSON API against the OpenAPI description of the server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { LightMyRequestResponse } from 'fastify';
import { Answerer, calculator, conversion } from '../../answer/mod.ts';
import { GyreError, silentLog, systemClock } from '../../base/mod.ts';
import type { Arrival, PassageAnswer, Searcher, SearchRequest, SearchResult } from '../../query/mod.ts';
import { NO_PREFERENCES, preferencesCookie } from '../preferences/preferences.ts';
import { recordingTools } from '../operations/admin-tools.fixture.ts';
import { createServer } from '../server.ts';
import type { ServeOptions } from '../server-context.ts';

const NOTE = { code: 'plain-words', values: { text: '(' } } as const;

const RESULT: SearchResult = {
  url: 'https://host.example/<a>',
  title: 'Ärger & <b>',
  snippet: 'a needle\u0000 in hay',
  highlights: [[2, 8]],
  host: 'host.example',
  score: 1.5,
  fetchedAt: '2025-06-01T00:00:00.000Z',
  date: '2024-02-29',
  language: 'de',
  format: 'docx',
  noCopy: true,
  moreFromSite: { count: 2, query: 'needle site:host.example' },
  similar: ['https://host.example/b'],
};

const IMAGES = [{ url: 'https://host.example/needle.png', label: 'A needle', match: 1 }];

const PASSAGE: PassageAnswer = {
  ...{ url: RESULT.url, title: 'Hay', host: 'host.example', fetchedAt: RESULT.fetchedAt },
  ...{ text: 'A needle.', highlights: [[2, 8]], heading: '', code: 'find\n  hay' },
};

const searcher: Searcher = {
  search: async ({ query }) => ({
    ...{ query, total: 1, tookMs: 3.2, partial: false, notes: [NOTE] },
    results: [{ ...RESULT, images: IMAGES }],
    passage: PASSAGE,
    familyHidden: 3,
  }),
  suggest: async (prefix, limit) =>
    Array.from({ length: limit + 3 }, (_, at) => ({ text: `${prefix} ${at}` })),
  stats: () => ({
    ...{ docCount: 1, segmentCount: 1, sizeBytes: 10, generation: 1 },
    cache: { hits: 1, misses: 2, sizeBytes: 3 },
  }),
  close() {},
};

const answerer = () => new Answerer({ boxes: [calculator, conversion], clock: systemClock, log: silentLog });

const control = { act: (action: string) => (action === 'start' ? 'It runs already.' : null) };

const tools = recordingTools();

function serverWith(options: Partial<ServeOptions> = {}) {
  const defaults = { searcher, version: '9.8.7', contact: '', clock: systemClock, log: silentLog };
  return createServer({
    ...defaults,
    answerer: answerer(),
    control,
    tools,
    directoryTools: tools,
    ...options,
  });
}

type Description = {
  openapi: string;
  security?: unknown;
  paths: Record<string, Record<string, Operation>>;
};

interface Operation {
  security?: unknown;
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

/** Checks a reply against the description of its path, status and content type. */
function conforms(description: Description, path: string, reply: LightMyRequestResponse): void {
  const { responses } = description.paths[path]![String(reply.raw.req.method).toLowerCase()]!;
  const status = String(reply.statusCode);
  const described = responses[status] ?? responses[`${status[0]}XX`];
  assert.ok(described, `${path}: ${status} is described`);
  const type = String(reply.headers['content-type']).split(';')[0]!;
  const schema = described.content[type]?.schema;
  assert.ok(schema, `${path}: ${status} as ${type} is described`);
  const isRight = ajv.validate(schema, reply.json());
  assert.ok(isRight, `${path}: ${ajv.errorsText()}`);
}

const REQUESTS: Record<string, readonly (readonly [url: string, status: number])[]> = {
  '/api/v1/search': [
    ['?q=needle', 200],
    ['?q=needle&offset=3&limit=2', 200],
    ['', 400],
    ['?q=', 400],
    ['?q=a&limit=0', 400],
    ['?q=a&offset=999&limit=100', 400],
    ['?q=a&q=b', 400],
    ['?q=a&lang=de', 200],
    ['?q=a&lang=..%2f', 400],
    ['?q=a&cursor=%3Cb%3E', 400],
    [`?q=${'x'.repeat(2001)}`, 400],
  ],
  '/api/v1/suggest': [
    ['?q=nee', 200],
    ['?q=', 200],
    ['?q=nee&limit=21', 400],
    ['', 400],
  ],
  '/api/v1/images': [
    ['?q=needle', 200],
    ['?q=needle&family=none', 400],
    ['', 400],
  ],
  '/api/v1/answers': [
    ['?q=6*7', 200],
    ['?q=nothing', 200],
    ['?q=weather&latitude=38.7&longitude=-9.1', 200],
    ['?q=weather&latitude=91&longitude=0', 400],
    ['', 400],
  ],
  '/api/v1/status': [['', 200]],
  '/api/v1/admin/crawl': [['', 200]],
  '/api/v1/admin/fetch': [],
  '/api/v1/admin/urls': [],
  '/api/v1/admin/politeness': [['?format=xml', 400]],
  '/api/v1/admin/record': [['', 400]],
  '/api/v1/admin/wacz': [['', 400]],
  '/api/v1/admin/inspect': [
    ['?url=https://example.org/', 200],
    ['', 400],
  ],
  '/api/v1/admin/removals': [['', 200]],
};

/** Returns the routes of the JSON API, such as `GET /api/v1/search`. */
function routesOf(server: ReturnType<typeof serverWith>): string[] {
  const above: string[] = [];
  const routes = server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^(.*?)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, part);
      return methods.split(', ').map((method) => `${method} ${above.join('')}`);
    });
  return routes.filter((route) => /^(?!HEAD|OPTIONS)\w+ \/api\//.test(route)).sort();
}

test('the description is OpenAPI 3.1, and every response of every route matches it', async () => {
  const server = serverWith();
  const description: Description = (await server.inject('/openapi.json')).json();
  assert.equal(description.openapi, '3.1.0');
  assert.equal(description.security, undefined);
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), routesOf(server));
  assert.deepEqual(Object.keys(description.paths).sort(), Object.keys(REQUESTS).sort());
  for (const [path, requests] of Object.entries(REQUESTS)) {
    for (const [parameters, status] of requests) {
      const reply = await server.inject(`${path}${parameters}`);
      assert.equal(reply.statusCode, status, `${path}${parameters.slice(0, 50)}`);
      conforms(description, path, reply);
    }
  }
  await server.close();
});

test('crawl commands are described with their token', async () => {
  const server = serverWith({ adminToken: 'sesame', limits: { apiKeys: ['key'] } });
  const description: Description = (await server.inject('/openapi.json')).json();
  const path = '/api/v1/admin/crawl';
  for (const operation of Object.values(description.paths[path]!))
    assert.deepEqual(operation.security, [{ token: [] }]);
  const authorization = 'Bearer sesame';
  for (const [payload, sent, status] of [
    [{ action: 'pause' }, { authorization }, 202],
    [{ action: 'start' }, { authorization }, 409],
    [{ action: 'dance' }, { authorization }, 400],
    [{ action: 'pause' }, {}, 401],
  ] as const) {
    const headers = { 'content-type': 'application/json', ...sent };
    const reply = await server.inject({ method: 'POST', url: path, payload, headers });
    assert.equal(reply.statusCode, status);
    conforms(description, path, reply);
  }
  await server.close();
});

test('the API prefers the language of Accept-Language', async () => {
  const asked: SearchRequest[] = [];
  const search: Searcher['search'] = (request) => {
    asked.push(request);
    return searcher.search(request);
  };
  const server = serverWith({ searcher: { ...searcher, search } });
  const headers = { 'accept-language': 'de-AT, en;q=0.5' };
  const reply = await server.inject({ url: '/api/v1/search?q=a', headers });
  assert.match(String(reply.headers.vary), /accept-language/);
  await server.inject({ url: '/api/v1/search?q=a', headers: { 'accept-language': '*' } });
  assert.deepEqual(
    asked.map(({ preferredLanguage }) => preferredLanguage),
    ['de', undefined],
  );
});

test('a result has exactly the described fields', async () => {
  const search = async () => {
    const own = { ...RESULT, features: [1, 2] };
    return { query: 'a', total: 1, tookMs: 1, partial: false, notes: [], results: [own], kinds: ['html'] };
  };
  const server = serverWith({ searcher: { ...searcher, search } });
  const { results, ...rest } = (await server.inject('/api/v1/search?q=a')).json();
  assert.deepEqual(results, [RESULT]);
  assert.deepEqual(rest, { query: 'a', total: 1, tookMs: 1, partial: false, notes: [] });
  await server.close();
});

test('errors and overload are described too', async () => {
  const failing: Searcher = { ...searcher, search: () => Promise.reject(new Error('broken')) };
  const server = serverWith({ searcher: failing, limits: { perMinute: 1 } });
  const description: Description = (await server.inject('/openapi.json')).json();
  const ask = () => server.inject({ url: '/api/v1/search?q=a', remoteAddress: '192.0.2.1' });
  const replies = [await ask(), await ask()];
  assert.deepEqual(
    replies.map(({ statusCode }) => statusCode),
    [500, 429],
  );
  for (const reply of replies) conforms(description, '/api/v1/search', reply);
  await server.close();
});

test('suggestions have the requested number, also in the OpenSearch format', async () => {
  const server = serverWith();
  assert.equal((await server.inject('/api/v1/suggest?q=nee&limit=3')).json().suggestions.length, 3);
  const reply = await server.inject('/opensearch-suggest?q=nee');
  assert.equal(reply.headers['content-type'], 'application/x-suggestions+json; charset=utf-8');
  assert.deepEqual(reply.json()[0], 'nee');
  assert.equal(reply.json()[1].length, 8);
  const description = await server.inject('/opensearch.xml');
  assert.match(description.body, /rel="suggestions"[^>]*\/opensearch-suggest\?q={searchTerms}"/);
  await server.close();
});

test('suggestions exclude titles of blocked sites', async () => {
  const pages = ['a', 'b', 'c'].map((name) => ({ text: name, url: `https://${name}.example/` }));
  const suggest: Searcher['suggest'] = async (_prefix, limit) => pages.slice(0, limit);
  const secret = 'a secret for tests';
  const siteRules = [{ site: 'a.example', effect: 'block' }] as const;
  const limits = { origins: ['https://app.example'] };
  const server = serverWith({ searcher: { ...searcher, suggest }, secret, siteRules, limits });
  const rules = [{ site: 'b.example', effect: 'block' }] as const;
  const cookie = preferencesCookie({ ...NO_PREFERENCES, rules }, secret, false).split(';')[0]!;
  const texts = async (url: string, headers: Record<string, string>) => {
    const reply = await server.inject({ url, headers: { origin: 'https://app.example', ...headers } });
    assert.match(String(reply.headers.vary), url.startsWith('/api') ? /^Origin, cookie$/ : /^cookie$/);
    assert.match(String(reply.headers['cache-control']), /^private/);
    const body = reply.json();
    return Array.isArray(body) ? body[1] : body.suggestions.map(({ text }: { text: string }) => text);
  };
  for (const path of ['/api/v1/suggest', '/opensearch-suggest', '/suggest']) {
    assert.deepEqual(await texts(`${path}?q=x`, {}), ['b', 'c'], path);
    assert.deepEqual(await texts(`${path}?q=x`, { cookie }), ['c'], path);
  }
  await server.close();
});

test('a client over its limit gets Retry-After; IPv6 counts by /64, and loopback is exempt', async () => {
  const server = serverWith({ limits: { perMinute: 2 } });
  const ask = async (remoteAddress: string, url = '/search?q=a') => server.inject({ url, remoteAddress });
  await ask('2001:db8:1:2::1');
  await ask('2001:db8:1:2:ffff::9');
  const refused = await ask('2001:db8:1:2:3:4:5:6', '/search.atom?q=a');
  assert.equal(refused.statusCode, 429);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  assert.match(refused.body, /2 requests a minute/);
  assert.equal((await ask('2001:db8:1:3::1')).statusCode, 200);
  for (let round = 0; round < 4; round++) assert.equal((await ask('127.0.0.1')).statusCode, 200);
  assert.equal((await ask('2001:db8:1:2::1', '/healthz')).statusCode, 200);
  await server.close();
});

test('behind a listed proxy the client is the forwarded address', async () => {
  const server = serverWith({ limits: { perMinute: 1, proxies: ['192.0.2.9'] } });
  const ask = async (remoteAddress: string, client: string) =>
    (await server.inject({ url: '/search?q=a', remoteAddress, headers: { 'x-forwarded-for': client } }))
      .statusCode;
  assert.deepEqual(
    [await ask('192.0.2.9', '198.51.100.1'), await ask('192.0.2.9', '198.51.100.2')],
    [200, 200],
  );
  assert.deepEqual(
    [await ask('192.0.2.7', '198.51.100.3'), await ask('192.0.2.7', '198.51.100.4')],
    [200, 429],
  );
  await server.close();
});

test('with API keys the API requires one, and pages do not', async () => {
  const server = serverWith({ limits: { apiKeys: ['first', 'second'] } });
  const ask = async (headers: Record<string, string>) =>
    server.inject({ url: '/api/v1/search?q=a', headers });
  const refused = await ask({});
  assert.equal(refused.statusCode, 401);
  assert.equal(refused.json().code, 'key-needed');
  assert.equal(refused.headers['www-authenticate'], 'Bearer realm="gyre"');
  assert.equal((await ask({ authorization: 'Bearer wrong' })).statusCode, 401);
  assert.equal((await ask({ authorization: 'Bearer second' })).statusCode, 200);
  assert.equal((await ask({ 'x-api-key': 'first' })).statusCode, 200);
  assert.equal((await server.inject('/search?q=a')).statusCode, 200);
  assert.ok((await server.inject('/openapi.json')).json().security);
  await server.close();
});

test('wrong keys count against the limit of their client', async () => {
  const server = serverWith({ limits: { apiKeys: ['right'], perMinute: 2 } });
  const ask = async (key: string) => {
    const headers = { 'x-api-key': key };
    const reply = await server.inject({ url: '/api/v1/search?q=a', headers, remoteAddress: '192.0.2.1' });
    return reply.statusCode;
  };
  assert.deepEqual(
    [await ask('one'), await ask('two'), await ask('three'), await ask('right')],
    [401, 401, 429, 429],
  );
  await server.close();
});

test('allowed origins may use the API, also by preflight; others may not', async () => {
  const limits = { origins: ['https://app.example'], apiKeys: ['key'] };
  const server = serverWith({ limits });
  const preflight = await server.inject({
    method: 'OPTIONS',
    url: '/api/v1/search',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'GET' },
  });
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.headers['access-control-allow-origin'], 'https://app.example');
  const elsewhere = await server.inject({
    method: 'OPTIONS',
    url: '/search',
    headers: { 'x-api-key': 'key' },
  });
  assert.deepEqual([elsewhere.statusCode, elsewhere.headers.allow], [204, 'GET, HEAD, OPTIONS']);
  const headers = { origin: 'https://other.example', 'x-api-key': 'key' };
  const other = await server.inject({ url: '/api/v1/search?q=a', headers });
  assert.equal(other.headers['access-control-allow-origin'], undefined);
  const page = await server.inject({ url: '/search?q=a', headers: { origin: 'https://app.example' } });
  assert.equal(page.headers['access-control-allow-origin'], undefined);
  await server.close();
});

test('the feed of a tab has the results of the tab', async () => {
  const asked: SearchRequest[] = [];
  const search: Searcher['search'] = (request) => {
    asked.push(request);
    return searcher.search(request);
  };
  const server = serverWith({ searcher: { ...searcher, search } });
  assert.equal((await server.inject('/search.atom?q=tides&tab=news')).statusCode, 200);
  assert.ok(asked.some(({ order, query }) => order === 'newest' && query.includes('kind:news')));
  await server.close();
});

test('any results page has an Atom and an RSS feed with valid XML characters', async () => {
  const server = serverWith();
  const headers = { host: 'search.example' };
  const atom = await server.inject({ url: '/search.atom?q=a+%26+b', headers });
  assert.equal(atom.headers['content-type'], 'application/atom+xml; charset=utf-8');
  assert.match(
    atom.body,
    /<link rel="self" [^>]*href="http:\/\/search\.example\/search\.atom\?q=a%20%26%20b"\/>/,
  );
  assert.match(atom.body, /<title>Ärger &amp; &lt;b&gt;<\/title>/);
  assert.match(atom.body, /<summary>a needle in hay<\/summary>/);
  assert.match(atom.body, /<published>2024-02-29T00:00:00Z<\/published>/);
  const rss = await server.inject({ url: '/search.rss?q=a', headers });
  assert.equal(rss.headers['content-type'], 'application/rss+xml; charset=utf-8');
  assert.match(rss.body, /<pubDate>Thu, 29 Feb 2024 00:00:00 GMT<\/pubDate>/);
  assert.equal((await server.inject('/search.rss')).statusCode, 400);
  const filtered = await server.inject({ url: '/search.rss?q=a&lang=de', headers });
  assert.match(filtered.body, /<link>http:\/\/search\.example\/search\?q=a&amp;lang=de<\/link>/);
  const page = await server.inject({ url: '/search?q=a&lang=de', headers });
  for (const format of ['atom', 'rss'])
    assert.ok(page.body.includes(`href="/search.${format}?q=a&amp;lang=de"`), format);
  await server.close();
});

test('the feed of a tab has the same parameters as its page', async () => {
  const asked: SearchRequest[] = [];
  const search: Searcher['search'] = async ({ arrivedAt: _, isCancelled: __, ...request }) => {
    asked.push({ ...request, limit: 0 });
    return searcher.search(request);
  };
  const server = serverWith({ searcher: { ...searcher, search } });
  for (const tab of ['all', 'news', 'documents', 'products']) {
    await server.inject(`/search?q=a&tab=${tab}`);
    const forPage = asked.splice(0);
    await server.inject(`/search.atom?q=a&tab=${tab}&page=2`);
    assert.deepEqual(asked.splice(0), forPage);
  }
  await server.close();
});

test('every search has the arrival time of its request and knows if the client is connected', async () => {
  const asked: Arrival[] = [];
  const search: Searcher['search'] = async (request) => {
    asked.push(request);
    return searcher.search(request);
  };
  const explain: Searcher['explain'] = (_query, _url, arrival = {}) => {
    asked.push(arrival);
    return null;
  };
  let now = 1000;
  const clock = { now: () => now++ };
  const server = serverWith({ searcher: { ...searcher, search, explain }, clock });
  for (const path of ['/search', '/api/v1/search', '/search.atom', '/search.rss', '/why']) {
    const before = now;
    await server.inject(`${path}?q=a&tab=news&url=https://a.example/`);
    assert.ok(asked.length > 0, path);
    for (const { arrivedAt, isCancelled } of asked.splice(0))
      assert.deepEqual([arrivedAt, isCancelled?.()], [before, false], path);
  }
  await server.close();
});

test('a refused search is a 503 and is not logged as an error', async () => {
  const search = () => Promise.reject(new GyreError('overloaded', 'too many'));
  const errors: string[] = [];
  const log = { ...silentLog, error: (event: string) => errors.push(event) };
  const server = serverWith({ searcher: { ...searcher, search }, log });
  const reply = await server.inject('/api/v1/search?q=a');
  assert.deepEqual([reply.statusCode, reply.json().code, errors], [503, 'overloaded', []]);
  assert.equal(reply.headers['retry-after'], '1');
  await server.close();
});

test('a feed follows site rules, and its title has no direction marks', async () => {
  const asked: unknown[] = [];
  const search: Searcher['search'] = async (request) => {
    asked.push(request.siteRules);
    return searcher.search(request);
  };
  const siteRules = [{ site: 'spam.example', effect: 'block' }] as const;
  const server = serverWith({ searcher: { ...searcher, search }, siteRules });
  const { body } = await server.inject(`/search.rss?q=${encodeURIComponent('a\u202Eb')}`);
  assert.deepEqual(asked, [siteRules]);
  assert.match(body, /<title>ab · Gyre<\/title>/);
  await server.close();
});

test('the parameter lang limits a search to a language', async (t) => {
  const asked: string[] = [];
  const server = serverWith({
    searcher: {
      ...searcher,
      search: (request) => {
        asked.push(request.query);
        return searcher.search(request);
      },
    },
  });
  t.after(() => server.close());
  await server.inject('/api/v1/search?q=OR+b&lang=DE');
  assert.deepEqual(asked, ['lang:de or b']);
});
