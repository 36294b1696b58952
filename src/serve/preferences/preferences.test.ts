import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Answerer, knowledge } from '../../answer/mod.ts';
import { silentLog, systemClock } from '../../base/mod.ts';
import type { SearchRequest } from '../../query/mod.ts';
import type { SiteRule } from '../../url/mod.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';

/**
 * Creates a server whose searcher records the site rules that it receives, and a client that handles cookies
 * like a browser.
 */
function prepared(siteRules: SiteRule[] = [], secret = 'first secret') {
  const asked: SearchRequest[] = [];
  const searcher = {
    ...testSite().searcher,
    async search(request: SearchRequest) {
      asked.push(request);
      return { query: request.query, total: 0, tookMs: 1, partial: false, notes: [], results: [] };
    },
    suggest: async () => [{ text: 'spam', url: 'https://www.spam.example/' }, { text: 'spam filters' }],
  };
  const crawl = { searcher, pages: { read: async () => ({ kind: 'none' as const }) } };
  const answerer = new Answerer({ boxes: [knowledge(crawl)], log: silentLog, clock: systemClock });
  const common = { version: '1', contact: '', log: silentLog, clock: systemClock };
  const server = createServer({ ...common, searcher, siteRules, secret, answerer });
  let cookie = '';
  const send = async (url: string, fields?: Record<string, string>, headers: Record<string, string> = {}) => {
    const payload = fields && new URLSearchParams(fields).toString();
    const reply = await server.inject({
      url,
      method: fields ? 'POST' : 'GET',
      headers: {
        cookie,
        ...(fields && {
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const set = reply.headers['set-cookie'];
    if (set) cookie = String(set).split(';')[0]!;
    return reply;
  };
  const rules = async (url = '/search?q=spam') => {
    await send(url);
    return (asked.at(-1)!.siteRules ?? []).map(({ effect, site }) => `${effect} ${site}`);
  };
  return { send, rules, useCookie: (value: string) => (cookie = value), cookie: () => cookie };
}

test('a rule is stored in an HttpOnly cookie and applied by the searcher', async () => {
  const { send, rules } = prepared();
  const reply = await send('/preferences/rule', {
    rule: 'block spam.example',
    back: '/search?q=a&page=2',
  });
  assert.equal(reply.statusCode, 303);
  assert.equal(reply.headers.location, '/search?q=a&page=2&ruled=block.normal.spam.example');
  assert.match(
    String(reply.headers['set-cookie']),
    /^gyre=[^;]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  assert.deepEqual(await rules(), ['block spam.example']);
  await send('/preferences/rule', { rule: 'pin spam.example' });
  assert.deepEqual(await rules(), ['pin spam.example']);
  await send('/preferences/rule', { rule: 'normal spam.example' });
  assert.deepEqual(await rules(), []);
});

test('the results page after a new rule offers to undo it, and only then', async () => {
  const { send, rules } = prepared();
  const ruled = '/search?q=spam&ruled=block.raise.spam.example';
  assert.doesNotMatch((await send(ruled)).body, /name="undo"/, 'there is no such rule');
  await send('/preferences/rule', { rule: 'raise spam.example' });
  const back = '/search?q=spam';
  const { headers } = await send('/preferences/rule', { rule: 'block spam.example', back });
  assert.equal(headers.location, ruled);
  assert.match((await send(ruled)).body, /<button name="rule" value="raise spam\.example">Undo/);
  const undone = await send('/preferences/rule', { rule: 'raise spam.example', undo: 'on', back });
  assert.equal(undone.headers.location, back);
  assert.deepEqual(await rules(), ['raise spam.example']);
});

test('a rule applies to answer boxes and suggestions', async () => {
  const { send, rules } = prepared([{ site: 'noisy.example', effect: 'lower' }]);
  assert.equal((await send('/suggest?q=spam')).json().suggestions.length, 2);
  await send('/preferences/rule', { rule: 'block spam.example' });
  assert.deepEqual(await rules('/answers/boxes?q=spam'), ['lower noisy.example', 'block spam.example']);
  assert.deepEqual(await rules('/api/v1/answers?q=ham'), ['lower noisy.example']);
  assert.deepEqual(await rules('/api/v1/search?q=eggs'), ['lower noisy.example'], 'of the operator alone');
  assert.deepEqual((await send('/suggest?q=spam')).json().suggestions, [{ text: 'spam filters' }]);
});

test('rules of the operator apply unless the searcher has a rule for the site', async () => {
  const { send, rules } = prepared([{ site: 'spam.example', effect: 'block' }]);
  assert.deepEqual(await rules(), ['block spam.example']);
  await send('/preferences/rule', { rule: 'normal spam.example' });
  assert.deepEqual(await rules(), ['normal spam.example']);
});

test('a changed cookie or one signed with another secret is ignored', async () => {
  const one = prepared();
  await one.send('/preferences/rule', { rule: 'block spam.example' });
  const cookie = one.cookie();
  const other = prepared([], 'second secret');
  other.useCookie(cookie);
  assert.deepEqual(await other.rules(), []);
  for (const bad of [
    cookie.replace('spam', 'ham'),
    'gyre=',
    'gyre=x.y',
    'gyre=%',
    'gyre=b!a.example',
    '=;;gyre',
  ]) {
    one.useCookie(bad);
    assert.deepEqual(await one.rules(), [], bad);
  }
});

test('a form from another site changes nothing', async () => {
  const { send, rules } = prepared();
  const fields = { rule: 'block rival.example' };
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }]) {
    assert.equal((await send('/preferences/rule', fields, headers)).statusCode, 403);
  }
  assert.deepEqual(await rules(), []);
});

test('without Sec-Fetch-Site the Origin header is checked', async () => {
  const { createReply } = await bare();
  assert.equal((await createReply({ origin: 'http://localhost:8080' })).statusCode, 303);
  assert.equal((await createReply({ origin: 'https://evil.example' })).statusCode, 403);
  assert.equal((await createReply({ origin: 'null' })).statusCode, 403);
  assert.equal((await createReply({})).statusCode, 303);
});

test('a body that is not a form gets 415 and is not logged', async () => {
  const logged: string[] = [];
  const log = { ...silentLog, error: (event: string) => logged.push(event) };
  const common = { version: '1', contact: '', clock: systemClock, searcher: testSite().searcher };
  const server = createServer({ ...common, log });
  for (const url of ['/preferences', '/preferences/rule', '/preferences/rules', '/preferences/rules/file']) {
    for (const [type, payload] of [
      ['application/json', '{"rule":1,"site-0":2,"file":3}'],
      ['application/json', 'null'],
      ['text/plain', 'rule=block+a.example'],
    ] as const) {
      const reply = await server.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });
      assert.equal(reply.statusCode, 415, `${url} ${type}`);
    }
  }
  assert.deepEqual(logged, []);
  await server.close();
});

async function bare() {
  const common = { version: '1', contact: '', log: silentLog, clock: systemClock };
  const server = createServer({ ...common, searcher: testSite().searcher });
  const createReply = (headers: Record<string, string>) =>
    server.inject({
      url: '/preferences/rule',
      method: 'POST',
      headers: { host: 'localhost:8080', 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: 'rule=block+a.example',
    });
  return { createReply };
}

test('the return path can only be a results page', async () => {
  const { send } = prepared();
  for (const back of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:x',
    '/search?q=\r\nx: y',
    '',
  ]) {
    const reply = await send('/preferences/rule', { rule: 'block a.example', back });
    assert.equal(reply.headers.location, '/preferences?saved=rules#rules', back);
  }
});

test('rules that do not fit into a cookie are refused, and the old ones stay', async () => {
  const { send, rules } = prepared();
  const fields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at): [string, string][] => [
        [`site-${at}`, `site-number-${at}.example`],
        [`effect-${at}`, 'block'],
      ]).flat(),
    );
  assert.equal((await send('/preferences/rules', fields(120))).statusCode, 303);
  assert.equal((await rules()).length, 120);
  const reply = await send('/preferences/rules', fields(400));
  assert.equal(reply.statusCode, 400);
  assert.match(reply.body, /Too many rules/);
  assert.match(reply.body, /400 rules do not fit\. Nothing was changed\./);
  assert.match(reply.body, /<a href="\/preferences#rules">Back to your rules<\/a>/);
  assert.equal((await rules()).length, 120);
});

test('an invalid rule is refused with an example', async () => {
  const { send } = prepared();
  for (const rule of ['', 'block', 'hide a.example', 'block a b']) {
    const reply = await send('/preferences/rule', { rule });
    assert.equal(reply.statusCode, 400);
    assert.match(reply.body, /block example\.org/);
  }
  assert.equal((await send('/preferences/rules', { 'site-0': 'a b', 'effect-0': 'block' })).statusCode, 400);
});

test('preferences out of bounds get their defaults', async () => {
  const { send } = prepared();
  await send('/preferences', { language: 'xx', scheme: 'pink', size: '9999' });
  const page = await send('/preferences');
  assert.match(page.body, /data-scheme="system"/);
  assert.match(page.body, /<html lang="en"/);
  assert.match(page.body, /<option value="10" selected>/);
});

test('an empty list of rules can be exported and imported; an empty file is refused', async () => {
  const { send, rules } = prepared();
  const { body: file } = await send('/preferences/rules.txt');
  await send('/preferences/rule', { rule: 'block spam.example' });
  assert.equal((await send('/preferences/rules/file', { file: '' })).statusCode, 400);
  assert.deepEqual(await rules(), ['block spam.example']);
  assert.equal((await send('/preferences/rules/file', { file })).statusCode, 303);
  assert.deepEqual(await rules(), []);
});

test('direction marks in a query do not change the title of the window', async () => {
  const { send } = prepared();
  const { body } = await send(`/search?q=${encodeURIComponent('abc\u202Edef')}`);
  assert.match(body, /<title>abcdef · Gyre<\/title>/);
});

test('the confirmation is shown beside the saved form', async () => {
  const { send } = prepared();
  const said = async (fields: Record<string, string>, url: string) => {
    const { location } = (await send(url, fields)).headers;
    const { body } = await send(String(location).replace(/#.*/, ''));
    const isBelow = body.indexOf('Saved.') > body.indexOf('id="rules"');
    return [body.match(/role="status">Saved\./g)?.length, isBelow];
  };
  assert.deepEqual(await said({ size: '20' }, '/preferences'), [1, false]);
  assert.deepEqual(await said({ 'site-0': 'a.example', 'effect-0': 'block' }, '/preferences/rules'), [
    1,
    true,
  ]);
});
