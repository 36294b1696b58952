import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock, UsageError } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { createServer } from '../server.ts';
import type { ClusterTools } from './mod.ts';

const HEADERS = { host: '127.0.0.1:8080' };
const CLUSTER = '/api/v1/admin/cluster';

function serverWith(context: TestContext, changes: Partial<ClusterTools> = {}, adminToken = '') {
  const done: unknown[] = [];
  const clusterTools: ClusterTools = {
    state: async () => ({ name: 'web', problems: [], nodes: [{ node: 'a', roles: ['crawl'] }] }),
    act: async (action) => void done.push(action),
    apply: async (settings) => done.push(settings) > 0,
    deadLetters: async () => [{ reason: 'rejected' }],
    settleDeadLetters: async (action) => done.push(action),
    ...changes,
  };
  const searcher = { stats: () => ({}), close() {} } as unknown as Searcher;
  const common = { searcher, version: '0', contact: '', log: silentLog, clock: systemClock };
  const server = createServer({ ...common, clusterTools, adminToken });
  context.after(() => server.close());
  const post = (url: string, payload: object) =>
    server.inject({ method: 'POST', url, headers: HEADERS, payload });
  return { server, done, post };
}

test('the state of the cluster and its dead letters are served', async (context) => {
  const { server } = serverWith(context);
  const state = await server.inject({ url: CLUSTER, headers: HEADERS });
  assert.deepEqual(state.json().nodes, [{ node: 'a', roles: ['crawl'] }]);
  const letters = await server.inject({ url: `${CLUSTER}/dead-letters`, headers: HEADERS });
  assert.deepEqual(letters.json(), { letters: [{ reason: 'rejected' }] });
});

test('commands and settings are passed on, and unknown ones are refused', async (context) => {
  const { done, post } = serverWith(context);
  assert.equal((await post(CLUSTER, { action: 'pause' })).statusCode, 202);
  const settings = { seeds: ['https://example.org/'], crawl: { delay: '2s', rules: ['+ *'] } };
  assert.deepEqual((await post(`${CLUSTER}/settings`, settings)).json(), { changed: true });
  assert.equal((await post(`${CLUSTER}/dead-letters`, { action: 'resend' })).statusCode, 200);
  assert.deepEqual(done, ['pause', settings, 'resend']);
  assert.equal((await post(CLUSTER, { action: 'explode' })).statusCode, 400);
  assert.equal((await post(`${CLUSTER}/settings`, { seeds: 'x' })).statusCode, 400);
});

test('a wrong setting is a problem of the request, and a service that is away is none', async (context) => {
  const failing = (code: string) => async () => {
    throw new UsageError(code, 'what to do');
  };
  const { post, server } = serverWith(context, {
    apply: failing('bad-setting'),
    deadLetters: failing('service-unreachable'),
  });
  const wrong = await post(`${CLUSTER}/settings`, { seeds: [], crawl: {} });
  assert.deepEqual([wrong.statusCode, wrong.json().detail], [400, 'what to do']);
  const away = await server.inject({ url: `${CLUSTER}/dead-letters`, headers: HEADERS });
  assert.equal(away.statusCode, 503);
});

test('the routes need the admin token, and do not exist without a cluster', async (context) => {
  const { server } = serverWith(context, {}, 'secret-token');
  assert.equal((await server.inject({ url: CLUSTER, headers: HEADERS })).statusCode, 401);
  const searcher = { stats: () => ({}), close() {} } as unknown as Searcher;
  const alone = createServer({ searcher, version: '0', contact: '', log: silentLog, clock: systemClock });
  context.after(() => alone.close());
  assert.equal((await alone.inject({ url: CLUSTER, headers: HEADERS })).statusCode, 404);
});
