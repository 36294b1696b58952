import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ReadablePage } from '../../answer/mod.ts';
import { silentLog, systemClock } from '../../base/mod.ts';
import type { SiteRule } from '../../url/mod.ts';
import { NO_LIMITS } from '../guards/guards.ts';
import type { ServeLimits } from '../server-context.ts';
import { createMcpHttp } from './http.ts';
import { answerMessage, type McpServer } from './protocol.ts';
import { serveLines } from './stdio.ts';
import { mcpServer } from './tools.ts';

const PAGE: ReadablePage = {
  title: 'Gyres',
  text: 'x'.repeat(25_000),
  items: [],
  facts: [],
  entries: [],
  fetchedAt: Date.UTC(2026, 0, 2),
};

function serverOf(siteRules: readonly SiteRule[] = []): McpServer {
  return mcpServer({
    siteRules,
    searcher: {
      async search({ query, limit, siteRules: rules = [], perHost, collapse }) {
        assert.deepEqual({ perHost, collapse }, { perHost: 2, collapse: true });
        if (query === 'broken') throw new Error('seg-7 is damaged');
        const result = { url: 'https://a.example/', title: 'Gyres', snippet: 'turning', host: 'a.example' };
        const rest = { highlights: [], score: 1, fetchedAt: '2026-01-02T00:00:00.000Z' };
        const results = Array.from({ length: Math.min(limit, 3) }, () => ({ ...result, ...rest }));
        const notes = rules.map(
          ({ site, effect }) => ({ code: 'plain-words', values: { text: `${effect} ${site}` } }) as const,
        );
        const spelling = { query: 'gyre', automatic: query === 'gryegrye' };
        return {
          ...{ query, total: 3, tookMs: 1, partial: false, notes, results },
          ...(query.startsWith('grye') && { spelling }),
        };
      },
    },
    pages: {
      async read(url) {
        if (url === 'https://late.example/') return { kind: 'late' };
        return url === 'https://a.example/' ? { kind: 'page', page: PAGE } : { kind: 'none' };
      },
    },
    log: silentLog,
    version: '9.8.7',
  });
}

interface Reply {
  result: {
    protocolVersion: string;
    capabilities: object;
    serverInfo: { version: string };
    tools: { name: string; outputSchema: object }[];
    content: { text: string }[];
    structuredContent: { results: unknown[]; spelling?: object };
    isError: boolean;
  };
  error: { code: number };
}

async function ask(method: string, params: object = {}): Promise<Reply> {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const reply = await answerMessage(serverOf(), message);
  assert.equal(reply?.id, 1);
  return reply as unknown as Reply;
}

const call = async (name: string, input: object) =>
  (await ask('tools/call', { name, arguments: input })).result;

test('initialize agrees on a common revision or offers the newest', async () => {
  const client = { capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  for (const [asked, given] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    const { result } = await ask('initialize', { protocolVersion: asked, ...client });
    assert.equal(result.protocolVersion, given);
    assert.deepEqual(result.capabilities, { tools: {} });
    assert.equal(result.serverInfo.version, '9.8.7');
  }
  assert.deepEqual((await ask('ping')).result, {});
});

test('search returns text and the same data by its schema', async () => {
  const { result } = await ask('tools/list');
  assert.deepEqual(
    result.tools.map(({ name }) => name),
    ['search', 'read_page'],
  );
  const answer = await call('search', { query: 'gyre', limit: 2 });
  assert.equal(answer.isError, false);
  assert.match(
    answer.content[0]!.text,
    /^3 results\n1\. Gyres\n {3}https:\/\/a\.example\/ \(fetched 2026-01-02\)/,
  );
  const ajv = new Ajv2020();
  assert.ok(ajv.validate(result.tools[0]!.outputSchema, answer.structuredContent), ajv.errorsText());
  assert.equal(answer.structuredContent.results.length, 2);
});

test('search returns the correction of a query', async () => {
  const offered = await call('search', { query: 'grye' });
  assert.match(offered.content[0]!.text, /^3 results\nDid you mean: gyre\n1\./);
  const taken = await call('search', { query: 'gryegrye' });
  assert.match(taken.content[0]!.text, /^3 results\nNo results as typed; these are results for: gyre\n1\./);
  assert.deepEqual(taken.structuredContent.spelling, { query: 'gyre', automatic: true });
  const { result } = await ask('tools/list');
  const ajv = new Ajv2020();
  assert.ok(ajv.validate(result.tools[0]!.outputSchema, taken.structuredContent), ajv.errorsText());
});

test('site rules of the operator apply to MCP searches', async () => {
  const message =
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"a"}}}';
  const reply = await answerMessage(serverOf([{ site: 'spam.example', effect: 'block' }]), message);
  assert.match(
    (reply as unknown as Reply).result.content[0]!.text,
    /^Read as plain words: block spam\.example$/m,
  );
});

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const _meta = { [VERSION]: '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };

test('a request with a revision needs no initialize, and its result names the server', async () => {
  const found = (await ask('server/discover', { _meta })).result as unknown as Record<string, unknown>;
  assert.deepEqual(found.supportedVersions, ['2026-07-28', '2025-11-25', '2025-06-18']);
  assert.deepEqual(found.capabilities, { tools: {} });
  const listed = (await ask('tools/list', { _meta })).result as unknown as Record<string, unknown>;
  for (const result of [found, listed]) {
    assert.deepEqual([result.resultType, result.ttlMs, result.cacheScope], ['complete', 3_600_000, 'public']);
    const { name } = (result._meta as Record<string, { name: string }>)[
      'io.modelcontextprotocol/serverInfo'
    ]!;
    assert.equal(name, 'gyre');
  }
  const called = await ask('tools/call', { _meta, name: 'search', arguments: { query: 'a' } });
  const result = called.result as unknown as Record<string, unknown>;
  assert.deepEqual([result.resultType, result.isError, result.ttlMs], ['complete', false, undefined]);
});

test('missing request metadata is an error, and removed methods are unknown', async () => {
  const code = async (method: string, params: object) => (await ask(method, params)).error.code;
  const unknown = await ask('tools/list', { _meta: { ..._meta, [VERSION]: '1999-01-01' } });
  assert.equal(unknown.error.code, -32022);
  assert.deepEqual((unknown.error as unknown as { data: object }).data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18'],
    requested: '1999-01-01',
  });
  assert.equal(await code('tools/list', { _meta: { [VERSION]: '2026-07-28' } }), -32602);
  assert.equal(await code('server/discover', {}), -32602);
  assert.equal(await code('ping', { _meta }), -32601);
  assert.equal(await code('initialize', { _meta }), -32601);
});

test('a long page is read in parts', async () => {
  const first = await call('read_page', { url: 'https://a.example/' });
  assert.match(first.content[0]!.text, /^Gyres\n.*\(5000 more characters: continue with start 20000\)$/s);
  const second = await call('read_page', { url: 'https://a.example/', start: 20_000 });
  assert.match(second.content[0]!.text, /\n\nx{5000}$/);
});

test('wrong arguments and internal errors are results of the tool', async () => {
  for (const [name, input] of [
    ['search', {}],
    ['search', { query: ' ' }],
    ['search', { query: 'a', limit: 51 }],
    ['search', { query: 'a', offset: -1 }],
    ['read_page', { url: 'nonsense' }],
    ['read_page', { url: 'https://elsewhere.example/' }],
    ['read_page', { url: 'https://late.example/' }],
    ['read_page', { url: 'https://a.example/', start: 1.5 }],
    ['search', { query: 'broken' }],
  ] as const) {
    const { isError, content } = await call(name, input);
    assert.equal(isError, true, JSON.stringify(input));
    assert.doesNotMatch(content[0]!.text, /seg-7/);
  }
});

test('a violation of the protocol is an error with its code', async () => {
  const code = async (text: string) => (await answerMessage(serverOf(), text))?.error?.code;
  assert.equal(await code('{'), -32700);
  assert.equal(await code('[]'), -32600);
  assert.equal(await code('{"id":1,"method":"ping"}'), -32600);
  assert.equal(await code('{"jsonrpc":"2.0","id":null,"method":"ping"}'), -32600);
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"method":"nothing"}'), -32601);
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}'), -32602);
  assert.equal((await ask('tools/call', { name: 'rm' })).error.code, -32602);
});

test('over stdio each line is a message, notifications get no reply, and the end of input ends the server', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const served = serveLines(serverOf(), input, output).then(() => output.end());
  input.write('{"jsonrpc":"2.0","id":"a","method":"ping"}\n\n');
  input.write(
    '{"jsonrpc":"2.0","method":"notifications/initialized"}\n{"jsonrpc":"2.0","id":7,"result":{}}\n',
  );
  input.end(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"a"}}}',
  );
  const lines = (await textOf(output)).trimEnd().split('\n');
  await served;
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).id),
    ['a', 2],
  );
});

function httpWith(limits: Partial<ServeLimits> = {}) {
  return createMcpHttp(serverOf(), {
    ...{ publicUrl: '', isLocal: true, log: silentLog, clock: systemClock },
    limits: { ...NO_LIMITS, ...limits },
  });
}

async function post(body: string, headers: Record<string, string> = {}, limits: Partial<ServeLimits> = {}) {
  const http = httpWith(limits);
  const address = await http.listen({ host: '127.0.0.1', port: 0 });
  try {
    const accept = 'application/json, text/event-stream';
    const all = { 'content-type': 'application/json', accept, ...headers };
    const reply = await fetch(`${address}/mcp`, { method: 'POST', body, headers: all });
    const text = await reply.text();
    return { status: reply.status, body: text === '' ? null : JSON.parse(text) };
  } finally {
    await http.close();
  }
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

test('over HTTP a request gets JSON, a notification is accepted, and invalid input is refused', async () => {
  assert.deepEqual(await post(PING), { status: 200, body: { jsonrpc: '2.0', id: 1, result: {} } });
  const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  assert.deepEqual(await post(notification), { status: 202, body: null });
  assert.equal((await post('{')).status, 400);
  assert.equal((await post(PING, { 'content-type': 'text/plain' })).status, 415);
  assert.equal((await post(`"${'x'.repeat(70_000)}"`)).status, 413);
  assert.equal((await post(PING, { 'mcp-protocol-version': '2025-11-25' })).status, 200);
  assert.equal((await post(PING, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
});

test('over HTTP the headers must match the body, and the status matches the error', async () => {
  const body = (method: string, params: object = {}) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } });
  const headers = (method: string, name?: string): Record<string, string> => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  });
  const outcome = async (text: string, sent: Record<string, string>) => {
    const reply = await post(text, sent);
    return [reply.status, reply.body.error?.code ?? 0];
  };
  const call = body('tools/call', { name: 'search', arguments: { query: 'a' } });
  const encoded = `=?base64?${Buffer.from('search').toString('base64')}?=`;
  assert.deepEqual(await outcome(body('tools/list'), headers('tools/list')), [200, 0]);
  assert.deepEqual(await outcome(call, headers('tools/call', 'search')), [200, 0]);
  assert.deepEqual(await outcome(call, headers('tools/call', encoded)), [200, 0]);
  assert.deepEqual(await outcome(call, headers('tools/call', 'read_page')), [400, -32020]);
  assert.deepEqual(await outcome(call, headers('tools/call')), [400, -32020]);
  assert.deepEqual(await outcome(call, headers('tools/list', 'search')), [400, -32020]);
  assert.deepEqual(await outcome(call, {}), [400, -32020]);
  assert.deepEqual(await outcome(body('nothing'), headers('nothing')), [404, -32601]);
  assert.deepEqual(await outcome(PING, headers('ping')), [400, -32602]);
  assert.deepEqual(await outcome(PING, { 'mcp-protocol-version': '1999-01-01' }), [400, -32022]);
});

test('foreign origins are refused, and a key is required if keys are configured', async () => {
  const origin = 'https://app.example';
  assert.equal((await post(PING, { origin })).status, 403);
  assert.equal((await post(PING, { origin }, { origins: [origin] })).status, 200);
  assert.equal((await post(PING, {}, { apiKeys: ['key'] })).status, 401);
  assert.equal((await post(PING, { authorization: 'Bearer key' }, { apiKeys: ['key'] })).status, 200);
});

test('over HTTP the guards of the search page apply', async () => {
  const http = httpWith({ perMinute: 1 });
  const send = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    http.inject({
      ...{ method: 'POST', url: '/mcp', payload: PING, remoteAddress },
      headers: { 'content-type': 'application/json', host: 'localhost', ...headers },
    });
  assert.equal((await send({})).statusCode, 200);
  assert.equal((await send({ host: 'rebound.example' })).statusCode, 421);
  assert.equal((await send({}, '192.0.2.1')).statusCode, 200);
  assert.equal((await send({}, '192.0.2.1')).statusCode, 429);
  const { requestTimeout, headersTimeout, timeout } = http.server;
  assert.deepEqual([requestTimeout, headersTimeout, timeout], [30_000, 10_000, 10_000]);
  await http.close();
});

test('GET is refused, because there is no stream', async () => {
  const http = httpWith();
  const reply = await http.inject({ method: 'GET', url: '/mcp' });
  assert.deepEqual([reply.statusCode, reply.headers.allow], [405, 'POST']);
  await http.close();
});
