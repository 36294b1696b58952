import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import type { Searcher } from '../../query/mod.ts';
import { createServer } from '../server.ts';
import type { ServeOptions } from '../server-context.ts';

const ADDRESS = '/api/v1/admin/crawl';
const TOKEN = 'open sesame'.replace(' ', '-');

function serverWith(context: TestContext, adminToken: string, options: Partial<ServeOptions> = {}) {
  const acted: string[] = [];
  const control = {
    act(action: string) {
      acted.push(action);
      return action === 'start' ? 'The crawl is running already.' : null;
    },
  };
  const searcher = { stats: () => ({}), close() {} } as unknown as Searcher;
  const common = { searcher, version: '0', contact: '', log: silentLog, clock: systemClock };
  const server = createServer({ ...common, control, adminToken, ...options });
  context.after(() => server.close());
  const post = (
    headers: Record<string, string>,
    payload = '{"action":"pause"}',
    remoteAddress = '127.0.0.1',
  ) =>
    server.inject({
      method: 'POST',
      url: ADDRESS,
      remoteAddress,
      payload,
      headers: { host: '127.0.0.1:8080', 'content-type': 'application/json', ...headers },
    });
  return { acted, post, server };
}

test('a program on this machine may pause and resume the crawl', async (context) => {
  const { acted, post, server } = serverWith(context, '');
  const reply = await post({});
  assert.equal(reply.statusCode, 202);
  assert.deepEqual(reply.json(), { action: 'pause', crawl: null });
  assert.equal((await post({ host: 'localhost:8080' }, '{"action":"resume"}')).statusCode, 202);
  assert.deepEqual(acted, ['pause', 'resume']);
  const status = await server.inject({ url: ADDRESS, headers: { host: 'localhost' } });
  assert.deepEqual(status.json(), { crawl: null });
});

test('without a token, any sign of a proxy closes the routes', async (context) => {
  const signs =
    'Via X-Real-IP Forwarded X-Forwarded-Host X-Forwarded-Proto CF-Connecting-IP CF-Ray True-Client-IP'
      .split(' ')
      .concat('X-Client-IP', 'Fastly-Client-IP', 'X-Envoy-External-Address', 'CDN-Loop', 'X-Original-URL');
  const { acted, post } = serverWith(context, '');
  for (const name of signs) assert.equal((await post({ [name]: '1.1 proxy' })).statusCode, 403, name);
  const publicly = serverWith(context, '', { publicUrl: 'https://search.example' });
  assert.equal((await publicly.post({})).statusCode, 403);
  const proxied = serverWith(context, '', { limits: { proxies: ['192.0.2.9'] } });
  assert.equal((await proxied.post({})).statusCode, 403);
  assert.deepEqual([acted, publicly.acted, proxied.acted], [[], [], []]);
  const withToken = serverWith(context, TOKEN, { publicUrl: 'https://search.example' });
  const bearer = { authorization: `Bearer ${TOKEN}`, via: '1.1 proxy', host: 'search.example' };
  assert.equal((await withToken.post(bearer)).statusCode, 202);
});

test('without a token, HTTP/1.0 closes the routes: nginx speaks it by default and adds no header', async (context) => {
  const { acted, server } = serverWith(context, '');
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const ask = async (version: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${ADDRESS} HTTP/${version}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`);
    return (await textOf(socket)).slice(9, 12);
  };
  assert.deepEqual([await ask('1.0'), await ask('1.1'), acted], ['403', '200', []]);
});

const strangers: [who: string, headers: Record<string, string>, address: string][] = [
  ['another machine', {}, '192.0.2.7'],
  ['a client behind a proxy on this machine', { 'x-forwarded-for': '192.0.2.7' }, '127.0.0.1'],
  ['a name that was made to point here', { host: 'evil.example:8080' }, '127.0.0.1'],
  ['a page of another site', { origin: 'https://evil.example' }, '127.0.0.1'],
  ['a page of another port', { origin: 'http://127.0.0.1:9000' }, '127.0.0.1'],
  ['a page that hides its origin', { origin: 'null' }, '127.0.0.1'],
  ['a browser that knows', { 'sec-fetch-site': 'cross-site' }, '127.0.0.1'],
];

for (const [who, headers, address] of strangers) {
  test(`without a token, ${who} is refused`, async (context) => {
    const { acted, post } = serverWith(context, '');
    const reply = await post(headers, undefined, address);
    assert.equal(reply.statusCode, 403);
    assert.match(String(reply.headers['content-type']), /^application\/problem\+json/);
    assert.deepEqual(acted, []);
  });
}

test('pages of this site have access, and the token gives access from everywhere over TLS', async (context) => {
  const own = serverWith(context, '');
  const page = { origin: 'http://127.0.0.1:8080', 'sec-fetch-site': 'same-origin' };
  assert.equal((await own.post(page)).statusCode, 202);
  const { acted, post } = serverWith(context, TOKEN, { limits: { proxies: ['192.0.2.7'] } });
  const far = { host: 'search.example', 'x-forwarded-for': '198.51.100.1' };
  const bearer = { ...far, authorization: `Bearer ${TOKEN}`, 'x-forwarded-proto': 'https' };
  assert.equal((await post(bearer, undefined, '192.0.2.7')).statusCode, 202);
  for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: `Basic ${TOKEN}` }]) {
    const reply = await post(headers as Record<string, string>);
    assert.equal(reply.statusCode, 401);
    assert.equal(reply.headers['www-authenticate'], 'Bearer');
  }
  assert.equal(acted.length, 1);
});

test('no credential is accepted over plain HTTP from other machines, and the refusal does not tell if it is right', async (context) => {
  const { acted, post } = serverWith(context, TOKEN);
  for (const sent of [TOKEN, 'wrong']) {
    const reply = await post({ authorization: `Bearer ${sent}`, host: '192.0.2.9' }, undefined, '192.0.2.7');
    assert.deepEqual([reply.statusCode, reply.json().code], [403, 'not-private'], sent);
  }
  assert.deepEqual(acted, []);
  const open = serverWith(context, TOKEN, { allowsAdminHttp: true });
  const bearer = { authorization: `Bearer ${TOKEN}`, host: '192.0.2.9' };
  assert.equal((await open.post(bearer, undefined, '192.0.2.7')).statusCode, 202, 'the operator allows it');
});

test('a token that is configured as a digest is accepted, and the digest itself is not', async (context) => {
  const digest = `sha256:${createHash('sha256').update(TOKEN).digest('hex')}`;
  const { acted, post } = serverWith(context, digest);
  assert.equal((await post({ authorization: `Bearer ${TOKEN}` })).statusCode, 202);
  for (const sent of [digest, digest.slice(7), 'wrong'])
    assert.equal((await post({ authorization: `Bearer ${sent}` })).statusCode, 401, sent);
  assert.equal(acted.length, 1);
});

test('form bodies and unknown commands are refused', async (context) => {
  const { acted, post } = serverWith(context, '');
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp']) {
    assert.equal((await post({ 'content-type': type })).statusCode, 415, type);
  }
  for (const body of ['{"action":"explode"}', '{}', '[]', 'no json'])
    assert.equal((await post({}, body)).statusCode, 400, body);
  assert.deepEqual(acted, []);
});

test('an impossible command is a 409 with a reason', async (context) => {
  const { post } = serverWith(context, '');
  const reply = await post({}, '{"action":"start"}');
  assert.equal(reply.statusCode, 409);
  assert.equal(reply.json().detail, 'The crawl is running already.');
});

test('the state of a crawl is shown without the figures of the dashboard', async (context) => {
  const counts = { fetched: 1, bytes: 2, statuses: {}, failures: {}, activeHosts: 0, underWay: 0 };
  const shown = { state: 'crawling', pages: 1, queued: 2, errors: 3 } as const;
  const status = () => ({ ...shown, crawl: { ...counts, isStopped: false } });
  const stats = () => ({ docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 });
  const searcher = { stats, close() {} } as unknown as Searcher;
  const { server } = serverWith(context, '', { status, searcher });
  const reply = await server.inject({ url: ADDRESS, headers: { host: 'localhost' } });
  assert.deepEqual(reply.json(), { crawl: shown });
  const open = await server.inject({ url: '/api/v1/status', headers: { host: 'localhost' } });
  assert.deepEqual(open.json().crawl, shown);
});
