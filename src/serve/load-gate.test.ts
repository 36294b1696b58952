import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Server } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { silentLog, systemClock } from '../base/mod.ts';
import type { Searcher } from '../query/mod.ts';
import { LoadGate } from './load-gate.ts';
import { createServer, listen, type PageArchive } from './mod.ts';

test('no more run than may, no more wait than may, and the first to come is the first to go in', async () => {
  const gate = new LoadGate({ maxRunning: 2, maxWaiting: 3 });
  const entered: number[] = [];
  for (const number of [1, 2, 3]) void gate.enter().then((isIn) => entered.push(isIn ? number : 0));
  assert.equal(await gate.enter(), false);
  assert.equal(gate.refused, 1);
  for (let turns = 0; turns < 5; turns++) await turn();
  assert.deepEqual([entered, gate.running, gate.waiting], [[1, 2], 2, 1]);
  gate.leave();
  await turn();
  assert.deepEqual([entered, gate.running, gate.waiting], [[1, 2, 3], 2, 0]);
});

test('who has waited too long when the turn comes is refused, and the next goes in', async () => {
  const gate = new LoadGate({ maxRunning: 1, maxWaiting: 9, maxWaitMs: 50 });
  assert.equal(await gate.enter(), true);
  const late = gate.enter();
  await sleep(60);
  const next = gate.enter();
  gate.leave();
  assert.deepEqual(await Promise.all([late, next]), [false, true]);
  assert.equal(gate.refused, 1);
});

/** Works without a pause, as a search of this process does. */
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

/** So many connections, and then a request on each of them at the same moment. */
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

test('a crowd gets 503 and Retry-After at once, and those let in get their answers', async (t) => {
  const server = createServer({
    ...{ searcher: busySearcher(10), version: '', contact: '', clock: systemClock, log: silentLog },
    limits: { queue: 8 },
  });
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
});

test('copies of pages stand behind the same gate', async (t) => {
  const { search } = busySearcher(10);
  const archive: PageArchive = {
    copies(url) {
      void search({ query: url, offset: 0, limit: 1 });
      return [];
    },
    read: () => null,
    picture: () => null,
  };
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const server = createServer({ ...common, searcher: busySearcher(1), archive, limits: { queue: 8 } });
  t.after(() => server.close());
  await listen(server, { host: '127.0.0.1', port: 0 });
  for (const path of ['/cached', '/cached/copy', '/cached/compare']) {
    const replies = await crowd(server.server, 50, `${path}?url=https%3A%2F%2Fexample.org%2F`);
    const shed = replies.filter((reply) => reply.startsWith('HTTP/1.1 503 '));
    assert.ok(shed.length > 0 && shed.length < 50, `${path}: ${shed.length} of 50 are refused`);
    for (const reply of shed) assert.match(reply, /retry-after: 1\r\n/i);
  }
});

test('those who go away before their answer leave their place', async (t) => {
  const searcher = busySearcher(1);
  const server = createServer({
    ...{ version: '', contact: '', clock: systemClock, log: silentLog },
    searcher: { ...searcher, search: () => new Promise(() => {}) },
    limits: { queue: 1 },
  });
  t.after(() => server.close());
  const address = await listen(server, { host: '127.0.0.1', port: 0 });
  // Far more than may run at once: without leaving, the gate would be shut before the end.
  for (let round = 0; round < 40; round++) {
    const error = await fetch(`${address}/search?q=a`, { signal: AbortSignal.timeout(15) }).then(
      (reply) => reply.status,
      (reason: Error) => reason.name,
    );
    assert.equal(error, 'TimeoutError', `round ${round}`);
  }
});
