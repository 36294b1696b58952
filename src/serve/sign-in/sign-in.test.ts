/** Attacks the admin pages: guessed passwords, stolen and forged requests, roles, foreign names, plain HTTP. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { silentLog, systemClock } from '../../base/mod.ts';
import type { Account, Accounts, AdminRole } from '../accounts.ts';
import { testDashboard } from '../admin/dashboard/dashboard.fixture.ts';
import { createServer } from '../server.ts';
import { testSite } from '../server-context.fixture.ts';
import type { ServeOptions } from '../server-context.ts';

const HOST = '127.0.0.1:8080';
const PASSWORDS: Record<string, string> = { olga: 'the-right-password', vera: 'only-looks-around' };
const ROLES: Record<string, AdminRole> = { olga: 'operator', vera: 'viewer' };

function memoryAccounts() {
  const versions: Record<string, number> = { olga: 1, vera: 1 };
  const keys = new Map([
    ['gyre_reads', { name: 'reader', role: 'viewer' as AdminRole }],
    ['gyre_acts', { name: 'actor', role: 'operator' as AdminRole }],
  ]);
  const find = (name: string): Account | null =>
    versions[name] === undefined ? null : { name, role: ROLES[name]!, version: String(versions[name]) };
  const accounts: Accounts = {
    signIn: async (name, password) => (PASSWORDS[name] === password ? find(name) : null),
    find,
    holderOf: (key) => keys.get(key) ?? null,
    list: () => ({ accounts: [], keys: [] }),
    createKey: () => 'gyre_new',
    revokeKey() {},
    async setPassword(name) {
      versions[name]! += 1;
    },
  };
  return { accounts, versions };
}

function serverWith(context: TestContext, options: Partial<ServeOptions> = {}) {
  const acted: string[] = [];
  const audited: string[] = [];
  const time = { now: Date.UTC(2026, 0, 2) };
  const { accounts, versions } = memoryAccounts();
  const server = createServer({
    searcher: testSite().searcher,
    version: '0',
    contact: '',
    log: silentLog,
    clock: { now: () => time.now },
    control: {
      act(action) {
        acted.push(action);
        return null;
      },
    },
    admin: {
      accounts,
      desk: {
        audit: (who, action, target = '') => audited.push(`${who} ${action} ${target}`.trim()),
        readAudit: () => [],
      },
      dashboard: testDashboard(),
    },
    ...options,
  });
  context.after(() => server.close());
  const send = (request: InjectOptions) =>
    server.inject({ remoteAddress: '127.0.0.1', ...request, headers: { host: HOST, ...request.headers } });
  return { send, acted, audited, versions, time };
}

type Send = ReturnType<typeof serverWith>['send'];

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

function signIn(send: Send, name: string, password: string, more: InjectOptions = {}) {
  const payload = new URLSearchParams({ name, password, next: '/admin' }).toString();
  const headers = { ...FORM, ...more.headers };
  return send({ method: 'POST', url: '/admin/sign-in', ...more, headers, payload });
}

async function session(send: Send, name: string) {
  const response = await signIn(send, name, PASSWORDS[name]!);
  assert.equal(response.statusCode, 303);
  const [cookie] = String(response.headers['set-cookie']).split(';', 1) as [string];
  const page = await send({ url: '/admin', headers: { cookie } });
  assert.equal(page.statusCode, 200);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.payload)!;
  return { cookie, csrf };
}

function pause(send: Send, headers: Record<string, string>, csrf: string) {
  const payload = new URLSearchParams({ csrf, action: 'pause' }).toString();
  return send({ method: 'POST', url: '/admin/crawl', headers: { ...FORM, ...headers }, payload });
}

test('an operator signs in, acts and signs out, and the audit log names the operator', async (context) => {
  const { send, acted, audited } = serverWith(context);
  const away = await send({ url: '/admin/access' });
  assert.equal(away.statusCode, 303);
  assert.equal(away.headers.location, '/admin/sign-in?next=%2Fadmin%2Faccess');
  const { cookie, csrf } = await session(send, 'olga');
  assert.equal((await pause(send, { cookie }, csrf)).statusCode, 303);
  assert.deepEqual(acted, ['pause']);
  const payload = new URLSearchParams({ csrf }).toString();
  const out = await send({ method: 'POST', url: '/admin/sign-out', headers: { ...FORM, cookie }, payload });
  assert.match(String(out.headers['set-cookie']), /gyre-admin=;.*Max-Age=0/);
  assert.equal((await send({ url: '/admin', headers: { cookie } })).statusCode, 303, 'the session has ended');
  assert.deepEqual(audited, [
    'web:olga@127.0.0.1 sign-in',
    'web:olga@127.0.0.1 pause crawl',
    'web:olga@127.0.0.1 sign-out',
  ]);
});

test('the cookie is closed to scripts and other sites, and to plain HTTP behind TLS', async (context) => {
  const { send } = serverWith(context);
  const plain = String((await signIn(send, 'olga', PASSWORDS.olga!)).headers['set-cookie']);
  assert.match(plain, /; Path=\/admin; HttpOnly; SameSite=Strict$/);
  const publicly = serverWith(context, { publicUrl: 'https://search.example' });
  const headers = { host: 'search.example', 'x-forwarded-proto': 'https' };
  const secure = await signIn(publicly.send, 'olga', PASSWORDS.olga!, { headers });
  assert.match(String(secure.headers['set-cookie']), /; Secure/);
});

test('a wrong password and an unknown name look the same, and guessing is limited', async (context) => {
  const { send, audited, time } = serverWith(context);
  const [wrong, unknown] = [await signIn(send, 'olga', 'guess'), await signIn(send, 'eve', 'guess')];
  assert.equal(wrong.statusCode, 401);
  assert.equal(unknown.statusCode, 401);
  assert.equal(wrong.payload.replaceAll('olga', 'eve'), unknown.payload);
  assert.equal(wrong.headers['set-cookie'], undefined);
  for (let tries = 2; tries < 10; tries++) await signIn(send, 'olga', `guess ${tries}`);
  const right = await signIn(send, 'olga', PASSWORDS.olga!);
  assert.equal(right.statusCode, 429, 'also the right password is refused now, or guessing could continue');
  assert.ok(Number(right.headers['retry-after']) > 0);
  const elsewhere = await signIn(send, 'olga', PASSWORDS.olga!, { remoteAddress: '127.0.0.2' });
  assert.equal(elsewhere.statusCode, 303, 'other clients are not locked out');
  time.now += 61_000;
  assert.equal((await signIn(send, 'olga', PASSWORDS.olga!)).statusCode, 303);
  assert.ok(audited.includes('web:127.0.0.1 sign-in refused unknown name'), 'it could be a password');
});

test('forged forms do nothing', async (context) => {
  const { send, acted } = serverWith(context);
  const { cookie, csrf } = await session(send, 'olga');
  const other = await session(send, 'olga');
  const attacks: [string, Record<string, string>, string][] = [
    ['no secret', { cookie }, ''],
    ['a guessed secret', { cookie }, 'x'.repeat(csrf.length)],
    ['the secret of another session', { cookie }, other.csrf],
    ['another site', { cookie, 'sec-fetch-site': 'cross-site' }, csrf],
    ['a sibling site', { cookie, 'sec-fetch-site': 'same-site' }, csrf],
    ['a foreign origin', { cookie, origin: 'https://evil.example' }, csrf],
    ['an opaque origin', { cookie, origin: 'null' }, csrf],
  ];
  for (const [name, headers, secret] of attacks)
    assert.equal((await pause(send, headers, secret)).statusCode, 403, name);
  assert.equal((await pause(send, {}, csrf)).statusCode, 401, 'no session');
  const json = { ...FORM, 'content-type': 'application/json', cookie };
  const body = JSON.stringify({ csrf, action: 'pause' });
  const typed = await send({ method: 'POST', url: '/admin/crawl', headers: json, payload: body });
  assert.equal(typed.statusCode, 415);
  const asPlain = { cookie, 'content-type': 'text/plain' };
  const plain = await send({
    method: 'POST',
    url: '/admin/crawl',
    headers: asPlain,
    payload: `csrf=${csrf}`,
  });
  assert.equal(plain.statusCode, 415);
  const got = await send({ url: `/admin/crawl?csrf=${csrf}&action=pause`, headers: { cookie } });
  assert.equal(got.statusCode, 405, 'no link acts');
  const signedIn = await signIn(send, 'olga', PASSWORDS.olga!, {
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(signedIn.statusCode, 403, 'another site signs nobody in');
  assert.deepEqual(acted, []);
});

test('a viewer looks at everything and changes nothing', async (context) => {
  const { send, acted } = serverWith(context);
  const { cookie, csrf } = await session(send, 'vera');
  for (const url of ['/admin', '/admin/access', '/admin/audit'])
    assert.equal((await send({ url, headers: { cookie } })).statusCode, 200, url);
  assert.equal((await pause(send, { cookie }, csrf)).statusCode, 403);
  for (const url of ['/admin/access/keys', '/admin/access/revoke', '/admin/access/password']) {
    const payload = new URLSearchParams({ csrf, name: 'x', role: 'operator' }).toString();
    const response = await send({ method: 'POST', url, headers: { ...FORM, cookie }, payload });
    assert.equal(response.statusCode, 403, url);
  }
  const outward = { cookie, 'content-type': 'application/json' };
  const api = '/api/v1/admin/crawl';
  const byCookie = await send({
    method: 'POST',
    url: api,
    remoteAddress: '192.0.2.1',
    headers: outward,
    payload: '{"action":"pause"}',
  });
  assert.equal(byCookie.statusCode, 403, 'a cookie opens no API');
  assert.deepEqual(acted, []);
});

test('sessions end with their account, when idle, and after two weeks', async (context) => {
  const { send, versions, time } = serverWith(context);
  const first = await session(send, 'olga');
  versions.olga! += 1;
  assert.equal((await send({ url: '/admin', headers: first })).statusCode, 303, 'a new password');
  const second = await session(send, 'olga');
  time.now += 13 * 3_600_000;
  assert.equal((await send({ url: '/admin', headers: second })).statusCode, 303, 'idle');
  const third = await session(send, 'olga');
  for (let hours = 0; hours < 14 * 24; hours += 11) {
    time.now += 11 * 3_600_000;
    await send({ url: '/admin', headers: third });
  }
  assert.equal((await send({ url: '/admin', headers: third })).statusCode, 303, 'old');
  const fourth = await session(send, 'vera');
  delete versions.vera;
  assert.equal((await send({ url: '/admin', headers: fourth })).statusCode, 303, 'removed');
  const made = { cookie: `gyre-admin=${'A'.repeat(43)}` };
  assert.equal((await send({ url: '/admin', headers: made })).statusCode, 303, 'invented');
});

test('a sign-in over plain HTTP from another machine is refused, unless the operator allows it', async (context) => {
  const remoteAddress = '192.0.2.1';
  const right = (send: Send, more: InjectOptions) => signIn(send, 'olga', PASSWORDS.olga!, more);
  const { send } = serverWith(context);
  assert.equal((await right(send, { remoteAddress, headers: { host: '192.0.2.9' } })).statusCode, 403);
  assert.equal((await send({ url: '/admin/sign-in', remoteAddress })).statusCode, 403);
  const spoofed = { host: '192.0.2.9', 'x-forwarded-proto': 'https' };
  assert.equal((await right(send, { remoteAddress, headers: spoofed })).statusCode, 403, 'an invented proxy');
  const proxied = { 'x-forwarded-for': '203.0.113.5' };
  assert.equal((await right(send, { headers: proxied })).statusCode, 403, 'a proxy without TLS');
  const withTls = serverWith(context, { limits: { proxies: [remoteAddress] } });
  assert.equal((await right(withTls.send, { remoteAddress, headers: spoofed })).statusCode, 303, 'TLS');
  const open = serverWith(context, { allowsAdminHttp: true });
  assert.equal((await right(open.send, { remoteAddress })).statusCode, 303);
});

test('a foreign name that resolves to this machine gets nothing', async (context) => {
  for (const options of [{}, { allowsAdminHttp: true }, { isLocal: true }]) {
    const { send } = serverWith(context, options);
    const headers = { host: 'evil.example:8080' };
    assert.equal((await send({ url: '/admin/sign-in', headers })).statusCode, 421);
    assert.equal((await signIn(send, 'olga', PASSWORDS.olga!, { headers })).statusCode, 421);
  }
});

test('the sign-in leads to pages of this server only', async (context) => {
  const { send } = serverWith(context);
  const leads: [string, string][] = [
    ['/admin/audit?page=2', '/admin/audit?page=2'],
    ['https://evil.example/', '/admin'],
    ['//evil.example/admin', '/admin'],
    ['/admin\r\nset-cookie: a=b', '/admin'],
    ['/administrator', '/admin'],
    ['/search?q=x', '/admin'],
  ];
  for (const [next, expected] of leads) {
    const payload = new URLSearchParams({ name: 'olga', password: PASSWORDS.olga!, next }).toString();
    const response = await send({
      method: 'POST',
      url: '/admin/sign-in',
      headers: FORM,
      payload,
      remoteAddress: `127.0.0.${leads.findIndex(([lead]) => lead === next) + 1}`,
    });
    assert.equal(response.headers.location, expected, next);
  }
});

test('an API key acts within its role, and only in private', async (context) => {
  const { send, acted } = serverWith(context);
  const url = '/api/v1/admin/crawl';
  const call = (key: string, method: 'GET' | 'POST', more: InjectOptions = {}) =>
    send({
      method,
      url,
      ...(method === 'POST' && { payload: '{"action":"pause"}' }),
      ...more,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...more.headers },
    });
  assert.equal((await call('gyre_reads', 'GET')).statusCode, 200);
  const refused = await call('gyre_reads', 'POST');
  assert.equal(refused.statusCode, 403);
  assert.equal(refused.json().code, 'viewer-only');
  assert.equal((await call('gyre_acts', 'POST')).statusCode, 202);
  assert.deepEqual(acted, ['pause']);
  const far = { remoteAddress: '192.0.2.1', headers: { host: '192.0.2.9' } };
  assert.equal((await call('gyre_acts', 'POST', far)).json().code, 'not-private');
  for (let tries = 0; tries < 10; tries++) assert.equal((await call('gyre_guess', 'GET')).statusCode, 401);
  assert.equal((await call('gyre_acts', 'POST')).statusCode, 429, 'too many guesses');
});

test('pages are not cached, and escape what people typed', async (context) => {
  const { send } = serverWith(context);
  const response = await signIn(send, '"><script>alert(1)</script>', 'x');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.match(String(response.headers['content-security-policy']), /frame-ancestors 'none'/);
  assert.doesNotMatch(response.payload, /<script>alert/);
});

test('without accounts there are no admin pages', async (context) => {
  const searcher = testSite().searcher;
  const common = { searcher, version: '0', contact: '', log: silentLog, clock: systemClock };
  const server = createServer(common);
  context.after(() => server.close());
  assert.equal((await server.inject({ url: '/admin/sign-in', headers: { host: HOST } })).statusCode, 404);
});
