import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { silentLog, systemClock } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { archiveOver } from '../cached/copies.fixture.ts';
import { createServer, listen } from '../server.ts';
import { type AdmissionLimits, AdmissionQueue } from './admission-queue.ts';
import { Refusals } from './refusals.ts';

function queueWith(limits: Partial<AdmissionLimits>) {
  const refusals = new Refusals('overload', silentLog);
  return { queue: new AdmissionQueue(limits, refusals), refusals };
}

async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await turn();
}

test('the queue bounds running and waiting requests, and admits in the order of arrival', async () => {
  const { queue, refusals } = queueWith({ maxRunning: 2, maxWaiting: 3 });
  const admitted: number[] = [];
  const admissions = [1, 2, 3].map((number) => {
    const admission = queue.enter('a');
    void admission.isAdmitted.then((isAdmitted) => admitted.push(isAdmitted ? number : 0));
    return admission;
  });
  assert.equal(await queue.enter('a').isAdmitted, false);
  assert.equal(refusals.total, 1);
  await turns();
  assert.deepEqual([admitted, queue.running, queue.waiting], [[1, 2], 2, 1]);
  admissions[0]!.leave();
  admissions[0]!.leave();
  await turns();
  assert.deepEqual([admitted, queue.running, queue.waiting], [[1, 2, 3], 2, 0]);
  for (const admission of admissions) admission.leave();
  assert.equal(queue.running, 0);
});

test('a waiting request is refused when its time is over, although no slot becomes free', async () => {
  const { queue, refusals } = queueWith({ maxRunning: 1, maxWaitMs: 30 });
  assert.equal(await queue.enter('a').isAdmitted, true);
  assert.equal(await queue.enter('b').isAdmitted, false);
  assert.deepEqual([refusals.total, queue.waiting], [1, 0]);
});

test('work that never ends loses its slot', async () => {
  const { queue } = queueWith({ maxRunning: 1, maxRunMs: 30 });
  assert.equal(await queue.enter('a').isAdmitted, true);
  assert.equal(await queue.enter('b').isAdmitted, true);
});

test('a client with many requests has some of the slots, and other clients are not refused', async () => {
  const { queue, refusals } = queueWith({ maxRunning: 4, maxRunningPerClient: 2, maxWaiting: 4 });
  const greedy = Array.from({ length: 6 }, () => queue.enter('greedy'));
  await turns();
  assert.deepEqual([queue.running, queue.waiting, refusals.total], [2, 2, 2]);
  const more = [queue.enter('greedy'), queue.enter('greedy')];
  const modest = queue.enter('modest');
  assert.equal(refusals.total, 3);
  assert.equal(await modest.isAdmitted, true);
  assert.equal(await more[1]!.isAdmitted, false, 'the newest of the longest line makes room');
  for (const admission of [...greedy, ...more, modest]) admission.leave();
  assert.deepEqual([queue.running, queue.waiting], [0, 0]);
});

/** Makes a searcher that blocks the event loop for `workMs`, as a search in this process does. */
function busySearcher(workMs: number): Searcher {
  return {
    async search({ query }) {
      const until = performance.now() + workMs;
      while (performance.now() < until);
      return { query, total: 0, tookMs: workMs, partial: false, notes: [], results: [] };
    },
    stats: () => ({ docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 }),
    close() {},
  };
}

/**
 * Opens `size` connections, then sends a request on all of them at the same moment. Returns the replies.
 */
async function crowd(server: Server, size: number, path: string): Promise<string[]> {
  const { port } = server.address() as AddressInfo;
  const sockets = Array.from({ length: size }, () => connect(port, '127.0.0.1'));
  await Promise.all([...sockets.map((socket) => once(socket, 'connect')), accepted(server, size)]);
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  return Promise.all(sockets.map((socket) => textOf(socket)));
}

function accepted(server: Server, size: number): Promise<void> {
  let count = 0;
  return new Promise((resolve) => {
    server.on('connection', () => {
      if (++count === size) resolve();
    });
  });
}

const COMMON = { version: '', contact: '', clock: systemClock, log: silentLog };

test('requests beyond the queue get 503 and Retry-After, and admitted ones get their responses', async (t) => {
  const server = createServer({ ...COMMON, searcher: busySearcher(10), limits: { maxQueuedRequests: 8 } });
  t.after(() => server.close());
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const replies = await crowd(server.server, 100, '/api/v1/search?q=a');
  const refused = replies.filter((reply) => reply.startsWith('HTTP/1.1 503 '));
  const answered = replies.filter((reply) => reply.startsWith('HTTP/1.1 200 '));
  assert.equal(refused.length + answered.length, 100);
  assert.ok(answered.length >= 8, `${answered.length} are answered`);
  assert.ok(refused.length > 0, 'some are refused');
  for (const reply of refused) assert.match(reply, /retry-after: 1\r\n.*"code":"overloaded"/is);
  const pages = await crowd(server.server, 50, '/search?q=a');
  const shed = pages.filter((reply) => reply.startsWith('HTTP/1.1 503 '));
  assert.ok(shed.length > 0 && shed.length < 50, 'pages are shed likewise');
  for (const reply of shed)
    assert.match(reply, /content-type: text\/plain.*retry-after: 1|retry-after: 1.*text\/plain/is);
  const later = await fetch(`${address}/search?q=a`);
  assert.equal(later.status, 200, 'afterwards there is room again');
  await later.text();
  assert.match(
    await (await fetch(`${address}/metrics`)).text(),
    /gyre_http_refused_total\{reason="overload"\} [1-9]/,
  );
});

test('copies of pages wait in the same queue', async (t) => {
  const { search } = busySearcher(10);
  const archive = archiveOver({
    copies(url) {
      void search({ query: url, offset: 0, limit: 1 });
      return [];
    },
    read: () => null,
  });
  const server = createServer({
    ...COMMON,
    searcher: busySearcher(1),
    archive,
    limits: { maxQueuedRequests: 8 },
  });
  t.after(() => server.close());
  await listen(server, { host: '127.0.0.1', port: 0 });
  for (const path of ['/cached', '/cached/copy', '/cached/compare']) {
    const replies = await crowd(server.server, 50, `${path}?url=https%3A%2F%2Fexample.org%2F`);
    const shed = replies.filter((reply) => reply.startsWith('HTTP/1.1 503 '));
    assert.ok(shed.length > 0 && shed.length < 50, `${path}: ${shed.length} of 50 are refused`);
    for (const reply of shed) assert.match(reply, /retry-after: 1\r\n/i);
  }
});

test('disconnected clients leave the queue and start no more searches than there are slots', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const searcher = busySearcher(0);
  let started = 0;
  const search: Searcher['search'] = async (request) => {
    started++;
    await released;
    return searcher.search(request);
  };
  const server = createServer({
    ...COMMON,
    searcher: { ...searcher, search },
    limits: { maxQueuedRequests: 40 },
  });
  t.after(() => server.close());
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  for (let round = 0; round < 100; round++) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /search?q=a HTTP/1.1\r\nHost: a\r\n\r\n');
    await turn();
    socket.destroy();
  }
  const countConnections = promisify(server.server.getConnections.bind(server.server));
  while ((await countConnections()) > 0) await turn();
  await turns();
  assert.ok(started <= 16, `${started} are running`);
  release();
  const reply = await fetch(`${address}/search?q=a`);
  assert.equal(reply.status, 200);
  await reply.text();
});
