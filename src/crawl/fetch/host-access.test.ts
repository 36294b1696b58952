import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { test } from 'node:test';
import { parseHostAccess } from '../../url/mod.ts';
import { fetchAll, fetcherFor, listening } from './fetcher.fixture.ts';

const ACCESS = {
  'wiki.corp.example': { basic: 'gyre:open sesame' },
  '*.shop.test': { cookie: 'consent=1', headers: { 'X-Key': 'k1' } },
};

test('credentials are sent only to their host', () => {
  const access = parseHostAccess(ACCESS);
  const basic = `Basic ${Buffer.from('gyre:open sesame').toString('base64')}`;
  assert.deepEqual(access.headersFor('https://wiki.corp.example:8443'), { authorization: basic });
  assert.deepEqual(access.headersFor('http://a.shop.test'), { cookie: 'consent=1', 'x-key': 'k1' });
  assert.deepEqual(access.headersFor('http://shop.test.evil.example'), {});
  assert.deepEqual(access.headersFor('https://corp.example'), {});
});

const mistakes: [value: unknown, message: RegExp][] = [
  [{ 'not a host': {} }, /expected a host or a domain .* got "not a host"/],
  [{ '*.com': { cookie: 'secret=1' } }, /"\*\.com" covers too many hosts/],
  [{ 'a.example': { password: 'secret' } }, /a\.example: unknown key "password"/],
  [{ 'a.example': { basic: 'secret' } }, /a\.example: basic is written as "name:password"/],
  [{ 'a.example': { headers: { 'User-Agent': 'secret' } } }, /"User-Agent" is not a header that can be set/],
  [{ 'a.example': { cookie: 'secret\r\nx: y' } }, /a\.example: cookie: expected a line of text/],
  ['secret', /expected a map of hosts/],
];

for (const [value, message] of mistakes) {
  test(`${message.source}: the error names the problem and no secret`, () => {
    assert.throws(
      () => parseHostAccess(value),
      (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  });
}

test('credentials are not in the archived request', async (context) => {
  let seen: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    seen = request.headers;
    response.end('welcome');
  });
  const port = await listening(context, server);
  const fetcher = fetcherFor(context, { access: parseHostAccess(ACCESS) });
  const outcome = await fetchAll(fetcher, `http://a.shop.test:${port}/`);
  assert.ok(outcome.kind === 'response');
  assert.deepEqual([seen.cookie, seen['x-key']], ['consent=1', 'k1']);
  assert.match(outcome.requestHead, /\r\ncookie: \(withheld\)/);
  assert.doesNotMatch(outcome.requestHead, /consent|k1/);
  await fetchAll(fetcher, `http://other.test:${port}/`);
  assert.equal(seen.cookie, undefined);
});
