import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Log, type LogFields, silentLog, systemClock } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { createServer } from '../server.ts';

function serverOf(context: TestContext, proxies: string[] = []) {
  const logged: [event: string, fields: LogFields][] = [];
  const note = (event: string, fields: LogFields = {}) => void logged.push([event, fields]);
  const log: Log = { ...silentLog, debug: note, error: note };
  const stats = () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 });
  const search = () => Promise.reject(new Error('broken'));
  const searcher = { stats, search, close() {} } as unknown as Searcher;
  const common = { searcher, version: '1', contact: '', clock: systemClock, log };
  const server = createServer({ ...common, limits: { proxies } });
  context.after(() => server.close());
  const get = async (url: string, sent?: string) => {
    const headers = { host: '127.0.0.1', ...(sent !== undefined && { 'x-request-id': sent }) };
    const reply = await server.inject({ url, headers });
    return String(reply.headers['x-request-id']);
  };
  return { get, logged };
}

test('each reply has an identifier of its own, also an error, and the log has the same', async (context) => {
  const { get, logged } = serverOf(context);
  const ids = [await get('/healthz'), await get('/nowhere'), await get('/api/v1/search?q=a')];
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^[\w-]{12}$/);
  const failure = logged.find(([event]) => event === 'request failed');
  assert.equal(failure?.[1].request, ids[2]);
  const answered = logged.filter(([event]) => event === 'request answered').map(([, fields]) => fields);
  assert.deepEqual(
    answered.map(({ request, status, route }) => [request, status, route]),
    [
      [ids[0], 200, '/healthz'],
      [ids[1], 404, undefined],
      [ids[2], 500, '/api/v1/search'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(answered), /q=a|127\.0\.0\.1/, 'neither queries nor addresses');
});

test('only a proxy may choose the identifier, and only a plain one', async (context) => {
  assert.notEqual(await serverOf(context).get('/healthz', 'mine'), 'mine');
  const { get } = serverOf(context, ['127.0.0.1']);
  assert.equal(await get('/healthz', 'proxy-1.a'), 'proxy-1.a');
  for (const sent of ['a b', '"', 'x'.repeat(65)]) assert.notEqual(await get('/healthz', sent), sent);
});
