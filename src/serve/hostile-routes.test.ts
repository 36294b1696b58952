/**
 * Attacks every route of a server that has all of its features. The routes are listed by the server itself, so that a
 * new route is attacked too. All texts that the pages show are an attack.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { silentLog } from '../base/mod.ts';
import type { Searcher, SearchResult } from '../query/mod.ts';
import { testDashboard, testHost } from './admin/dashboard/dashboard.fixture.ts';
import { recordingTools } from './operations/admin-tools.fixture.ts';
import { createServer } from './server.ts';
import { signedIn } from './sign-in/signed-in.fixture.ts';
import { sampleSiteTools } from './sites/site-tools.fixture.ts';

const ATTACK = `'"><script>hacked()</script><img src=x onerror=hacked()>{{7*7}}\u202e\u001b[31m`;
const ADDRESS = `javascript:hacked()//${ATTACK}`;
const PASSWORD = 'the-right-password';
const FOREIGN = [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as const;
const account = { name: 'olga', role: 'operator', version: '1' } as const;
const accounts = {
  signIn: async () => account,
  find: () => account,
  holderOf: () => null,
  list: () => ({
    accounts: [{ name: ATTACK, role: 'viewer' as const, since: 0 }],
    keys: [{ name: ATTACK, role: 'viewer' as const, since: 0 }],
  }),
  createKey: () => ATTACK,
  revokeKey() {},
  async setPassword() {},
};

/** Replaces all texts in a value by the attack, and URLs by an address that runs. Names of states stay. */
function hostile<T>(value: T, key = ''): T {
  const kept = /^(?:kind|role|type|wait|purge|delayCause|at|time|day|removedAt|version|timestamp|record)$/;
  if (typeof value === 'string')
    return (kept.test(key) ? value : /^https?:/.test(value) ? ADDRESS : ATTACK) as T;
  if (Array.isArray(value)) return value.map((each) => hostile(each, key)) as T;
  if (typeof value === 'function') {
    return (async (...args: unknown[]) => hostile(await value(...args), key)) as T;
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hostile(each, name)])) as T;
}

const RESULT: SearchResult = {
  ...{ url: `https://host.example/${ATTACK}`, title: ATTACK, snippet: ATTACK, highlights: [[1, 5]] },
  ...{ host: 'host.example', score: 1, fetchedAt: '2026-01-02T00:00:00.000Z', date: '2026-01-02' },
  ...{ similar: [ADDRESS], images: [{ url: ADDRESS, label: ATTACK, match: 1 }] },
};

const searcher: Searcher = {
  search: async ({ query }) => ({
    ...{ query, total: 2, tookMs: 1, partial: false, results: [RESULT, { ...RESULT, url: ADDRESS }] },
    notes: [{ code: 'plain-words', values: { text: ATTACK } }],
    spelling: { query: ATTACK, automatic: false },
  }),
  suggest: async () => [{ text: ATTACK }],
  stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1 }),
  close() {},
};

function hostileOptions() {
  const dashboard = testDashboard([testHost({ robotsBytes: 12 })]);
  const host = { ...testHost(), traps: [], address: ATTACK };
  return {
    searcher,
    contact: ADDRESS,
    tools: hostile(recordingTools()),
    sites: { ...hostile(sampleSiteTools()), facts: hostile(sampleSiteTools().facts), hasOwners: true },
    control: { act: () => null },
    admin: {
      accounts,
      desk: {
        audit() {},
        readAudit: () => [{ time: '2026-01-02T00:00:00Z', who: ATTACK, action: ATTACK, target: ADDRESS }],
      },
      dashboard: {
        ...dashboard,
        hosts: {
          ...dashboard.hosts,
          list: async () => ({ total: 1, hosts: [{ ...host, origin: `https://a.example/${ATTACK}` }] }),
          find: async () => ({ ...host, origin: `https://a.example/${ATTACK}` }),
        },
        crawl: {
          ...dashboard.crawl,
          seeds: () => [{ url: ADDRESS, collections: [ATTACK] }],
          rules: () => ATTACK,
          settings: () => hostile(dashboard.crawl.settings()),
        },
      },
    },
  };
}

/** Lists all routes as `METHOD /path`, from the tree that the server prints. */
function routesOf(printed: string): string[] {
  const path: string[] = [];
  return printed.split('\n').flatMap((line) => {
    const [, indent, part, methods = ''] =
      /^((?:[│ ] {3})*)[├└]── (\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? [];
    if (indent === undefined || part === undefined) return [];
    path.length = indent.length / 4;
    path.push(part);
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${path.join('')}`);
  });
}

function checkInert(node: DefaultTreeAdapterTypes.Node, what: string): void {
  if ('tagName' in node) {
    for (const { name, value } of node.attrs) {
      assert.doesNotMatch(name, /^on/, `${what}: a handler`);
      if (/^(?:href|src|action|formaction)$/.test(name))
        assert.doesNotMatch(value, /^\W*javascript/i, `${what}: ${name}`);
    }
    const isInline = node.tagName === 'script' && !node.attrs.some(({ name }) => name === 'src');
    assert.ok(!isInline, `${what}: an inline script`);
  }
  if ('childNodes' in node) for (const child of node.childNodes) checkInert(child, what);
}

const PARAMETERS = new URLSearchParams({
  ...{ q: ATTACK, url: 'https://a.example/', query: ATTACK, host: ATTACK, origin: 'https://a.example' },
  ...{ next: '//evil.example/', target: ATTACK, saved: ATTACK, at: ATTACK },
}).toString();

test('hostile texts run on no page, and no page can be framed', async (context) => {
  const { get, routes } = await open(context);
  const pages = routes.filter((route) => route.startsWith('GET /') && !/[:*]|\/live$/.test(route));
  assert.ok(pages.length > 30, `${pages.length} pages`);
  let shown = 0;
  for (const route of pages) {
    for (const suffix of ['', `?${PARAMETERS}`]) {
      const path = route.slice('GET '.length) + suffix;
      const { statusCode, headers, body } = await get(path);
      assert.ok(statusCode < 500 || statusCode === 503, `${route}: ${statusCode} ${body.slice(0, 500)}`);
      assert.equal(headers['x-content-type-options'], 'nosniff', path);
      for (const value of Object.values(headers)) assert.doesNotMatch(String(value), /[\r\n]/, path);
      if (!String(headers['content-type']).startsWith('text/html')) continue;
      // The page around a copy frames it; the copy itself is in a sandbox.
      const policy = path.startsWith('/cached/copy')
        ? /^sandbox .*frame-ancestors 'self'|frame-ancestors 'none'/
        : /frame-ancestors 'none'/;
      assert.match(String(headers['content-security-policy']), policy, path);
      checkInert(parse(body), path);
      if (body.includes('&lt;script&gt;hacked()')) shown++;
    }
  }
  assert.ok(shown > 15, `${shown} pages show the attack as text`);
});

/** The fields of all forms with valid values. Forms ignore fields that they do not have. */
const FIELDS = {
  ...{ url: 'https://a.example/', urls: 'https://a.example/', targets: 'https://a.example/' },
  ...{ host: 'a.example', origin: 'https://a.example', site: 'a.example', target: 'https://a.example/' },
  ...{ rule: 'block a.example', rules: 'block a.example', file: 'block a.example', effect: 'block' },
  ...{ name: 'x', role: 'viewer', action: 'pause', delay: '5s', seeds: 'https://a.example/' },
  ...{ current: PASSWORD, password: `${PASSWORD}-2`, repeated: `${PASSWORD}-2` },
};
const COMMANDS: Readonly<Record<string, unknown>> = {
  '/api/v1/admin/crawl': { action: 'pause' },
  '/api/v1/admin/removals': { action: 'remove', targets: ['https://a.example/'] },
};
/** The tools of the test find no proof of ownership. The form has been accepted when it says so. */
const NO_PROOF = /No proof was found/;

test('every form and command works for its own site, and refuses the same request from another site', async (context) => {
  const { send, cookie, csrf, routes } = await open(context);
  const changes = routes.filter((route) => /^(?:POST|PUT|PATCH|DELETE) \//.test(route));
  let checked = 0;
  for (const route of changes) {
    const [method, url] = route.split(' ') as ['POST', string];
    // IndexNow and MCP have no session: every request to them may do only what a stranger may do. A sign-in has no
    // session yet, and the one of this test ends with it; the next test sends it.
    if (['/indexnow', '/mcp', '/admin/sign-in', '/admin/sign-out'].includes(url)) continue;
    const command = COMMANDS[url];
    const type = command ? 'application/json' : 'application/x-www-form-urlencoded';
    const payload = command ? JSON.stringify(command) : new URLSearchParams({ ...FIELDS, csrf }).toString();
    const ask = (extra: Record<string, string>) =>
      send({ method, url, headers: { cookie, 'content-type': type, ...extra }, payload });
    for (const foreign of FOREIGN) {
      const { statusCode, body } = await ask(foreign);
      assert.equal(
        statusCode,
        403,
        `${route} with ${JSON.stringify(foreign)}: ${statusCode} ${textOf(body)}`,
      );
    }
    for (const own of [{}, { 'sec-fetch-site': 'same-origin' }, { origin: 'http://127.0.0.1:8080' }]) {
      const { statusCode, body } = await ask(own);
      assert.ok(
        statusCode < 400 || NO_PROOF.test(body),
        `${route} with ${JSON.stringify(own)}: ${statusCode} ${textOf(body)}`,
      );
    }
    checked++;
  }
  assert.ok(checked > 20, `${checked} routes`);
});

test('a sign-in and a sign-out from another site change nothing', async (context) => {
  const { send, get, cookie, csrf } = await open(context);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = new URLSearchParams({ name: 'olga', password: PASSWORD, next: '/admin', csrf }).toString();
  for (const url of ['/admin/sign-in', '/admin/sign-out']) {
    for (const foreign of FOREIGN) {
      const reply = await send({ method: 'POST', url, headers: { cookie, ...form, ...foreign }, payload });
      assert.deepEqual([reply.statusCode, reply.headers['set-cookie']], [403, undefined], url);
    }
  }
  assert.equal((await get('/admin/audit')).statusCode, 200, 'the session has not ended');
  const out = await send({ method: 'POST', url: '/admin/sign-out', headers: { cookie, ...form }, payload });
  assert.equal(out.statusCode, 303);
  assert.equal((await get('/admin/audit')).statusCode, 303, 'the session has ended');
});

test('a form without the secret of its session changes nothing', async (context) => {
  const { send, cookie, routes } = await open(context);
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' };
  for (const route of routes.filter((each) => /^POST \/admin\//.test(each) && !each.endsWith('/sign-in'))) {
    const url = route.slice('POST '.length);
    for (const csrf of [{}, { csrf: 'wrong' }]) {
      const payload = new URLSearchParams({ ...FIELDS, ...csrf }).toString();
      assert.equal((await send({ method: 'POST', url, headers, payload })).statusCode, 403, route);
    }
  }
});

test('a name that is rebound to this machine gets no page, no command and no stream', async (context) => {
  const { send, cookie, csrf, routes } = await open(context);
  const admin = routes.filter((each) => / \/(?:admin|api\/v1\/admin)/.test(each));
  assert.ok(admin.length > 30, `${admin.length} routes`);
  for (const route of admin.filter((each) => !/\/sign-(?:in|out)$/.test(each))) {
    const [method, path] = route.split(' ') as ['GET' | 'HEAD' | 'POST', string];
    const url =
      method === 'POST' ? path : `${path}?url=https%3A%2F%2Fa.example%2F&origin=https%3A%2F%2Fa.example`;
    const command = COMMANDS[path];
    const type = command ? 'application/json' : 'application/x-www-form-urlencoded';
    const form = command ? JSON.stringify(command) : new URLSearchParams({ ...FIELDS, csrf }).toString();
    const ask = (host: string) =>
      send({
        ...{ method, url, headers: { cookie, host, 'content-type': type } },
        ...(method === 'POST' && { payload: form }),
      });
    const refusal = path.startsWith('/api/') ? 403 : 421;
    assert.equal((await ask('evil.example')).statusCode, refusal, route);
    // A stream does not end, so it is only refused here.
    if (path.endsWith('/live') || method === 'HEAD') continue;
    const { statusCode, body } = await ask('127.0.0.1:8080');
    assert.ok(statusCode < 400, `${route}: ${statusCode} ${textOf(body)}`);
  }
});

test('an admin page needs a sign-in', async (context) => {
  const { send, routes } = await open(context);
  for (const route of routes.filter((each) => / \/admin/.test(each) && !each.endsWith('/sign-in'))) {
    const [method, url] = route.split(' ') as ['GET', string];
    const { statusCode, headers } = await send({ method, url });
    if (method === 'GET') assert.match(String(headers.location), /^\/admin\/sign-in/, route);
    else assert.ok(statusCode === 401 || statusCode === 303 || statusCode === 415, `${route}: ${statusCode}`);
  }
});

/** Returns the words of the main part of a page. */
function textOf(body: string): string {
  const main = /<main[\s\S]*<\/main>/.exec(body)?.[0] ?? body;
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

async function open(context: Parameters<typeof signedIn>[0]) {
  const options = hostileOptions();
  const { get, send, cookie, csrf } = await signedIn(context, 'operator', options);
  const listing = createServer({
    ...{ version: '0', log: silentLog, clock: { now: () => 0 }, ...options },
  });
  context.after(() => listing.close());
  await listing.ready();
  return { get, send, cookie, csrf, routes: routesOf(listing.printRoutes({ commonPrefix: false })) };
}
