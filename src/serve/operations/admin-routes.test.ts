import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock, UsageError } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { createServer } from '../server.ts';
import { recordingTools } from './admin-tools.fixture.ts';
import type { AdminTools } from './mod.ts';

const HEADERS = { host: '127.0.0.1:8080' };

function serverWith(context: TestContext, adminToken = '') {
  const asked: object[] = [];
  const tools: AdminTools = {
    ...recordingTools(),
    inspect: async (request) => {
      asked.push(request);
      if (request.url === 'mailto:x') throw new UsageError('bad-url', '"mailto:x" is not a web address');
      return { url: request.url, cause: { code: 'found' }, visits: [], more: { any: 1 } };
    },
    removals: async () => ({ settled: true, removed: [] }),
    change: async (request) => {
      asked.push(request);
      return { at: '2026-01-02T03:04:05.678Z', rules: request.targets, nearDuplicates: [], notes: ['done'] };
    },
  };
  const searcher = { stats: () => ({}), close() {} } as unknown as Searcher;
  const common = { searcher, version: '0', contact: '', log: silentLog, clock: systemClock };
  const server = createServer({ ...common, tools, directoryTools: recordingTools(), adminToken });
  context.after(() => server.close());
  return { server, asked };
}

test('a URL is inspected with a query', async (context) => {
  const { server, asked } = serverWith(context);
  const url = '/api/v1/admin/inspect?url=https%3A%2F%2Fexample.org%2F&query=boats&below=3';
  const response = await server.inject({ url, headers: HEADERS });
  assert.equal(response.statusCode, 200);
  assert.deepEqual(response.json().more, { any: 1 }, 'all facts are sent');
  assert.deepEqual(asked, [{ url: 'https://example.org/', query: 'boats', below: 3 }]);
});

test('a wrong URL and a missing one are problems of the request', async (context) => {
  const { server } = serverWith(context);
  const wrong = await server.inject({ url: '/api/v1/admin/inspect?url=mailto:x', headers: HEADERS });
  assert.equal(wrong.statusCode, 400);
  assert.match(wrong.json().detail, /is not a web address/);
  const missing = await server.inject({ url: '/api/v1/admin/inspect', headers: HEADERS });
  assert.equal(missing.statusCode, 400);
});

test('a removal is accepted, and names the client for the audit log', async (context) => {
  const { server, asked } = serverWith(context);
  const payload = { action: 'remove', targets: ['https://example.org/a'], purge: true };
  const response = await server.inject({
    method: 'POST',
    url: '/api/v1/admin/removals',
    headers: HEADERS,
    remoteAddress: '127.0.0.1',
    payload,
  });
  assert.equal(response.statusCode, 202);
  assert.deepEqual(response.json().rules, payload.targets);
  assert.deepEqual(asked, [{ ...payload, who: 'http:127.0.0.1' }]);
  const list = await server.inject({ url: '/api/v1/admin/removals', headers: HEADERS });
  assert.deepEqual(list.json(), { settled: true, removed: [] });
});

test('a removal without targets, or with an unknown action, is refused', async (context) => {
  const { server, asked } = serverWith(context);
  for (const payload of [
    { action: 'remove', targets: [] },
    { action: 'delete', targets: ['a.example'] },
  ]) {
    const url = '/api/v1/admin/removals';
    const response = await server.inject({ method: 'POST', url, headers: HEADERS, payload });
    assert.equal(response.statusCode, 400);
  }
  assert.deepEqual(asked, []);
});

test('strangers, pages of other sites, forms and wrong tokens may neither inspect nor remove', async (context) => {
  const attacks: [string, Record<string, string>, string, number][] = [
    ['another machine', {}, '192.0.2.1', 403],
    ['a proxy', { 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1', 403],
    ['a foreign name', { host: 'evil.example' }, '127.0.0.1', 403],
    ['a page of another site', { 'sec-fetch-site': 'cross-site' }, '127.0.0.1', 403],
    ['a foreign origin', { origin: 'https://evil.example' }, '127.0.0.1', 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, '127.0.0.1', 415],
  ];
  const { server, asked } = serverWith(context);
  const payload = '{"action":"remove","targets":["example.org"]}';
  for (const [name, headers, remoteAddress, status] of attacks) {
    const all = { ...HEADERS, 'content-type': 'application/json', ...headers };
    const request = { method: 'POST' as const, url: '/api/v1/admin/removals', payload };
    assert.equal((await server.inject({ ...request, headers: all, remoteAddress })).statusCode, status, name);
    if (status !== 403) continue;
    const url = '/api/v1/admin/inspect?url=https://example.org/';
    assert.equal((await server.inject({ url, headers: all, remoteAddress })).statusCode, 403, name);
  }
  const guarded = serverWith(context, 'sesame');
  const url = '/api/v1/admin/removals';
  const without = await guarded.server.inject({ url, headers: HEADERS });
  assert.equal(without.statusCode, 401);
  const headers = { ...HEADERS, authorization: 'Bearer wrong' };
  assert.equal((await guarded.server.inject({ url, headers })).statusCode, 401);
  const right = { ...HEADERS, authorization: 'Bearer sesame' };
  assert.equal((await guarded.server.inject({ url, headers: right })).statusCode, 200);
  assert.deepEqual([...asked, ...guarded.asked], []);
});
