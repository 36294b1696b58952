/** Tests what site owners can see and do: the facts of /bot, opt-outs, proofs of ownership, submissions, IndexNow. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Gyre } from '../helpers/gyre.ts';

const KEY = '0123456789abcdef';
const PAGES: Record<string, string> = {
  '/robots.txt': 'User-agent: *\nDisallow: /closed/\nCrawl-delay: 0.01\n',
  '/': '<title>Harbour</title><p>Ships of the harbour. <a href="/gone">gone</a>',
  '/new': '<title>New</title><p>A lighthouse that nothing links to.',
  '/pinged': '<title>Pinged</title><p>A ferry that nothing links to.',
  [`/${KEY}.txt`]: KEY,
};

const directory = mkdtempSync(join(tmpdir(), 'gyre-owners-'));
const data = join(directory, 'data');
const asked: string[] = [];
const site = createServer((request, response) => {
  asked.push(request.url!);
  const body = PAGES[request.url!];
  const type = request.url!.endsWith('.txt') ? 'text/plain' : 'text/html';
  response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body);
});
/** A server of the operator's network, which no request of a stranger may reach. */
const inner = createServer((_request, response) => {
  innerRequests++;
  response.end('secret');
});
let innerRequests = 0;
let host = '';
let address = '';
let up: Gyre;
let password = '';

before(async () => {
  for (const server of [site, inner])
    await new Promise<void>((resolve) =>
      server.listen(0, server === site ? '127.0.0.1' : '127.0.0.2', resolve),
    );
  host = `localhost:${(site.address() as AddressInfo).port}`;
  const config = join(directory, 'gyre.config.json');
  const crawl = { delay: '5ms', allowAddresses: ['127.0.0.1/32'], robotsOverrides: ['mine.example'] };
  writeFileSync(config, JSON.stringify({ crawl, serve: { siteOwners: 'on' } }));
  const contact = 'mailto:me@example.org';
  const args = ['--data', data, '--config', config, '--port', '0', '--contact', contact];
  up = new Gyre(['up', ...args, `http://${host}/`]);
  password = (await up.printed(/password (\S+)/))[1]!;
  address = (await up.printed(/ready: \d+ documents?; search at (\S+)/))[1]!;
});

after(async () => {
  await up.kill('SIGKILL');
  site.close();
  inner.close();
  rmSync(directory, { recursive: true, force: true });
});

let cookie = '';

/** Sends each request on a connection of its own: the server may close an idle one at the moment of a request. */
function request(path: string, options: RequestInit = {}): Promise<Response> {
  return fetch(`${address}${path}`, { ...options, headers: { ...options.headers, connection: 'close' } });
}

async function get(path: string): Promise<string> {
  const reply = await request(path, { headers: { cookie } });
  cookie ||= reply.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  return reply.text();
}

async function send(path: string, fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const body = new URLSearchParams(fields);
  const reply = await request(path, { method: 'POST', body, headers: { cookie } });
  return { status: reply.status, text: await reply.text() };
}

async function until(check: () => Promise<boolean>): Promise<void> {
  for (let left = 200; !(await check()); left--) {
    assert.ok(left > 0, 'nothing happened');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function finds(query: string): Promise<number> {
  const reply = await request(`/api/v1/search?q=${query}`);
  return ((await reply.json()) as { results: unknown[] }).results.length;
}

test('/bot tells the truth about the settings, and what the crawler does on a host', async () => {
  const page = await get('/bot');
  assert.match(page, /<code>Gyre\/[\d.]+ \(\+mailto:me@example\.org\)<\/code>/);
  assert.match(page, /at least 0\.005 s/);
  assert.match(page, /for 1 entry of hosts that belong to its operator, robots\.txt is not obeyed/);
  const known = await get(`/bot?host=${host}`);
  assert.match(known, /allow for the start page/);
  assert.match(known, /Pages found by searches<\/th><td>1</);
  assert.match(
    known,
    /[\d.]+ s \((?:the Crawl-delay of its robots\.txt|a slow response|the setting for all hosts|a failed request)\); now: /,
  );
  assert.match(known, new RegExp(new Date().toISOString().slice(0, 10)));
  assert.match(await get('/bot?host=unknown.example'), /has not visited unknown\.example/);
  assert.match(await get('/bot?host=a%20b'), /role="alert">.*is no host/);
});

test('a submitted URL is checked by the rules, queued and found; the proof of a site is the token', async () => {
  const sent = await send('/sites/submit', { urls: `http://${host}/new http://elsewhere.example/` });
  assert.match(sent.text, /\/new: accepted as number 1 of the requested URLs; (?:no|\d+) URLs? of its host/);
  assert.match(sent.text, /elsewhere\.example\/: not accepted: .*the URL rule .*scope.* ignores it/);
  await until(async () => (await finds('lighthouse')) === 1);
  const refused = await send('/sites/manage', { host, action: 'show' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /No proof was found/);
  const [, token] = /<pre[^>]*aria-label="Token"[^>]*><code>(\w{32})</.exec(
    await get(`/sites?host=${host}`),
  )!;
  PAGES['/.well-known/gyre-owner.txt'] = `hello\n${token}\n`;
  const shown = await send('/sites/manage', { host, action: 'show' });
  assert.match(shown.text, /Pages found by searches<\/th><td>2</);
  assert.match(shown.text, /Last errors/);
  const own = cookie;
  cookie = '';
  await get('/sites');
  assert.match(
    (await send('/sites/manage', { host, action: 'show' })).text,
    /No proof was found/,
    'another browser',
  );
  cookie = own;
  delete PAGES['/.well-known/gyre-owner.txt'];
  PAGES['/'] = `<meta name="gyre-owner" content="${token}">${PAGES['/']}`;
  const foreign = await send('/sites/manage', { host, action: 'remove', target: 'http://other.example/' });
  assert.match(foreign.text, /Expected an address that begins with/);
  const removed = await send('/sites/manage', { host, action: 'remove', target: `http://${host}/new` });
  assert.match(removed.text, /\/new is removed/);
  await until(async () => (await finds('lighthouse')) === 0);
});

test('IndexNow takes URLs whose key file is at the host', async () => {
  const ping = (query: string) => request(`/indexnow?${query}`);
  const url = encodeURIComponent(`http://${host}/pinged`);
  assert.equal((await ping(`url=${url}&key=wrong-key-1`)).status, 403);
  assert.equal((await ping(`url=${url}&key=x`)).status, 400);
  const far = encodeURIComponent(`http://${host}/deep/${KEY}.txt`);
  assert.equal((await ping(`url=${url}&key=${KEY}&keyLocation=${far}`)).status, 422);
  assert.equal((await ping(`url=${url}&key=${KEY}`)).status, 200);
  await until(async () => (await finds('ferry')) === 1);
  const post = await request(`/indexnow`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ host, key: KEY, urlList: [`http://${host}/`, `http://${host}/pinged`] }),
  });
  assert.deepEqual(await post.json(), { accepted: 2 });
});

test('no request of a stranger reaches the network of the operator', async () => {
  const { port } = inner.address() as AddressInfo;
  for (const name of [`127.0.0.2:${port}`, `[::ffff:127.0.0.2]:${port}`]) {
    const reply = await send('/sites/opt-out', { host: name, proof: 'yes' });
    assert.match(reply.text, /No proof was found/);
  }
  const url = encodeURIComponent(`http://127.0.0.2:${port}/a`);
  await request(`/indexnow?url=${url}&key=${KEY}`);
  assert.equal(innerRequests, 0);
  const forged = await request(`/sites/opt-out`, {
    method: 'POST',
    body: new URLSearchParams({ host, proof: 'no' }),
    headers: { origin: 'https://evil.example' },
  });
  assert.equal(forged.status, 403);
});

test('an opt-out without a proof waits for the operator, and one with a proof takes effect at once', async () => {
  await until(
    async () =>
      (await send('/sites/opt-out', { host: 'a.example', proof: 'no', reason: '<i>mine' })).status === 200,
  );
  const body = new URLSearchParams({ name: 'operator', password, next: '/admin/removals' });
  const entered = await request(`/admin/sign-in`, { method: 'POST', body, redirect: 'manual' });
  const session = entered.headers.get('set-cookie')!.split(';', 1)[0]!;
  const admin = async () => (await request(`/admin/removals`, { headers: { cookie: session } })).text();
  const page = await admin();
  assert.match(page, /a\.example<\/th><td>&lt;i&gt;mine/);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page)!;
  const decided = await request(`/admin/removals/opt-out`, {
    method: 'POST',
    body: new URLSearchParams({ csrf, host: 'a.example', decision: 'remove' }),
    headers: { cookie: session },
    redirect: 'manual',
  });
  assert.equal(decided.status, 303);
  assert.doesNotMatch(await admin(), /Requests of site owners/);
  const gone = await send('/sites/opt-out', { host, proof: 'yes' });
  assert.match(gone.text, /is removed: it is no longer crawled/);
  await until(async () => (await finds('harbour')) === 0);
  assert.match(await get(`/bot?host=${host}`), /is removed: nothing of it is crawled or found/);
  asked.length = 0;
  const audit = readFileSync(join(data, 'audit.log'), 'utf8');
  assert.match(audit, /"who":"owner:localhost:\d+@127\.0\.0\.1","action":"remove"/);
  assert.match(audit, /"who":"web:operator@.*"action":"remove","target":"a\.example"/);
});

test('the requests of one client are limited', async () => {
  // On a busy machine, the allowance of 30 a minute grows while the requests are answered.
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 150)
    statuses.push((await send('/sites/submit', { urls: 'x' })).status);
  assert.equal(statuses.at(-1), 429, statuses.join());
});
