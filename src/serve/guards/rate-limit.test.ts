import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Log, silentLog, systemClock } from '../../base/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import type { ServeOptions } from '../server-context.ts';
import { clientOf, isLoopbackClient, RateLimit } from './rate-limit.ts';
import { Refusals } from './refusals.ts';

test('a client is an IPv4 address or the first 64 bits of an IPv6 address', () => {
  assert.equal(clientOf('192.0.2.1'), '192.0.2.1');
  assert.equal(clientOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(clientOf('::ffff:c000:201'), '192.0.2.1');
  assert.equal(clientOf('::1'), '::1');
  assert.ok(!isLoopbackClient(clientOf('::2')) && isLoopbackClient(clientOf('::ffff:7f00:1')));
  for (const ip of ['2001:db8::1', '2001:DB8:0:0:ffff::9', '2001:0db8:0000:0000:1:2:3:4', '2001:db8::'])
    assert.equal(clientOf(ip), '2001:db8:0:0::', ip);
  assert.equal(clientOf('2001:db8:0:1::1'), '2001:db8:0:1::');
});

test('a limit counts per client and minute, and drops the oldest of too many clients', () => {
  let now = 0;
  const refusals = new Refusals('rate-limit', silentLog);
  const limit = new RateLimit(2, refusals, { now: () => now });
  const headers: Record<string, unknown> = {};
  const reply = { header: (name: string, value: unknown) => (headers[name] = value) };
  const take = (ip: string) => limit.take({ ip } as FastifyRequest, reply as unknown as FastifyReply);
  assert.deepEqual([take('a'), take('a'), take('b')], [null, null, null]);
  now = 15_000;
  assert.equal(take('a')?.status, 429);
  assert.equal(headers['retry-after'], 45);
  assert.equal(refusals.total, 1);
  for (let count = 0; count < 20_000; count++) assert.equal(take(`c${count}`), null);
  assert.equal(take('a'), null, 'forgotten');
  now = 60_000;
  assert.equal(take('b'), null);
});

test('refusals are logged at once, and then in one line a minute', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: unknown[] = [];
  const refusals = new Refusals('rate-limit', { ...silentLog, warn: (_event, fields) => lines.push(fields) });
  for (let count = 0; count < 3000; count++) refusals.count('192.0.2.1');
  assert.deepEqual(lines, [{ reason: 'rate-limit', client: '192.0.2.1', requests: 1 }]);
  context.mock.timers.tick(60_000);
  assert.deepEqual(lines.slice(1), [{ reason: 'rate-limit', client: 'several', requests: 2999 }]);
  context.mock.timers.tick(60_000);
  assert.equal(lines.length, 2);
  assert.equal(refusals.total, 3000);
});

function serverWith(context: TestContext, options: Partial<ServeOptions> = {}) {
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({ ...common, searcher: testSite().searcher, ...options });
  context.after(() => server.close());
  return server;
}

for (const path of ['/', '/icon/a.example', '/nowhere', '/%', '/preferences', '/metrics', '/favicon.svg']) {
  test(`requests for ${path} are limited to ten times the search limit`, async (context) => {
    const server = serverWith(context, { limits: { perMinute: 1 } });
    const ask = async () => (await server.inject({ url: path, remoteAddress: '192.0.2.1' })).statusCode;
    for (let count = 0; count < 10; count++) assert.notEqual(await ask(), 429);
    assert.equal(await ask(), 429);
    assert.notEqual((await server.inject({ url: path })).statusCode, 429, 'this machine is exempt');
  });
}

test('wrong admin tokens and keys soon get 429, also from this machine; missing ones do not', async (context) => {
  const lines: unknown[] = [];
  const log: Log = { ...silentLog, warn: (event, fields) => lines.push([event, fields?.reason]) };
  const control = { act: () => null };
  const limits = { apiKeys: ['right'] };
  const server = serverWith(context, { control, adminToken: 'right', limits, log, allowsAdminHttp: true });
  for (const url of ['/api/v1/admin/crawl', '/api/v1/status']) {
    const ask = async (token: string, remoteAddress = '127.0.0.1') => {
      const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
      return (await server.inject({ url, remoteAddress, headers })).statusCode;
    };
    for (let count = 0; count < 20; count++) assert.equal(await ask(''), 401);
    const replies: number[] = [];
    for (let count = 0; count < 100; count++) replies.push(await ask(`wrong${count}`));
    assert.deepEqual(new Set(replies.slice(0, 10)), new Set([401]));
    assert.deepEqual(new Set(replies.slice(10)), new Set([429]));
    assert.equal(await ask('right'), 429, 'guessing on is of no use');
    assert.equal(await ask('right', '192.0.2.1'), 200);
  }
  assert.deepEqual(lines, [
    ['requests refused', 'wrong-token'],
    ['requests refused', 'wrong-key'],
  ]);
});
