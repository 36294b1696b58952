/** Tests the pages that inspect URLs, export records and remove pages: what they show, and who may do what. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { UsageError } from '../../base/mod.ts';
import { SmallSearcher } from '../../../test/browser/small-searcher.ts';
import type { Searcher } from '../../query/mod.ts';
import { recordingTools } from '../operations/admin-tools.fixture.ts';
import type { ClusterTools } from '../operations/mod.ts';
import { testSite } from '../server-context.fixture.ts';
import { signedIn } from '../sign-in/signed-in.fixture.ts';

async function visitor(
  context: TestContext,
  role: 'operator' | 'viewer' = 'operator',
  searcher: Searcher = testSite().searcher,
) {
  const tools = recordingTools();
  return { tools, ...(await signedIn(context, role, { tools, directoryTools: tools, searcher })) };
}

test('the inspector shows the verdict first, the sections, and links to records and other URLs', async (context) => {
  const { get } = await visitor(context);
  const page = await get('/admin/inspect?url=a.test%2Fx&query=tide&below=2');
  assert.equal(page.statusCode, 200);
  const text = page.payload;
  assert.match(text, /Found in results/);
  assert.ok(text.indexOf('Found in results') < text.indexOf('>URL</h2>'));
  assert.match(text, /href="https:\/\/a\.test\/x"/, 'a URL without a scheme is https');
  assert.match(text, /\/admin\/records\/warc\?url=https%3A%2F%2Fa\.test%2Fx&amp;at=20260102030405/);
  assert.match(text, /href="\/admin\/inspect\?url=https%3A%2F%2Fa\.test%2Fb"/);
  assert.match(text, /Query: tide[\s\S]*result 3 of 9/);
});

test('a wrong URL is explained on the page', async (context) => {
  const { tools, get } = await visitor(context);
  tools.report = async () => {
    throw new UsageError('bad-url', '"<b>" is not a web address');
  };
  const page = await get('/admin/inspect?url=%3Cb%3E');
  assert.equal(page.statusCode, 200);
  assert.match(page.payload, /role="alert">&quot;&lt;b&gt;&quot; is not a web address/);
});

test('an operator fetches a URL now, a viewer may not', async (context) => {
  const operator = await visitor(context);
  const done = await operator.post('/admin/inspect/fetch', { url: 'https://a.test/' });
  assert.equal(done.statusCode, 303);
  assert.match(operator.tools.asked[0]!, /^fetch https:\/\/a\.test\/ web:olga@/);
  assert.match(
    (await operator.get(String(done.headers.location))).payload,
    /https:\/\/a\.test\/ is queued\./,
  );
  const viewer = await visitor(context, 'viewer');
  assert.equal((await viewer.post('/admin/inspect/fetch', { url: 'https://a.test/' })).statusCode, 403);
  assert.deepEqual(viewer.tools.asked, []);
  assert.doesNotMatch((await viewer.get('/admin/inspect?url=a.test')).payload, /Fetch now|Remove …/);
});

test('a removal is confirmed with the number of pages, and purges only if this was chosen', async (context) => {
  const { tools, get, post } = await visitor(context);
  const target = 'https://a.test/private/*';
  const asked = await get(`/admin/removals?target=${encodeURIComponent(target)}`);
  assert.match(asked.payload, /<strong>3 pages<\/strong>[\s\S]*<strong>7 known URLs<\/strong>/);
  assert.match(asked.payload, /https:\/\/a\.test\/copy/, 'other URLs of the document are named');
  assert.doesNotMatch(asked.payload, /name="purge"/);
  assert.deepEqual(tools.changes, [], 'nothing is removed before the confirmation');
  const purging = await get(`/admin/removals?target=${encodeURIComponent(target)}&purge=on`);
  assert.match(purging.payload, /every byte of these pages is deleted[\s\S]*name="purge" value="on"/);
  await post('/admin/removals/remove', { target });
  await post('/admin/removals/remove', { target, purge: 'on' });
  await post('/admin/removals/allow', { target });
  assert.deepEqual(
    tools.changes.map(({ action, purge, targets }) => [action, purge, targets]),
    [
      ['remove', false, [target]],
      ['remove', true, [target]],
      ['allow', false, [target]],
    ],
  );
  assert.match((await get('/admin/removals')).payload, /https:\/\/a\.test\/private\/\*/);
});

test('a record and a list of results are exported as files', async (context) => {
  const { tools, get } = await visitor(context, 'viewer', new SmallSearcher());
  const record = await get('/admin/records/warc?url=https%3A%2F%2Fa.test%2F&at=20260102030405');
  assert.equal(record.headers['content-disposition'], 'attachment; filename="00000001-0.warc.gz"');
  assert.equal(record.payload, 'WARC');
  assert.match((await get('/admin/records?q=gyre')).payload, /Export these pages as WACZ/);
  assert.equal((await get('/admin/records/wacz?q=gyre')).payload, 'PK');
  assert.deepEqual(tools.asked, ['record https://a.test/ 20260102030405', 'wacz 20']);
});

test('these pages are shown only to people who have signed in', async (context) => {
  const { send } = await visitor(context);
  for (const url of [
    '/admin/inspect?url=a',
    '/admin/removals',
    '/admin/records/warc?url=a',
    '/admin/records/wacz?q=a',
  ])
    assert.equal((await send({ url })).statusCode, 303, url);
});

test('a gateway has only the pages and controls that it can serve, and every link of its navigation works', async (context) => {
  const state = { name: 'web', problems: [], queues: null, searchNodes: [] };
  const clusterTools: ClusterTools = {
    state: async () => state,
    act: async () => {},
    apply: async () => true,
    deadLetters: async () => [],
    settleDeadLetters: async () => 0,
  };
  const { get, post } = await signedIn(context, 'operator', { tools: recordingTools(), clusterTools });
  const start = await get('/admin');
  const navigation = /<nav aria-label="Administration">[\s\S]*?<\/nav>/.exec(start.payload)![0];
  const links = [...navigation.matchAll(/href="([^"]+)"/g)].map(([, to]) => to!);
  assert.deepEqual(links, ['/admin', '/admin/inspect', '/admin/removals', '/admin/access', '/admin/audit']);
  for (const to of links) assert.equal((await get(to)).statusCode, 200, to);
  const inspected = (await get('/admin/inspect?url=a.test')).payload;
  assert.match(inspected, /Remove …/);
  assert.doesNotMatch(inspected, /Fetch now|WARC record/);
  for (const to of ['/admin/records', '/admin/records/warc?url=a.test', '/admin/politeness', '/admin/hosts'])
    assert.equal((await get(to)).statusCode, 404, to);
  assert.equal((await post('/admin/inspect/fetch', { url: 'https://a.test/' })).statusCode, 404);
  assert.equal((await get('/api/v1/admin/record?url=a.test')).statusCode, 404);
});

test('the navigation of an engine with a data directory has its pages', async (context) => {
  const { get } = await visitor(context);
  const page = (await get('/admin/inspect')).payload;
  for (const to of ['/admin/records', '/admin/politeness']) assert.ok(page.includes(`href="${to}"`), to);
  assert.ok(!page.includes('href="/admin/hosts"'), 'it has no dashboard');
});
