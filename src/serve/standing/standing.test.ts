import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, UsageError } from '../../base/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import { signedIn } from '../sign-in/signed-in.fixture.ts';
import { renderDigest } from './digest.ts';
import type { FeedPage, ListedQuery, QueryForm, StandingTools } from './standing-tools.ts';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const page = (id: string, change: FeedPage['change'], title: string): FeedPage => ({
  ...{ id, change, title, url: `https://example.org/${id}`, snippet: 'a < b & c' },
  ...{ fetchedAt: AT - 1000, foundAt: AT },
});
const PAGES = [page('b', 'changed', '<b>bold</b>'), page('a', 'new', 'Plain')];
const FEED = { name: 'loops', query: 'event "loop"', createdAt: 0, pages: PAGES };
const LISTED: ListedQuery = {
  ...{ name: 'loops', query: '<i>loop', newOnly: true, isSearchers: false, createdAt: 0 },
  ...{ atom: '/standing/s.atom', json: '/standing/s.json', pages: 2, lastAt: AT },
  webhook: { url: 'https://hook.example/', waiting: 1, parked: 2, problem: 'HTTP 500', stopped: null },
};

/** Tools that know one feed, whose secret is `feed`, and one owner, whose secret is `own`. */
function toolsOf(done: string[] = []): StandingTools {
  return {
    isOpen: true,
    readFeed: (secret) => (secret === 'feed' ? FEED : null),
    saveOwn(query) {
      if (query === '') throw new UsageError('bad-query', 'expected words');
      done.push(`save ${query}`);
      return 'own';
    },
    readOwn: (secret) => (secret === 'own' ? { ...FEED, feed: 'feed' } : null),
    removeOwn: (secret) => void done.push(`remove ${secret}`),
    list: () => [LISTED],
    add: ({ name, webhook, newOnly }: QueryForm, who) => {
      if (name === '') throw new UsageError('bad-name', '"" is no name');
      done.push(`${who} adds ${name} ${newOnly} ${webhook}`);
      return webhook === '' ? null : 'whsec_new';
    },
    remove: (name, who) => void done.push(`${who} removes ${name}`),
    test: async () => 'HTTP 500',
    resume: () => 2,
  };
}

function serverWith(context: TestContext, standing: StandingTools) {
  const server = createServer({
    ...{ searcher: testSite().searcher, version: '0', contact: '', log: silentLog, standing },
    clock: { now: () => AT },
  });
  context.after(() => server.close());
  const send = (url: string, fields?: Record<string, string>, headers: Record<string, string> = {}) =>
    server.inject({
      ...{ url, method: fields ? 'POST' : 'GET' },
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      ...(fields && { payload: new URLSearchParams(fields).toString() }),
    });
  return send;
}

test('the feeds of a query have its pages, with stable ids', async (context) => {
  const send = serverWith(context, toolsOf());
  const json = await send('/standing/feed.json');
  assert.match(String(json.headers['content-type']), /^application\/feed\+json/);
  const { version, items, feed_url: feedUrl } = json.json();
  assert.deepEqual(
    [version, feedUrl],
    ['https://jsonfeed.org/version/1.1', 'http://localhost/standing/feed.json'],
  );
  assert.deepEqual(items[0], {
    ...{ id: 'urn:uuid:b', url: 'https://example.org/b', title: '<b>bold</b>', content_text: 'a < b & c' },
    ...{ date_published: '2026-01-02T03:04:05.000Z', tags: ['changed'] },
  });
  const atom = await send('/standing/feed.atom');
  assert.match(
    atom.payload,
    /<id>urn:uuid:b<\/id>[\s\S]*<category term="changed"\/>[\s\S]*<summary>a &lt; b &amp; c</,
  );
  assert.match(atom.payload, /<title>&lt;b&gt;bold/);
  assert.equal(atom.headers['x-robots-tag'], 'noindex');
});

test('a saved search is read and removed only with its secrets', async (context) => {
  const done: string[] = [];
  const send = serverWith(context, toolsOf(done));
  for (const path of [
    '/standing/guess.atom',
    '/standing/own.json',
    '/standing/own/feed',
    '/standing/own/guess',
  ])
    assert.equal((await send(path)).statusCode, 404, path);
  const form = await send('/standing?q=%22%3E%3Cscript%3E');
  assert.match(form.payload, /value="&quot;&gt;&lt;script&gt;"/);
  const foreign = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await send('/standing', { q: 'loop' }, foreign)).statusCode, 403);
  const saved = await send('/standing', { q: 'loop' });
  assert.deepEqual([saved.statusCode, saved.headers.location], [303, '/standing/own/own']);
  const refused = await send('/standing', { q: '' });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.payload, /This search cannot be saved\.[\s\S]*expected words/);
  const own = await send('/standing/own/own');
  assert.match(own.payload, /http:\/\/localhost\/standing\/feed\.atom/);
  assert.match(own.payload, /&lt;b&gt;bold/);
  assert.equal(own.headers['cache-control'], 'no-store');
  assert.equal((await send('/standing/own/own/remove', {}, foreign)).statusCode, 403);
  assert.match((await send('/standing/own/own/remove', {})).payload, /The saved search is removed/);
  assert.deepEqual(done, ['save loop', 'remove own']);
});

test('without the setting, searchers can save nothing, and feeds are still served', async (context) => {
  const send = serverWith(context, { ...toolsOf(), isOpen: false });
  assert.equal((await send('/standing')).statusCode, 404);
  assert.equal((await send('/standing', { q: 'loop' })).statusCode, 404);
  assert.equal((await send('/standing/feed.atom')).statusCode, 200);
});

test('an operator manages queries without scripts, and sees the secret of a webhook once', async (context) => {
  const done: string[] = [];
  const { get, post } = await signedIn(context, 'operator', { standing: toolsOf(done) });
  const shown = await get('/admin/standing');
  assert.match(shown.payload, /&lt;i&gt;loop[\s\S]*1 waiting, 2 parked[\s\S]*last problem: HTTP 500/);
  const added = await post('/admin/standing/add', {
    name: 'n',
    query: 'q',
    webhook: 'https://h/',
    newOnly: 'on',
  });
  assert.match(added.payload, /whsec_new/);
  assert.doesNotMatch((await get('/admin/standing')).payload, /whsec_new/);
  const refused = await post('/admin/standing/add', { name: '', query: 'kept', secret: 'typed-before' });
  assert.match(refused.payload, /role="alert">&quot;&quot; is no name[\s\S]*value="kept"/);
  assert.doesNotMatch(refused.payload, /typed-before/);
  await post('/admin/standing/test', { name: 'loops' });
  assert.match((await get('/admin/standing')).payload, /did not accept the test message: HTTP 500/);
  await post('/admin/standing/retry', { name: 'loops' });
  assert.match((await get('/admin/standing')).payload, /2 parked messages wait/);
  await post('/admin/standing/remove', { name: 'loops' });
  assert.match(done.join('\n'), /^web:olga\S+ adds n true https:\/\/h\/\nweb:olga\S+ removes loops$/);
});

test('a viewer sees the queries and changes none', async (context) => {
  const done: string[] = [];
  const { get, post } = await signedIn(context, 'viewer', { standing: toolsOf(done) });
  const { payload } = await get('/admin/standing');
  assert.match(payload, /&lt;i&gt;loop/);
  assert.doesNotMatch(payload, /<button[^>]*>(?:Save|Remove|Test webhook)/);
  for (const action of ['add', 'remove', 'test', 'retry'])
    assert.equal((await post(`/admin/standing/${action}`, { name: 'loops' })).statusCode, 403, action);
  assert.deepEqual(done, []);
});

test('a digest is text, a page or a mail with both', () => {
  const head = { from: 'gyre@example.org', to: 'anna@example.org', now: AT };
  const digest = { query: 'Schleifen für\r\nBcc: all', pages: PAGES };
  const text = renderDigest('text', digest, head);
  assert.match(
    text,
    /^1 new page and 1 changed page for Schleifen für Bcc: all\n\n1\. <b>bold<\/b>\n {3}https:/,
  );
  assert.match(renderDigest('html', digest, head), /<a href="https:\/\/example\.org\/b">&lt;b&gt;bold/);
  const mail = renderDigest('mail', digest, head);
  const [top = '', body = ''] = mail.split(/\r\n\r\n([\s\S]*)/, 2);
  assert.match(top, /^From: gyre@example\.org\r\nTo: anna@example\.org\r\nSubject: =\?utf-8\?B\?/);
  assert.doesNotMatch(top, /^Bcc/m);
  assert.match(top, /^Date: Fri, 02 Jan 2026 03:04:05 \+0000$/m);
  const encoded = /Subject: ([\s\S]*?)\r\nDate/.exec(top)![1]!;
  const subject = [...encoded.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)].map(([, part]) =>
    Buffer.from(part!, 'base64'),
  );
  assert.equal(Buffer.concat(subject).toString(), '1 new page and 1 changed page for Schleifen für Bcc: all');
  const [plain] = body.split('--gyre-a').filter((part) => part.includes('text/plain'));
  assert.equal(Buffer.from(plain!.split('\r\n\r\n')[1]!, 'base64').toString(), text);
  assert.ok(mail.split('\r\n').every((line) => line.length <= 78));
});
