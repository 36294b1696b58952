import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { systemClock } from '../base/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { LOOPBACK } from './fetch/mod.ts';
import { listening } from './fetch/fetcher.fixture.ts';
import { postText } from './fetch-text.ts';

const OPTIONS = {
  allowAddresses: LOOPBACK,
  resolve: {},
  dnsCacheMs: 1000,
  userAgent: 'Gyre/test',
  clock: systemClock,
  proxy: '',
  authorities: [],
};

test('a text is posted with its headers, and only the status of the response counts', async (context) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-type']} ${body}`);
      if (request.url === '/moved') response.writeHead(302, { location: '/hook' }).end();
      else if (request.url === '/busy') response.writeHead(503, { 'retry-after': '7' }).end('later');
      else response.end('x'.repeat(200_000));
    });
  });
  const origin = `http://127.0.0.1:${await listening(context, server)}`;
  const post = (path: string) => {
    const message = { body: '{"a":"é"}', headers: { 'content-type': 'application/json' } };
    return postText(`${origin}${path}` as CanonicalUrl, message, OPTIONS);
  };
  assert.deepEqual(await post('/hook?b=2&a=1'), { kind: 'response', status: 200, retryAfterMs: null });
  assert.deepEqual(await post('/busy'), { kind: 'response', status: 503, retryAfterMs: 7000 });
  assert.deepEqual(await post('/moved'), { kind: 'response', status: 302, retryAfterMs: null });
  assert.deepEqual(
    seen,
    ['/hook?b=2&a=1', '/busy', '/moved'].map((path) => `POST ${path} application/json {"a":"é"}`),
    'a redirect is not followed',
  );
});

test('a text is not posted to an address of the local network unless it is allowed', async (context) => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  const port = await listening(context, server);
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0.0.0.0']) {
    const url = `http://${host}:${port}/` as CanonicalUrl;
    const outcome = await postText(url, { body: '{}', headers: {} }, { ...OPTIONS, allowAddresses: [] });
    assert.deepEqual(outcome, { kind: 'failed', reason: 'address not allowed', retry: false }, host);
  }
  assert.equal(requests, 0);
});
