/** Tests the pages of the relevance desk: what they show, what forms do, and who may do what. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SmallSearcher } from '../../../../test/browser/small-searcher.ts';
import { UsageError } from '../../../base/mod.ts';
import type { AdminRole } from '../../accounts.ts';
import { accountsOf, signedIn } from '../../sign-in/signed-in.fixture.ts';
import { EVALUATED, testDesk } from './relevance-desk.fixture.ts';

async function visitor(context: TestContext, role: AdminRole = 'operator') {
  const desk = testDesk();
  const accounts = accountsOf({ name: 'olga', role, version: '1' }, 'the-right-password');
  const admin = { accounts, desk: { audit() {}, readAudit: () => [] }, relevance: desk };
  return { desk, ...(await signedIn(context, role, { searcher: new SmallSearcher(), admin })) };
}

const firstUrl = (page: string) => /name="url" value="([^"]+)"/.exec(page)![1]!;

test('results have a button for each grade, and a judgement leads to the next result', async (context) => {
  const { desk, get, post } = await visitor(context);
  const page = (await get('/admin/relevance?q=gyre')).payload;
  assert.equal(page.match(/<button name="grade" value="[0-3]" aria-pressed="false">/g)!.length, 40);
  const url = firstUrl(page);
  const judged = await post('/admin/relevance/judge', { q: 'gyre', url, grade: '3', at: '1', of: '10' });
  assert.equal(judged.statusCode, 303);
  assert.equal(judged.headers.location, '/admin/relevance?q=gyre#result-2');
  assert.deepEqual(desk.changes, [`judge gyre ${url} 3 web:olga`]);
  const after = (await get('/admin/relevance?q=gyre')).payload;
  assert.match(after, /Result 1: 3, perfect\.[\s\S]*1 of 10 results are judged/);
  assert.match(after, /value="3" aria-pressed="true"/);
  assert.match(after, /Query 2 of 2[\s\S]*href="\/admin\/relevance\?q=tide%20tables#results"/);
  const last = await post('/admin/relevance/judge', { q: 'gyre', url, grade: '0', at: '10', of: '10' });
  assert.match(String(last.headers.location), /#further$/);
});

test('the list shows the progress, asked queries without results, and adds queries', async (context) => {
  const { desk, get, post } = await visitor(context);
  const page = (await get('/admin/relevance')).payload;
  assert.match(page, /0 of 1 queries are judged/);
  assert.match(page, /q=no%20such%20thing#results">no such thing<\/a> <span class="soft">3 ×/);
  await post('/admin/relevance/queries', { queries: 'keels\r\n\r\nsails' });
  assert.match(desk.changes[0]!, /^add keels\s*, sails$/);
  desk.unanswered = null;
  assert.match((await get('/admin/relevance')).payload, /<code>suggest\.queries<\/code> turns this on/);
});

test('judgements are exported as files and imported from large files', async (context) => {
  const { desk, get, send, cookie } = await visitor(context);
  const file = await get('/admin/relevance/export?file=qrels');
  assert.equal(file.headers['content-disposition'], 'attachment; filename="qrels.txt"');
  assert.equal(file.payload, 'the file qrels\n');
  assert.equal((await get('/admin/relevance/export?file=x')).statusCode, 404);
  const csrf = /name="csrf" value="([^"]+)"/.exec((await get('/admin/relevance')).payload)![1]!;
  const part = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\n\r\n${value}\r\n`;
  const qrels = '1 0 https://a.test/ 1\n'.repeat(10_000);
  const payload = `${part('csrf', csrf)}${part('queries', '1\tx')}${part('qrels', qrels)}--b--\r\n`;
  const headers = { cookie, 'content-type': 'multipart/form-data; boundary=b' };
  const sent = await send({ method: 'POST', url: '/admin/relevance/import', headers, payload });
  assert.equal(sent.statusCode, 303);
  assert.deepEqual(desk.changes, [`import 3 ${qrels.length}`]);
});

test('two profiles are compared for a query and over all judged queries, and the better one is published', async (context) => {
  const { desk, get, post } = await visitor(context);
  desk.judge('tide tables', 'https://b.test/', 2, 'x@');
  const compared = (await get('/admin/relevance/profiles?first=tuned&second=default&q=tide+tables')).payload;
  assert.match(compared, /A tide tables<\/a>[\s\S]*not in the other list[\s\S]*place 1 in the other list/);
  assert.match(compared, /grade 2/);
  assert.match(compared, /Evaluate over 1 judged query/);
  assert.doesNotMatch(compared, /Publish default/);
  const started = await post('/admin/relevance/profiles/evaluate', { first: 'tuned', second: 'default' });
  assert.equal(started.headers.location, '/admin/relevance/profiles?first=tuned&second=default#evaluation');
  const done = (await get('/admin/relevance/profiles?first=tuned&second=default')).payload;
  assert.match(done, /nDCG@10<\/th><td class="number">0\.5000[\s\S]*\+0\.1250[\s\S]*significantly better/);
  assert.match(done, /MRR<\/th>[\s\S]*−0\.1000[\s\S]*significantly worse/);
  assert.match(done, /Publish default/);
  await post('/admin/relevance/profiles/publish', { name: 'default' });
  await post('/admin/relevance/profiles/roll-back', {});
  assert.deepEqual(desk.changes.slice(1), ['evaluate tuned default', 'publish default', 'roll back']);
  const after = (await get('/admin/relevance/profiles')).payload;
  assert.match(after, /default is in force again\./);
});

test('only a profile that was compared with the one in force can be published', async (context) => {
  const { desk, get, post } = await visitor(context);
  desk.evaluation = EVALUATED;
  const reversed = (await get('/admin/relevance/profiles?first=default&second=tuned')).payload;
  assert.doesNotMatch(reversed, /Publish /);
  desk.publish = () => {
    throw new UsageError('worse-profile', 'not published: default is worse than tuned');
  };
  await post('/admin/relevance/profiles/publish', { name: 'default' });
  const page = (await get('/admin/relevance/profiles')).payload;
  assert.match(page, /role="alert">not published: default is worse than tuned/);
  assert.match(page, /class="tag bad">profiles\/broken\.json/);
  assert.doesNotMatch(page, /<option value="broken"/);
});

test('a running evaluation shows its progress, and the card is loaded again until it ends', async (context) => {
  const { desk, get } = await visitor(context);
  desk.evaluation = { kind: 'running', done: 3, total: 24 };
  const page = (await get('/admin/relevance/profiles')).payload;
  assert.match(page, /id="evaluation" aria-label="Evaluation" data-refresh/);
  assert.match(page, /3 of 24 searches/);
  desk.evaluation = { kind: 'failed', problem: 'the index is damaged' };
  const failed = (await get('/admin/relevance/profiles')).payload;
  assert.match(failed, /role="alert">the index is damaged/);
  assert.doesNotMatch(failed, /data-refresh/);
});

test('a viewer sees grades, lists and measures, and changes nothing', async (context) => {
  const { desk, get, post } = await visitor(context, 'viewer');
  desk.evaluation = EVALUATED;
  const pages = ['/admin/relevance', '/admin/relevance?q=gyre', '/admin/relevance/profiles'];
  for (const path of pages) {
    const page = await get(path);
    assert.equal(page.statusCode, 200, path);
    const own = page.payload.slice(page.payload.indexOf('<main'));
    assert.doesNotMatch(own, /method="post"/, path);
  }
  assert.match((await get('/admin/relevance?q=gyre')).payload, /not judged/);
  for (const path of [
    'judge',
    'queries',
    'import',
    'profiles/evaluate',
    'profiles/publish',
    'profiles/roll-back',
  ])
    assert.equal((await post(`/admin/relevance/${path}`, { q: 'x' })).statusCode, 403, path);
  assert.deepEqual(desk.changes, []);
});

test('people who are not signed in see nothing of the desk', async (context) => {
  const { send } = await visitor(context);
  for (const url of [
    '/admin/relevance?q=x',
    '/admin/relevance/profiles',
    '/admin/relevance/export?file=qrels',
  ])
    assert.equal((await send({ url })).statusCode, 303, url);
});
