import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../base/mod.ts';
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { AddressGuard, LOOPBACK } from './address-guard.ts';
import { fetcherFor, listening } from './fetcher.fixture.ts';
import { Fetcher } from './fetcher.ts';
import { Resolver } from './resolver.ts';

const routes: Record<string, RequestListener> = {
  '/page': (request, response) => {
    response.setHeader('content-type', 'text/html');
    response.setHeader('set-cookie', ['a=1', 'b=2']);
    response.end(`<p>${request.headers['user-agent']} at ${request.headers.host}</p>`);
  },
  '/gzip': (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('squeezed')),
  '/image': (_, response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).write(Buffer.alloc(1000)),
  '/announced': (_, response) => response.writeHead(200, { 'content-length': 1e9 }).write('x'),
  '/endless': (_, response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(20_000)), 1);
    response.on('close', () => clearInterval(timer));
  },
  '/dripping': (_, response) => {
    const timer = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(timer));
  },
  '/dripping-headers': (request) => {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => request.socket.write('x: y\r\n'), 50);
    request.socket.on('error', () => {}).on('close', () => clearInterval(timer));
  },
  '/many-headers': (_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(200_000) }).end(),
  '/hanging': (_, response) => response.writeHead(200).write('x'),
  '/silent': () => {},
  '/moved': (_, response) => response.writeHead(301, { location: '/page' }).end(),
  '/broken': (request) => request.socket.destroy(),
};

const server = createServer((request, response) => routes[request.url!]!(request, response));
let port = 0;

before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

const fetchers: Fetcher[] = [];
after(async () => {
  for (const fetcher of fetchers) await fetcher.close();
  server.closeAllConnections();
  server.close();
});

function fetcher(allowed: string[] = LOOPBACK, timeLimitMs = 60_000): Fetcher {
  const guard = new AddressGuard(allowed);
  const resolver = new Resolver({ '*.test': '127.0.0.1' }, guard, systemClock);
  const limits = { timeLimitMs, maxBodyBytes: 100_000 };
  const made = new Fetcher({ userAgent: 'Gyre/test', guard, resolver, clock: systemClock, ...limits });
  fetchers.push(made);
  return made;
}

const at = (path: string, host = 'a.test'): CanonicalUrl => canonicalize(`http://${host}:${port}${path}`)!;
const anything = () => true;

test('a response has its headers, body and IP address', async () => {
  const outcome = await fetcher().fetch(at('/page'), anything);
  assert.ok(outcome.kind === 'response');
  assert.equal(outcome.status, 200);
  assert.equal(outcome.payload.toString(), `<p>Gyre/test at a.test:${port}</p>`);
  assert.deepEqual(outcome.headers.get('set-cookie'), ['a=1', 'b=2']);
  assert.equal(outcome.ipAddress, '127.0.0.1');
  assert.match(outcome.requestHead, /^GET \/page HTTP\/1\.1\r\nhost: a\.test:\d+\r\nuser-agent: Gyre\/test/);
});

test('a compressed body is returned unchanged', async () => {
  const outcome = await fetcher().fetch(at('/gzip'), anything);
  assert.ok(outcome.kind === 'response');
  assert.deepEqual(outcome.payload, gzipSync('squeezed'));
});

test('a redirect is reported, not followed', async () => {
  const outcome = await fetcher().fetch(at('/moved'), anything);
  assert.ok(outcome.kind === 'response');
  assert.equal(outcome.headers.get('location')?.[0], '/page');
});

test('a response of an unwanted type is abandoned after its headers', async () => {
  const outcome = await fetcher().fetch(at('/image'), (_, type) => type === 'text/html');
  assert.ok(outcome.kind === 'abandoned');
  assert.equal(outcome.contentType, 'image/png');
});

test('the connection stays open after a short body of an unwanted type', async (context) => {
  let connections = 0;
  const server = createServer((request, response) => {
    const isShort = request.url === '/short';
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': isShort ? 5_000 : 50_000 });
    response.end(Buffer.alloc(isShort ? 5_000 : 50_000));
  }).on('connection', () => connections++);
  const port = await listening(context, server);
  const own = fetcherFor(context);
  const get = (path: string) => own.fetch(canonicalize(`http://a.test:${port}${path}`)!, () => false);
  for (const path of ['/short', '/short', '/short', '/long', '/short'])
    assert.partialDeepStrictEqual(await get(path), { kind: 'abandoned', contentType: 'image/png' });
  assert.equal(connections, 2);
});

const failures: [path: string, reason: RegExp, retry: boolean][] = [
  ['/announced', /^too large$/, false],
  ['/endless', /^too large$/, false],
  ['/hanging', /^timeout$/, true],
  ['/dripping', /^timeout$/, true],
  ['/dripping-headers', /^timeout$/, true],
  ['/many-headers', /^headers too large$/, false],
  ['/silent', /^timeout$/, true],
  ['/broken', /^connection broken/, true],
];

for (const [path, reason, retry] of failures) {
  test(`${path.slice(1)}: the request ends with a reason`, async () => {
    const limitMs = reason.test('timeout') ? 1000 : 60_000;
    const outcome = await fetcher(LOOPBACK, limitMs).fetch(at(path), anything);
    assert.ok(outcome.kind === 'failed');
    assert.match(outcome.reason, reason);
    assert.equal(outcome.retry, retry);
  });
}

test('a request can have its own size limit and its own Accept header', async () => {
  const small = await fetcher().fetch(at('/page'), anything, { maxBodyBytes: 10 });
  assert.ok(small.kind === 'failed' && small.reason === 'too large');
  const wish = await fetcher().fetch(at('/page'), anything, { headers: { accept: 'image/png' } });
  assert.ok(wish.kind === 'response');
  assert.match(wish.requestHead, /accept: image\/png/);
  assert.doesNotMatch(wish.requestHead, /text\/html/);
});

test('a closed port gives the reason of the failure', async () => {
  const refused = await fetcher().fetch('http://a.test:1/' as CanonicalUrl, anything);
  assert.ok(refused.kind === 'failed');
  assert.equal(refused.reason, 'connection refused');
});

test('a refused address gets no connection, as a name, as a literal or in another notation', async () => {
  let connections = 0;
  const witness = createTcpServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => witness.listen(0, '127.0.0.1', resolve));
  const { port: watched } = witness.address() as AddressInfo;
  const guarded = fetcher([]);
  for (const host of [
    'a.test',
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '127.1',
    '[::ffff:127.0.0.1]',
    'localhost',
  ]) {
    const outcome = await guarded.fetch(canonicalize(`http://${host}:${watched}/`)!, anything);
    assert.ok(outcome.kind === 'failed', host);
    assert.equal(outcome.reason, 'address not allowed', host);
    assert.equal(outcome.retry, false);
    assert.equal(outcome.isLasting, true);
  }
  assert.equal(connections, 0);
  await new Promise((resolve) => witness.close(resolve));
});

test('a name that resolves differently after the check gets no request', async () => {
  let heard = '';
  const witness = createTcpServer((socket) => {
    socket.on('data', (chunk) => (heard += chunk.toString())).on('error', () => {});
  });
  await new Promise<void>((resolve) => witness.listen(0, '127.0.0.1', resolve));
  const { port: watched } = witness.address() as AddressInfo;
  const answers: Resolver['lookup'] = (_, __, callback) =>
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  const resolver = Object.assign(new Resolver({}, new AddressGuard([]), systemClock), { lookup: answers });
  const limits = { timeLimitMs: 60_000, maxBodyBytes: 100_000 };
  const guarded = new Fetcher({
    userAgent: 'Gyre/test',
    guard: new AddressGuard([]),
    resolver,
    clock: systemClock,
    ...limits,
  });
  fetchers.push(guarded);
  const outcome = await guarded.fetch(canonicalize(`http://rebinding.example:${watched}/`)!, anything);
  assert.ok(outcome.kind === 'failed');
  assert.equal(outcome.reason, 'address not allowed');
  assert.equal(heard, '');
  await new Promise((resolve) => witness.close(resolve));
});

test('a request waits while none may be sent, also if this changes after it was queued', async (context) => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end();
  });
  const origin = `http://a.test:${await listening(context, server)}`;
  // The fetcher asks for the first answer, and the request asks for the second when it is about to be sent.
  const answers = [true, false, false, true];
  const fetcher = fetcherFor(context, { mayFetch: () => answers.shift() ?? true });
  const outcome = await fetcher.fetch(`${origin}/late` as CanonicalUrl, () => true);
  assert.equal(outcome.kind, 'response');
  assert.deepEqual([requests, answers], [['/late'], []]);
});

test('a request that waits ends when the fetcher is closed', async (context) => {
  const fetcher = fetcherFor(context, { mayFetch: () => false });
  const waiting = fetcher.fetch('http://a.test/' as CanonicalUrl, () => true);
  await fetcher.close();
  assert.equal((await waiting).kind, 'failed');
});
