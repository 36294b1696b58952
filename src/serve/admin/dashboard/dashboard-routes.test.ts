import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../../../base/mod.ts';
import type { LiveStart, LiveTick } from '../../../web/mod.ts';
import type { Account, Accounts, AdminRole } from '../../accounts.ts';
import { createServer } from '../../server.ts';
import { testSite } from '../../server-context.fixture.ts';
import { testDashboard, testHost } from './dashboard.fixture.ts';

const HOST = '127.0.0.1:8080';
const HOSTS = Array.from({ length: 120 }, (_, at) =>
  testHost({ origin: `https://h${at}.example`, pages: at }),
);

async function pagesFor(context: TestContext, role: AdminRole) {
  const account: Account = { name: 'kim', role, version: '1' };
  let isKnown = true;
  const accounts = { signIn: async () => account, find: () => (isKnown ? account : null) };
  const dashboard = testDashboard(HOSTS);
  const { searcher } = testSite();
  const server = createServer({
    ...{ searcher, version: '0', contact: '', log: silentLog, clock: systemClock },
    admin: {
      accounts: accounts as unknown as Accounts,
      desk: { audit() {}, readAudit: () => [] },
      dashboard,
    },
  });
  context.after(() => server.close());
  const form = (url: string, cookie: string, fields: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url,
      headers: {
        ...{ host: HOST, cookie, origin: `http://${HOST}` },
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(fields).toString(),
    });
  const entered = await form('/admin/sign-in', '', { name: 'kim', password: 'x' });
  const cookie = String(entered.headers['set-cookie']).split(';', 1)[0]!;
  const get = (url: string) => server.inject({ url, headers: { host: HOST, cookie } });
  const csrf = /name="csrf" value="([^"]+)"/.exec((await get('/admin')).body)![1]!;
  const post = (url: string, fields: Record<string, string>, secret = csrf) =>
    form(url, cookie, { csrf: secret, ...fields });
  const forget = () => {
    isKnown = false;
  };
  return { server, dashboard, get, post, cookie, forget };
}

test('hosts are shown page by page, and unknown parameters count as absent', async (context) => {
  const { get, dashboard } = await pagesFor(context, 'viewer');
  const { statusCode, body } = await get('/admin/hosts?text=%3Cb%3E&choice=odd&order=queued&page=2');
  assert.equal(statusCode, 200);
  assert.deepEqual(dashboard.searches, [
    { text: '<b>', choice: 'all', order: 'queued', offset: 50, limit: 50 },
  ]);
  assert.ok(body.includes('https://h50.example') === false && body.includes('h50.example'));
  assert.match(body, /Page 2 of 3/);
  assert.ok(body.includes('value="&lt;b&gt;"'));
  assert.match(body, /aria-sort="descending"><a [^>]*>Queued/);
  await get('/admin/hosts?page=-7&text=a&text=b');
  assert.equal(dashboard.searches.at(-1)!.offset, 0);
});

test('a host that the crawl does not know is a 404', async (context) => {
  const { get } = await pagesFor(context, 'viewer');
  assert.equal((await get('/admin/host?origin=https://h7.example')).statusCode, 200);
  assert.equal((await get('/admin/host?origin=https://other.example')).statusCode, 404);
});

const FORMS: [path: string, fields: Record<string, string>, change: RegExp][] = [
  ['/admin/host/block', { origin: 'https://h1.example' }, /blocks https:\/\/h1\.example/],
  ['/admin/host/unblock', { origin: 'https://h1.example' }, /unblocks https/],
  ['/admin/host/delay', { origin: 'https://h1.example', delay: ' 5s ' }, /delays https:\/\/h1\.example 5s$/],
  ['/admin/host/recrawl', { origin: 'https://h1.example' }, /recrawls https/],
  ['/admin/host/remove', { origin: 'https://h1.example', purge: 'on' }, /removes \S+ with copies/],
  ['/admin/seeds/add', { seeds: 'https://b.example/' }, /adds https:\/\/b\.example/],
  ['/admin/seeds/remove', { url: 'https://a.example/' }, /removes https:\/\/a\.example/],
  ['/admin/rules', { action: 'save', rules: '[1]' }, /saves \[1\]/],
  ['/admin/settings', { key: 'crawl.delay', value: '2s' }, /sets crawl\.delay 2s/],
  ['/admin/settings', { key: 'crawl.delay', value: '2s', action: 'reset' }, /sets crawl\.delay null/],
];

test('every form changes what it says, and names the person', async (context) => {
  const { post, dashboard } = await pagesFor(context, 'operator');
  for (const [path, fields, change] of FORMS) {
    assert.equal((await post(path, fields)).statusCode, 303, path);
    assert.match(dashboard.changes.at(-1)!, change);
    assert.match(dashboard.changes.at(-1)!, /^web:kim@127\.0\.0\.1 /);
  }
});

test('a viewer and a forged form change nothing', async (context) => {
  const viewer = await pagesFor(context, 'viewer');
  for (const [path, fields] of FORMS) assert.equal((await viewer.post(path, fields)).statusCode, 403, path);
  const operator = await pagesFor(context, 'operator');
  for (const [path, fields] of FORMS)
    assert.equal((await operator.post(path, fields, 'wrong')).statusCode, 403, path);
  assert.deepEqual([...viewer.dashboard.changes, ...operator.dashboard.changes], []);
  for (const path of ['/admin/seeds', '/admin/settings', '/admin/host?origin=https://h1.example'])
    assert.ok(!/<button/.test((await viewer.get(path)).body.split('<main')[1]!), path);
});

test('the result of a rule test is shown with the rules as they were typed', async (context) => {
  const { post } = await pagesFor(context, 'operator');
  const { statusCode, body } = await post('/admin/rules', { action: 'test', rules: '[2]' });
  assert.equal(statusCode, 200);
  assert.match(body, /1 of 7 known URLs get another decision/);
  assert.ok(body.includes('https://a.example/&lt;b&gt;') && body.includes('>[2]</textarea>'));
  const wrong = await post('/admin/rules', { action: 'test', rules: 'wrong' });
  assert.match(wrong.body, /role="alert">The rules are wrong\./);
});

test('viewers get the history at first and then a tick each second, until their session ends', async (context) => {
  const { server, cookie, forget } = await pagesFor(context, 'viewer');
  const address = await server.listen({ host: '127.0.0.1', port: 0 });
  const controller = new AbortController();
  context.after(() => controller.abort());
  const response = await fetch(`${address}/admin/live`, { headers: { cookie }, signal: controller.signal });
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if (text.split('event: tick').length === 3) forget();
  }
  const data = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, json]) => [
    name,
    JSON.parse(json!),
  ]);
  assert.deepEqual(
    data.map(([name]) => name),
    ['start', 'tick', 'tick'],
  );
  const { view } = data[0]![1] as LiveStart;
  assert.equal(view.state, 'elsewhere');
  const ticks = data.slice(1).map(([, tick]) => (tick as LiveTick).sample.at);
  assert.ok(ticks[1]! > ticks[0]!);
});
