import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../../base/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import { recordingTools } from './admin-tools.fixture.ts';

const JSON_TYPE = 'application/json';

function serverWith(context: TestContext, adminToken = '') {
  const tools = recordingTools();
  const common = { version: '', contact: '', clock: systemClock, log: silentLog };
  const { searcher } = testSite();
  const server = createServer({ ...common, searcher, directoryTools: tools, adminToken });
  context.after(() => server.close());
  const post = (payload: string, type: string, over: Record<string, string> = {}) =>
    server.inject({
      ...{ method: 'POST', url: '/api/v1/admin/urls', payload },
      headers: { host: '127.0.0.1:8080', 'content-type': type, ...over },
    });
  return { post, asked: tools.asked };
}

test('URLs come as a JSON array, or one per line with comments', async (context) => {
  const { post, asked } = serverWith(context);
  const first = await post('["https://a.org/","https://b.org/"]', JSON_TYPE);
  assert.equal(first.statusCode, 202);
  assert.deepEqual(first.json(), {
    ...{ accepted: 2, known: 0, refused: 0 },
    urls: ['https://a.org/', 'https://b.org/'].map((url) => ({ url, status: 'accepted' })),
  });
  const lines = await post(
    '# new\r\nhttps://a.org/\r\n\r\n https://b.org/\n',
    'text/uri-list; charset=utf-8',
  );
  assert.equal(lines.statusCode, 202);
  assert.deepEqual(asked, Array(2).fill('take https://a.org/ https://b.org/ http:127.0.0.1'));
});

test('other types, no URLs, too many of them and strangers are refused', async (context) => {
  const { post, asked } = serverWith(context);
  const many = JSON.stringify(Array(1001).fill('https://a.org/'));
  const cases: [name: string, payload: string, type: string, status: number][] = [
    ['plain text, which a form of another site can send', 'https://a.org/', 'text/plain', 415],
    ['an object', '{"url":"https://a.org/"}', JSON_TYPE, 400],
    ['broken JSON', '["https://a.org/"', JSON_TYPE, 400],
    ['nothing', '[]', JSON_TYPE, 400],
    ['only comments', '# a\n', 'text/uri-list', 400],
    ['too many', many, JSON_TYPE, 400],
    ['too long', `["${'x'.repeat(1024 * 1024)}"]`, JSON_TYPE, 413],
  ];
  for (const [name, payload, type, status] of cases) {
    const response = await post(payload, type);
    assert.equal(response.statusCode, status, name);
    assert.match(String(response.headers['content-type']), /problem\+json/, name);
  }
  const foreign = await post('["https://a.org/"]', JSON_TYPE, { origin: 'https://evil.example' });
  assert.equal(foreign.statusCode, 403);
  const guarded = serverWith(context, 'sesame');
  assert.equal((await guarded.post('["https://a.org/"]', JSON_TYPE)).statusCode, 401);
  assert.deepEqual([...asked, ...guarded.asked], []);
});
