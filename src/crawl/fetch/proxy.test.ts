import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { AddressGuard } from './address-guard.ts';
import { fetchAll, fetcherFor, listening } from './fetcher.fixture.ts';

interface Proxy {
  address: string;
  /** The CONNECT requests that the proxy received: target host and credentials. */
  log: { target: string; credentials: string }[];
}

/** Starts a proxy that resolves every name to loopback and responds to CONNECT with the status `answer`. */
async function startProxy(context: TestContext, answer = 200): Promise<Proxy> {
  const log: Proxy['log'] = [];
  const server = createServer();
  server.on('connect', (request, socket) => {
    log.push({ target: request.url!, credentials: request.headers['proxy-authorization'] ?? '' });
    socket.on('error', () => {});
    if (answer !== 200) {
      socket.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
      return;
    }
    const beyond = connect(Number(request.url!.split(':').at(-1)), '127.0.0.1');
    beyond.on('error', () => socket.destroy());
    beyond.on('connect', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
    beyond.pipe(socket).pipe(beyond);
    context.after(() => socket.destroy());
  });
  return { address: `http://gyre:secret@127.0.0.1:${await listening(context, server)}`, log };
}

test('with a proxy, every request goes through it and the proxy resolves the host', async (context) => {
  const port = await listening(
    context,
    createServer((request, response) => response.end(`for ${request.headers.host}`)),
  );
  const proxy = await startProxy(context);
  const fetcher = fetcherFor(context, { proxy: proxy.address, guard: new AddressGuard([]) });
  const outcome = await fetchAll(fetcher, `http://nowhere.example:${port}/`);
  assert.ok(outcome.kind === 'response', JSON.stringify(outcome));
  assert.equal(outcome.payload.toString(), `for nowhere.example:${port}`);
  assert.doesNotMatch(outcome.requestHead, /proxy|secret/i);
  const credentials = `Basic ${Buffer.from('gyre:secret').toString('base64')}`;
  assert.deepEqual(proxy.log, [{ target: `nowhere.example:${port}`, credentials }]);
});

test('refused IP addresses in URLs are not sent to the proxy', async (context) => {
  const proxy = await startProxy(context);
  const fetcher = fetcherFor(context, { proxy: proxy.address, guard: new AddressGuard([]) });
  for (const host of ['127.0.0.1', '2130706433', '[::1]', '169.254.169.254', 'localhost', 'a.localhost']) {
    const outcome = await fetchAll(fetcher, `http://${host}:81/`);
    assert.ok(outcome.kind === 'failed', host);
    assert.equal(outcome.reason, 'address not allowed', host);
  }
  assert.deepEqual(proxy.log, []);
});

test('a refusing proxy and an unreachable proxy are failures of the request', async (context) => {
  const refusing = fetcherFor(context, { proxy: (await startProxy(context, 403)).address });
  const absent = fetcherFor(context, { proxy: 'http://127.0.0.1:1' });
  for (const fetcher of [refusing, absent]) {
    const outcome = await fetchAll(fetcher, 'http://a.test/');
    assert.ok(outcome.kind === 'failed' && outcome.retry);
  }
});
