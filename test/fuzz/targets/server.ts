/** Requests to the server: every public and admin route, with any parameters, cookies and bodies. */
import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { silentLog } from '../../../src/base/mod.ts';
import type { Searcher, SearchResult } from '../../../src/query/mod.ts';
import { testDashboard, testHost } from '../../../src/serve/admin/dashboard/dashboard.fixture.ts';
import { recordingTools } from '../../../src/serve/operations/admin-tools.fixture.ts';
import { createServer } from '../../../src/serve/server.ts';
import { accountsOf } from '../../../src/serve/sign-in/signed-in.fixture.ts';
import { sampleSiteTools } from '../../../src/serve/sites/site-tools.fixture.ts';
import { checkValue, type FuzzTarget, texts } from '../target.ts';

const HOST = '127.0.0.1:8080';
const PASSWORD = 'the-right-password';

const RESULT: SearchResult = {
  ...{
    url: 'https://host.example/<a>',
    title: 'Tides & <b>',
    snippet: 'a moon in hay',
    highlights: [[2, 6]],
  },
  ...{ host: 'host.example', score: 1.5, fetchedAt: '2025-06-01T00:00:00.000Z' },
};

const searcher: Searcher = {
  search: async ({ query }) => ({ query, total: 1, tookMs: 1, partial: false, notes: [], results: [RESULT] }),
  suggest: async (prefix) => [{ text: `${prefix} tides` }],
  stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 10, generation: 1 }),
  close() {},
};

interface SignedIn {
  server: FastifyInstance;
  cookie: string;
  csrf: string;
}

let signedIn: Promise<SignedIn> | null = null;

async function openServer(): Promise<SignedIn> {
  const account = { name: 'olga', role: 'operator', version: '1' } as const;
  const server = createServer({
    ...{ searcher, version: '0', contact: '', log: silentLog, clock: { now: () => Date.UTC(2026, 0, 2) } },
    control: { act: () => null },
    tools: recordingTools(),
    sites: sampleSiteTools(),
    hasPublicCdx: true,
    admin: {
      accounts: accountsOf(account, PASSWORD),
      desk: { audit() {}, readAudit: () => [] },
      dashboard: testDashboard([testHost()]),
    },
  });
  const headers = { host: HOST, 'content-type': 'application/x-www-form-urlencoded' };
  const payload = `name=olga&password=${PASSWORD}&next=%2Fadmin`;
  const entered = await server.inject({ method: 'POST', url: '/admin/sign-in', headers, payload });
  const cookie = String(entered.headers['set-cookie']).split(';', 1)[0]!;
  const page = await server.inject({ url: '/admin', headers: { host: HOST, cookie } });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.payload)?.[1] ?? '';
  return { server, cookie, csrf };
}

/** Writes a request as an input: its first line, its headers, an empty line, its body. */
function request(line: string, headers: string[] = [], body = ''): string {
  return [line, ...headers, '', body].join('\n');
}

const FORM = 'content-type: application/x-www-form-urlencoded';
const JSON_TYPE = 'content-type: application/json';
const SIGNED = 'cookie: SESSION';

const PUBLIC_REQUESTS = [
  ...[
    '/',
    '/search?q=moon&tab=news&page=2&lang=de&site=a.example&type=pdf&period=week&sort=date',
    '/search.atom?q=moon',
    '/why?q=moon&url=https://host.example/',
    '/cached?url=https://host.example/&q=moon&at=20240101',
    '/cached/compare?url=https://host.example/&from=2024&to=2025',
    '/preferences?saved=1',
    '/preferences/rules.txt',
    '/help',
    '/bot?host=a.example',
    '/sites?host=a.example',
    '/sites/opt-out?host=a.example',
    '/opensearch.xml',
    '/robots.txt',
    '/metrics',
    '/healthz',
    '/icon/host.example',
    '/cdx?url=example.org/*&matchType=prefix&from=2024&filter=!mimetype:text/html&output=json',
    '/api/v1/search?q=moon&offset=0&limit=3&cursor=x',
    '/api/v1/suggest?q=mo&limit=3',
    '/api/v1/images?q=moon',
    '/api/v1/status',
    '/api/v1/answers?q=2*3',
    '/indexnow?url=https://mine.example/a&key=abcdefgh',
  ].map((path) =>
    request(`GET ${path}`, ['cookie: gyre=l%3Dde', 'accept-language: de,en;q=0.5', 'accept-encoding: gzip']),
  ),
  request('POST /preferences', [FORM], 'scheme=dark&language=de&pageSize=20&next=%2Fsearch%3Fq%3Da'),
  request('POST /preferences/rule', [FORM], 'rule=block+a.example&next=/search'),
  request('POST /preferences/rules', [FORM], 'site-0=a.example&effect-0=block'),
  request(
    'POST /preferences/rules/file',
    ['content-type: multipart/form-data; boundary=x'],
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nblock a.example\r\n--x--\r\n',
  ),
  request('POST /sites/submit', [FORM], 'urls=https%3A%2F%2Fa.example%2F'),
  request('POST /sites/opt-out', [FORM], 'host=mine.example&reason=private&proof=yes'),
  request('POST /sites/manage', [FORM], 'host=mine.example&action=remove&target=/a'),
  request(
    'POST /indexnow',
    [JSON_TYPE],
    '{"host":"mine.example","key":"abcdefgh","keyLocation":"https://mine.example/abcdefgh.txt","urlList":["https://mine.example/a"]}',
  ),
  request(
    'POST /mcp',
    [JSON_TYPE, 'accept: application/json, text/event-stream', 'mcp-protocol-version: 2025-11-25'],
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"moon"}}}',
  ),
];

const ADMIN_REQUESTS = [
  ...[
    '/admin',
    '/admin/hosts?q=a&sort=pages&page=1&wait=ready',
    '/admin/host?origin=https://a.example',
    '/admin/seeds',
    '/admin/rules',
    '/admin/settings?q=delay',
    '/admin/inspect?url=https://a.test/&query=moon',
    '/admin/removals',
    '/admin/records?q=moon&url=https://a.test/',
    '/admin/politeness',
    '/admin/politeness/export?format=csv',
    '/admin/access',
    '/admin/audit',
    '/admin/sign-in?next=/admin/hosts',
  ].map((path) => request(`GET ${path}`, [SIGNED])),
  ...[
    ['/admin/seeds', 'lines=https%3A%2F%2Fa.example%2F+collection%3Dwork'],
    ['/admin/seeds/remove', 'url=https%3A%2F%2Fa.example%2F'],
    ['/admin/rules', 'rules=%5B%5D&action=test'],
    ['/admin/settings', 'key=crawl.delay&value=2s'],
    ['/admin/crawl', 'action=pause'],
    ['/admin/hosts/block', 'origin=https%3A%2F%2Fa.example'],
    ['/admin/inspect/fetch', 'url=https%3A%2F%2Fa.example%2F'],
    ['/admin/removals', 'targets=https%3A%2F%2Fa.example%2F*&action=remove&purge=yes'],
    ['/admin/access/keys', 'name=k&role=viewer&action=create'],
    ['/admin/access/password', 'old=x&new=yyyyyyyyyyyy'],
    ['/admin/sign-in', 'name=olga&password=x&next=//evil.example/'],
  ].map(([path, fields]) => request(`POST ${path}`, [FORM, SIGNED], `csrf=CSRF&${fields}`)),
  request('GET /api/v1/admin/inspect?url=https://a.test/&query=moon'),
  request('GET /api/v1/admin/record?url=https://a.test/&at=20240101000000'),
  request('GET /api/v1/admin/wacz?q=moon&limit=3'),
  request('GET /api/v1/admin/politeness?format=json'),
  request(
    'POST /api/v1/admin/removals',
    [JSON_TYPE],
    '{"action":"remove","targets":["https://a.test/*"],"purge":true}',
  ),
  request('POST /api/v1/admin/fetch', [JSON_TYPE], '{"url":"https://a.test/"}'),
  request('POST /api/v1/admin/crawl', [JSON_TYPE], '{"action":"pause"}'),
];

const REQUEST_WORDS = [
  'GET ',
  'POST ',
  'PUT ',
  '?q=',
  '&q=',
  '&page=',
  '&url=',
  '&next=//evil.example',
  '%00',
  '%0d%0aSet-Cookie:x=1',
  '%',
  '%ff',
  '..%2f',
  '\\',
  'http://169.254.169.254/',
  'javascript:',
  '%3Cscript%3E',
  '"><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '__proto__=1&',
  '&constructor[prototype][x]=1',
  '{"__proto__":{"x":1}}',
  'null',
  '[]',
  'origin: https://evil.example\n',
  'sec-fetch-site: cross-site\n',
  'x-forwarded-for: 1.1.1.1\n',
  'host: evil.example\n',
  'cookie: gyre=x\n',
  'if-none-match: *\n',
  'range: bytes=0-\n',
  'accept: application/json\n',
];

/** Sends the request that an input describes. Inputs that are no longer HTTP are not sent. */
async function send(input: Buffer): Promise<void> {
  signedIn ??= openServer();
  const { server, cookie, csrf } = await signedIn;
  const text = input.toString('utf8').replaceAll('SESSION', cookie).replaceAll('CSRF', csrf);
  const end = text.indexOf('\n\n');
  const [line = '', ...lines] = (end < 0 ? text : text.slice(0, end)).split('\n');
  const [, method, url] = /^(GET|HEAD|POST|PUT|DELETE|OPTIONS) (\/[\x21-\x7e]*)$/.exec(line) ?? [];
  // The stream of the dashboard does not end.
  if (!method || !url || url.startsWith('//') || /^\/admin\/live/.test(url)) return;
  const headers: Record<string, string> = { host: HOST };
  for (const each of lines) {
    const [, name, value] = /^([a-z-]{1,40}):\s?([\t\x20-\x7e]*)$/i.exec(each) ?? [];
    if (name && !/^(?:content-length|transfer-encoding|expect|connection|upgrade)$/i.test(name))
      headers[name.toLowerCase()] = value ?? '';
  }
  const payload = end < 0 ? '' : text.slice(end + 2);
  const reply = await server.inject({
    method: method as 'GET',
    url,
    headers,
    remoteAddress: '127.0.0.1',
    ...(method !== 'GET' && { payload }),
  });
  check(`${method} ${url}`, reply.statusCode, reply.headers, headers['accept-encoding'] ? '' : reply.payload);
}

function check(what: string, status: number, headers: Record<string, unknown>, body: string): void {
  assert.notEqual(status, 500, `${what}: ${body.slice(0, 300)}`);
  for (const [name, value] of Object.entries(headers)) assert.doesNotMatch(String(value), /[\r\n]/, name);
  const { location } = headers;
  if (location !== undefined && status >= 300 && status < 400 && !what.includes('q=!'))
    assert.match(String(location), /^\/(?![/\\])/, `${what} redirects to another site`);
  const type = String(headers['content-type'] ?? '');
  // The politeness ledger of the test tools is not JSON.
  if (type.startsWith('application/json') && body !== '' && !what.includes('/politeness'))
    checkValue(JSON.parse(body));
  if (type.startsWith('text/html')) checkHtml(parse(body), what);
}

/** Checks that no text of the request has become an element, a handler or an address that runs. */
function checkHtml(node: DefaultTreeAdapterTypes.Node, what: string): void {
  if ('tagName' in node) {
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
    const isInline = node.tagName === 'script' && !attributes.has('src');
    assert.ok(!isInline || /json/.test(attributes.get('type') ?? ''), `${what}: an inline script`);
    for (const [name, value] of attributes) {
      assert.doesNotMatch(name, /^on/, `${what}: the handler ${name}`);
      if (/^(?:href|src|action|formaction)$/.test(name))
        assert.doesNotMatch(value, /^\W*(?:javascript|vbscript|data:text)/i, `${what}: ${name}=${value}`);
    }
  }
  if ('childNodes' in node) for (const child of node.childNodes) checkHtml(child, what);
}

async function close(): Promise<void> {
  const open = await signedIn;
  signedIn = null;
  await open?.server.close();
}

export const SERVER_TARGETS: readonly FuzzTarget[] = [
  {
    name: 'requests',
    about: 'requests of searchers, owners and assistants: no status 500, no markup from the request',
    seeds: () => texts(...PUBLIC_REQUESTS),
    words: REQUEST_WORDS,
    run: send,
    close,
    maxBytes: 8 * 1024,
  },
  {
    name: 'admin-requests',
    about: 'requests of an operator who is signed in, with the same bars',
    seeds: () => texts(...ADMIN_REQUESTS),
    words: REQUEST_WORDS,
    run: send,
    close,
    maxBytes: 8 * 1024,
  },
];
