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
    control: { act: () => ATTACK },
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

test('every form and command refuses pages of other sites', async (context) => {
  const { send, cookie, routes } = await open(context);
  const changes = routes.filter((route) => /^(?:POST|PUT|PATCH|DELETE) \//.test(route));
  assert.ok(changes.length > 20, `${changes.length} routes`);
  for (const route of changes) {
    const [method, url] = route.split(' ') as ['POST', string];
    // IndexNow and MCP have no session: every request to them may do only what a stranger may do.
    if (url === '/indexnow' || url === '/mcp') continue;
    for (const foreign of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/json']) {
        const headers = { cookie, 'content-type': type, ...foreign };
        const payload = type.endsWith('json') ? '{}' : 'url=https%3A%2F%2Fa.example%2F';
        const { statusCode } = await send({ method, url, headers, payload });
        assert.ok([400, 401, 403, 415].includes(statusCode), `${route} as ${type}: ${statusCode}`);
      }
    }
  }
});

test('a name that is rebound to this machine gets no page, no command and no stream', async (context) => {
  const { send, cookie, routes } = await open(context);
  for (const route of routes.filter((each) => / \/(?:admin|api\/v1\/admin)/.test(each))) {
    const [method, url] = route.split(' ') as ['GET', string];
    const headers = { cookie, host: 'evil.example', 'content-type': 'application/json' };
    const { statusCode } = await send({ method, url, headers, ...(method !== 'GET' && { payload: '{}' }) });
    assert.ok([401, 403, 415, 421].includes(statusCode), `${route}: ${statusCode}`);
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

async function open(context: Parameters<typeof signedIn>[0]) {
  const options = hostileOptions();
  const { get, send, cookie } = await signedIn(context, 'operator', options);
  const listing = createServer({
    ...{ version: '0', log: silentLog, clock: { now: () => 0 }, ...options },
  });
  context.after(() => listing.close());
  await listing.ready();
  return { get, send, cookie, routes: routesOf(listing.printRoutes({ commonPrefix: false })) };
}
