/**
 * Tests with responses that are small in bytes but expensive to process. An honest host that is crawled at the same
 * time must not become slower.
 */
import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fetchAll, fetcherFor, listening } from './fetcher.fixture.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n';
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
/** Endless responses: the head is sent once, and the block is repeated until the client closes the connection. */
const ENDLESS: Record<string, [head: string, block: string, reason: string]> = {
  chunks: [CHUNKED, '1\r\nx\r\n'.repeat(10_000), 'too many small chunks'],
  extensions: [CHUNKED, `1;${'e'.repeat(60_000)}\r\nx\r\n`, 'too many bytes around the body'],
  interim: [
    '',
    `HTTP/1.1 103 Early Hints\r\nlink: ${'a'.repeat(3_000)}\r\n\r\n`,
    'too many interim responses',
  ],
  'status line': ['HTTP/1.1 200 ', 'x'.repeat(60_000), 'headers too large'],
  'blank lines': ['', '\r\n'.repeat(30_000), 'headers too large'],
  headers: [HEAD, 'x: y\r\n'.repeat(10_000), 'headers too large'],
  trailers: [`${CHUNKED}0\r\n`, 'x: y\r\n'.repeat(10_000), 'too many bytes around the body'],
};

function serve(socket: Socket, path: string): void {
  const [head, block] = ENDLESS[decodeURIComponent(path.slice(1))] ?? [];
  if (block === undefined) {
    socket.write(`${HEAD}content-length: 6\r\n\r\nhonest`);
    return;
  }
  const send = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', send).write(head!);
  send();
}

async function start(context: TestContext) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (request) => serve(socket, request.toString().split(' ')[1]!));
  });
  const port = await listening(context, server);
  context.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  const fetcher = fetcherFor(context, { maxBodyBytes: 1_000_000 });
  return {
    ask: (host: string, path: string) => fetchAll(fetcher, `http://${host}.test:${port}/${path}`),
    received: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
  };
}

for (const [name, [, , reason]] of Object.entries(ENDLESS)) {
  test(`endless ${name}: the request fails soon, and honest pages are fetched meanwhile`, async (context) => {
    const { ask, received } = await start(context);
    let isOver = false;
    const attack = Promise.all(['a', 'b', 'c'].map((host) => ask(host, encodeURIComponent(name))));
    void attack.then(() => (isOver = true));
    for (let pages = 0; pages < 3 || !isOver; pages++) {
      const page = await ask('honest', String(pages));
      assert.ok(page.kind === 'response' && page.payload.toString() === 'honest');
    }
    for (const outcome of await attack) {
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual([outcome.reason, outcome.retry], [reason, false]);
    }
    assert.ok(received() < 3 * 6_000_000, `${received()} bytes`);
  });
}

test('a page that is written in many small chunks is received', async (context) => {
  const line = `${'a'.repeat(63)}\n`;
  const server = createHttpServer((_, response) => {
    for (let count = 0; count < 15_000; count++) response.write(line);
    response.end();
  });
  const port = await listening(context, server);
  const fetcher = fetcherFor(context, { maxBodyBytes: 1_000_000 });
  const outcome = await fetchAll(fetcher, `http://a.test:${port}/`);
  assert.ok(outcome.kind === 'response');
  assert.equal(outcome.payload.toString(), line.repeat(15_000));
});
