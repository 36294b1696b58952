import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import type { ServeOptions } from '../server-context.ts';

function serverOf(options: Partial<ServeOptions>) {
  const { searcher } = testSite();
  const search = async () => ({ query: 'a', total: 0, tookMs: 1, partial: false, notes: [], results: [] });
  const common = { version: '1', contact: '', log: silentLog, clock: systemClock };
  return createServer({ ...common, searcher: { ...searcher, search }, ...options });
}

const FROM_PROXY = { host: 'search.example', 'x-forwarded-proto': 'https' };

test('behind a trusted TLS proxy, URLs begin with https', async () => {
  const believed = serverOf({ limits: { proxies: ['127.0.0.1'] } });
  const strange = serverOf({ limits: { proxies: ['10.0.0.1'] } });
  for (const url of ['/opensearch.xml', '/search.atom?q=a', '/search.rss?q=a']) {
    assert.match((await believed.inject({ url, headers: FROM_PROXY })).body, /https:\/\/search\.example\//);
    assert.match((await strange.inject({ url, headers: FROM_PROXY })).body, /"?http:\/\/search\.example\//);
  }
});

test('serve.publicUrl is used for any requested host and makes cookies secure', async () => {
  const server = serverOf({ publicUrl: 'https://search.example' });
  const { body } = await server.inject({ url: '/opensearch.xml', headers: { host: '10.1.2.3:8080' } });
  assert.match(body, /template="https:\/\/search\.example\/search\?q=/);
  assert.doesNotMatch(body, /10\.1\.2\.3/);
  const saved = await server.inject({
    ...{ method: 'POST', url: '/preferences', payload: 'scheme=dark' },
    headers: { host: 'search.example', 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.match(String(saved.headers['set-cookie']), /; Secure/);
});

test('a request with two Host headers is refused', async (context) => {
  const server = serverOf({});
  context.after(() => server.close());
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const ask = async (hosts: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET /search?q=a HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    return (await textOf(socket)).slice(9, 12);
  };
  assert.equal(await ask('Host: a.example\r\nhost: b.example\r\n'), '400');
  assert.equal(await ask('Host: a.example\r\n'), '200');
});

test('an engine that knows its host names refuses others', async () => {
  const status = async (options: Partial<ServeOptions>, host: string) =>
    (await serverOf(options).inject({ url: '/search?q=a', headers: { host } })).statusCode;
  const local = { isLocal: true };
  for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080', '192.168.1.5'])
    assert.equal(await status(local, host), 200, host);
  assert.equal(await status(local, 'rebound.example:8080'), 421);
  const named = { publicUrl: 'https://search.example' };
  assert.equal(await status(named, 'search.example'), 200);
  assert.equal(await status(named, 'SEARCH.example:443'), 200);
  assert.equal(await status(named, 'rebound.example'), 421);
  assert.equal(await status({}, 'any.example'), 200);
});
