import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../base/mod.ts';
import { MESSAGE_LANGUAGES } from './messages/words.ts';
import { createServer } from './server.ts';
import { testSite } from './server-context.fixture.ts';
import type { ServeOptions } from './server-context.ts';

function serverWith(context: TestContext, options: Partial<ServeOptions> = {}) {
  const { searcher } = testSite();
  const common = { searcher, version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({ ...common, ...options });
  context.after(() => server.close());
  return server;
}

const FAULTS: [what: string, status: number, request: { url: string; method?: 'POST'; payload?: string }][] =
  [
    ['a number', 400, { url: '/search?q=a&page=0' }],
    ['a choice', 400, { url: '/search?q=a&tab=x' }],
    ['a host', 400, { url: '/search?q=a&site=%20%3A' }],
    ['a language', 400, { url: '/search?q=a&lang=x' }],
    ['a parameter given twice', 400, { url: '/search?q=a&q=b' }],
    ['a long query', 400, { url: `/search?q=${'x'.repeat(2001)}` }],
    ['no query', 400, { url: '/search.atom' }],
    ['no address of a page', 400, { url: '/cached?url=x' }],
    ['a broken address', 400, { url: '/%' }],
    ['nothing there', 404, { url: '/nowhere' }],
    ['the wrong method', 405, { url: '/search?q=a', method: 'POST' }],
    ['no rule', 400, { url: '/preferences/rule', method: 'POST', payload: 'rule=x' }],
    ['no site', 400, { url: '/preferences/rules', method: 'POST', payload: 'site-0=%20%3A&effect-0=block' }],
    ['an empty file', 400, { url: '/preferences/rules/file', method: 'POST', payload: 'file=' }],
    ['a bad line', 400, { url: '/preferences/rules/file', method: 'POST', payload: 'file=hide+x' }],
    ['too much', 413, { url: '/preferences/rules', method: 'POST', payload: 'x'.repeat(70_000) }],
    ['a fault of ours', 500, { url: '/search?q=a' }],
  ];

for (const [what, status, { method = 'GET', ...request }] of FAULTS) {
  test(`the error is in the language of the page: ${what}`, async (context) => {
    const server = serverWith(context);
    const details = new Set<string>();
    for (const { tag } of MESSAGE_LANGUAGES) {
      const headers = { 'accept-language': tag, 'content-type': 'application/x-www-form-urlencoded' };
      const reply = await server.inject({ ...request, method, headers });
      assert.equal(reply.statusCode, status);
      assert.doesNotMatch(reply.body, /<p lang="en"/);
      details.add(/<h1>.*<\/h1>\n<p>(.*)<\/p>/.exec(reply.body)![1]!);
    }
    assert.equal(details.size, MESSAGE_LANGUAGES.length);
  });
}

test('rate limit and overload errors are in the language of the client, with Retry-After', async (context) => {
  const limited = serverWith(context, { limits: { perMinute: 1 } });
  const crowded = serverWith(context, { limits: { maxQueuedRequests: 0 } });
  const headers = { 'accept-language': 'de' };
  const ask = () => limited.inject({ url: '/cached?url=x', headers, remoteAddress: '192.0.2.1' });
  await ask();
  const refused = await ask();
  assert.equal(refused.statusCode, 429);
  assert.match(refused.body, /Je Minute sind 1 Anfragen erlaubt\. Bitte warten Sie \d+ Sekunden\./);
  assert.ok(Number(refused.headers['retry-after']) > 0);
  const shed = await crowded.inject({ url: '/search?q=a', headers });
  assert.equal(shed.statusCode, 503);
  assert.match(shed.body, /^Der Server ist überlastet/);
  assert.equal(shed.headers['content-language'], 'de');
  assert.equal(shed.headers['retry-after'], '1');
});

test('foreign text in an error cannot change the direction of the sentence', async (context) => {
  const server = serverWith(context);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = `file=${encodeURIComponent('\u202Ehide \u2066<b>')}`;
  const { body } = await server.inject({ method: 'POST', url: '/preferences/rules/file', headers, payload });
  assert.match(body, /<bdi>&quot;hide &lt;b&gt;&quot;<\/bdi>/);
});

test('a 405 response lists the allowed methods', async (context) => {
  const server = serverWith(context);
  const ask = async (method: 'OPTIONS' | 'DELETE', url: string) => {
    const { statusCode, headers } = await server.inject({ method, url });
    return [statusCode, headers.allow];
  };
  assert.deepEqual(await ask('OPTIONS', '/search?q=a'), [204, 'GET, HEAD, OPTIONS']);
  assert.deepEqual(await ask('DELETE', '/search'), [405, 'GET, HEAD, OPTIONS']);
  assert.deepEqual(await ask('DELETE', '/api/v1/search'), [405, 'GET, HEAD, OPTIONS']);
  assert.deepEqual(await ask('DELETE', '/preferences'), [405, 'GET, HEAD, OPTIONS, POST']);
  assert.deepEqual(await ask('DELETE', '/icon/a.example'), [405, 'GET, HEAD, OPTIONS']);
  assert.deepEqual(await ask('OPTIONS', '/nowhere'), [404, undefined]);
});

test('a client with the current content gets 304', async (context) => {
  const search = async () => ({ query: '', total: 0, tookMs: 1, partial: false, notes: [], results: [] });
  const server = serverWith(context, { searcher: { ...testSite().searcher, search } });
  for (const url of [
    '/search.atom?q=a',
    '/opensearch.xml',
    '/favicon.svg',
    '/icon/a.example',
    '/openapi.json',
  ]) {
    const { etag, ...first } = (await server.inject(url)).headers;
    assert.match(String(etag), /^"[\w-]{22}"$/, url);
    const again = async (known: string) => server.inject({ url, headers: { 'if-none-match': known } });
    const same = await again(`"other", W/${etag}`);
    assert.deepEqual([same.statusCode, same.body], [304, ''], url);
    assert.equal(same.headers['cache-control'], first['cache-control']);
    assert.equal((await again('"other"')).statusCode, 200, url);
  }
});
