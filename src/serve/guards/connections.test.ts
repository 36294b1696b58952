import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import Fastify from 'fastify';
import { silentLog, systemClock } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { createServer, listen } from '../server.ts';
import { type ConnectionLimits, Connections, connectionOptions, guardConnections } from './connections.ts';
import { Refusals } from './refusals.ts';

/** A body with more bytes than the kernel buffers for a client that reads nothing. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');

async function serverWith(context: TestContext, limits: Partial<ConnectionLimits>) {
  const refusals = new Refusals('connection', silentLog);
  const connections = new Connections(refusals, limits);
  const server = Fastify(connectionOptions(limits));
  guardConnections(server, connections);
  const working = { now: 0, most: 0, total: 0 };
  server.get('/large', async () => LARGE);
  server.get('/work', async () => {
    working.total++;
    working.most = Math.max(working.most, ++working.now);
    await turn();
    working.now--;
    return 'done';
  });
  server.post('/body', async () => 'read');
  server.get('/long', async () => {
    await sleep(600);
    return 'done';
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  context.after(() => {
    server.server.closeAllConnections();
    return server.close();
  });
  const { port } = server.server.address() as AddressInfo;
  return { connections, refusals, working, open: () => openTo(context, port) };
}

function openTo(context: TestContext, port: number): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  context.after(() => socket.destroy());
  return socket;
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('pipelined requests are worked on one after another and answered in order', async (context) => {
  const { working, open } = await serverWith(context, { maxUnanswered: 8 });
  const socket = open();
  socket.write(get('/work').repeat(8));
  let text = '';
  socket.on('data', (bytes) => (text += bytes));
  while (text.split('done').length < 9) await once(socket, 'data');
  assert.deepEqual([working.most, working.total], [1, 8]);
  socket.write(get('/work'));
  await once(socket, 'data');
});

test('a connection with too many unanswered requests is closed, and its requests cost nothing more', async (context) => {
  const { working, refusals, open } = await serverWith(context, { maxUnanswered: 8 });
  const socket = open();
  socket.write(get('/work').repeat(300));
  socket.resume();
  await once(socket, 'close');
  assert.deepEqual([refusals.total, working.total], [1, 1]);
});

test('a connection whose client reads nothing is closed, even if it continues sending', async (context) => {
  const { connections, open } = await serverWith(context, { stalledMs: 300 });
  const silent = open().pause();
  const sending = open().pause();
  silent.write(get('/large'));
  sending.write(get('/large'));
  while (connections.unreadBytes < 2 * 8 * 1024 * 1024) await sleep(10);
  const drip = setInterval(() => sending.write('G'), 50);
  context.after(() => clearInterval(drip));
  while (connections.unreadBytes > 0) await sleep(20);
});

test('a request that takes the server long is answered', async (context) => {
  const { open } = await serverWith(context, { stalledMs: 200 });
  const socket = open();
  socket.write(get('/long'));
  const [reply] = await once(socket, 'data', { signal: AbortSignal.timeout(10_000) });
  assert.match(String(reply), /^HTTP\/1\.1 200 /);
});

test('a client that reads slowly but steadily gets the whole reply', async (context) => {
  const { open } = await serverWith(context, { stalledMs: 300 });
  const socket = open();
  socket.write(`${get('/large')}${get('/work')}`);
  let received = 0;
  let last = '';
  for await (const bytes of socket) {
    received += bytes.length;
    last = String(bytes.subarray(-4));
    if (received % 8 === 0) await sleep(1);
    if (received > LARGE.length && last === 'done') break;
  }
  assert.ok(received > LARGE.length);
});

test('unread replies take bounded memory: the slowest connection is closed', async (context) => {
  const { connections, refusals, open } = await serverWith(context, { maxUnreadBytes: 50 * 1024 * 1024 });
  const sockets = Array.from({ length: 6 }, () => open().pause());
  for (const socket of sockets) {
    socket.write(get('/large'));
    const before = connections.unreadBytes;
    while (connections.unreadBytes <= before && refusals.total === 0) await sleep(5);
  }
  while (refusals.total === 0) await sleep(10);
  assert.ok(connections.unreadBytes <= 50 * 1024 * 1024, `${connections.unreadBytes} bytes`);
});

test('a body that arrives slowly is cut off with 408', async (context) => {
  const { open } = await serverWith(context, { requestMs: 300, headersMs: 300 });
  const socket = open();
  socket.write(
    'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n',
  );
  const drip = setInterval(() => socket.write(' '), 50);
  context.after(() => clearInterval(drip));
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 408 /);
  clearInterval(drip);
  // Waits without `once`, which rejects if the connection was reset because a byte arrived after the reply.
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
});

/** Makes a searcher whose response has more bytes than the kernel buffers. */
function largeSearcher(): Searcher {
  const results = [
    {
      ...{ url: 'https://a.example/', title: 'A', snippet: 'x'.repeat(4 * 1024 * 1024), highlights: [] },
      ...{ host: 'a.example', score: 1, fetchedAt: '2026-01-02T00:00:00.000Z' },
    },
  ];
  return {
    search: async ({ query }) => ({
      ...{ query, total: 1, tookMs: 1, partial: false, notes: [] },
      results: query === 'large' ? results : [],
    }),
    stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 }),
    close() {},
  };
}

test('searches are answered while 20 clients read nothing of their replies', async (context) => {
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({ ...common, searcher: largeSearcher() });
  context.after(() => server.close());
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  for (let count = 0; count < 20; count++)
    openTo(context, port).pause().write(get('/api/v1/search?q=large').repeat(2));
  await sleep(100);
  for (let probe = 0; probe < 5; probe++) {
    const reply = await fetch(`${address}/search?q=small`);
    assert.equal(reply.status, 200);
    await reply.text();
  }
});
