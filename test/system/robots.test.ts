/**
 * Tests robots.txt on real hosts: at which URLs it is requested, how often, and what its responses mean.
 * Requests are checked with the log of the hosts.
 */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

const DELAY_MS = 80;

interface Hosts {
  seed(host: string): string;
  log: { host: string; path: string; at: number }[];
}

/** The response for robots.txt: its text, a status, or a redirect. */
type Robots = string | number | { location: string };

async function serveHosts(
  context: TestContext,
  robots: (host: string, path: string) => Robots | null,
): Promise<Hosts> {
  const log: Hosts['log'] = [];
  const server = createServer((request, response) => {
    const [host = ''] = (request.headers.host ?? '').split(':');
    const path = request.url!;
    log.push({ host, path, at: performance.now() });
    const answer = robots(host, path);
    if (answer === null) response.setHeader('content-type', 'text/html').end('<title>Page</title>words');
    else if (typeof answer === 'number') response.writeHead(answer).end();
    else if (typeof answer === 'string') response.setHeader('content-type', 'text/plain').end(answer);
    else response.writeHead(301, answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { seed: (host) => `http://${host}:${port}/`, log };
}

async function crawl(context: TestContext, seeds: string[], rounds = 1): Promise<void> {
  await crawlIn(temporaryDirectory(context), seeds, rounds);
}

async function crawlIn(directory: string, seeds: string[], rounds = 1): Promise<void> {
  // Icons are off, so that each request is for robots.txt or for a page.
  const options = crawlOptions(directory, { delay: `${DELAY_MS}ms`, icons: 'off' });
  for (let round = 0; round < rounds; round++) {
    const { code, stderr } = await gyre(['crawl', ...options, ...seeds]);
    assert.equal(code, 0, stderr);
  }
}

test('hosts that redirect to a shared robots.txt request it one after the other', async (context) => {
  const names = Array.from({ length: 6 }, (_, number) => `s${number}.test`);
  const hosts = await serveHosts(context, (host, path) => {
    if (path !== '/robots.txt') return null;
    return host === 'main.test'
      ? 'User-agent: *\nDisallow: /private'
      : { location: `${hosts.seed('main.test')}robots.txt` };
  });
  await crawl(
    context,
    [...names, 'main.test'].map((name) => hosts.seed(name)),
  );
  const main = hosts.log.filter(({ host }) => host === 'main.test');
  assert.equal(main.length, names.length + 2, 'once for each host, and its own page');
  const gaps = main.slice(1).map(({ at }, index) => at - main[index]!.at);
  assert.ok(Math.min(...gaps) > DELAY_MS - 3, `least gap ${Math.min(...gaps)} ms`);
  for (const name of names) {
    const paths = hosts.log.filter(({ host }) => host === name).map(({ path }) => path);
    assert.deepEqual(paths, ['/robots.txt', '/']);
  }
});

test('five redirects of robots.txt are followed, and a sixth allows everything', async (context) => {
  const chain = (last: number) => (path: string) => {
    const hop = path === '/robots.txt' ? 0 : Number(/^\/robots-(\d)$/.exec(path)?.[1]);
    if (Number.isNaN(hop)) return null;
    return hop === last ? 'User-agent: *\nDisallow: /' : { location: `/robots-${hop + 1}` };
  };
  const lengths: Record<string, number> = { 'five.test': 5, 'six.test': 6 };
  const hosts = await serveHosts(context, (host, path) => chain(lengths[host]!)(path));
  await crawl(context, [hosts.seed('five.test'), hosts.seed('six.test')]);
  const paths = (name: string) => hosts.log.filter(({ host }) => host === name).map(({ path }) => path);
  const hops = ['/robots.txt', '/robots-1', '/robots-2', '/robots-3', '/robots-4', '/robots-5'];
  assert.deepEqual(paths('five.test'), hops, 'its rules hold');
  assert.deepEqual(paths('six.test'), [...hops, '/'], 'as if there was none');
});

test('robots.txt is kept across a restart; 4xx allows and 5xx disallows', async (context) => {
  const answers: Record<string, Robots> = {
    'rules.test': 'User-agent: gyre\nDisallow: /$',
    'missing.test': 404,
    'forbidden.test': 403,
    'broken.test': 500,
  };
  const hosts = await serveHosts(context, (host, path) => (path === '/robots.txt' ? answers[host]! : null));
  await crawl(
    context,
    Object.keys(answers).map((name) => hosts.seed(name)),
    2,
  );
  const paths = (name: string) => hosts.log.filter(({ host }) => host === name).map(({ path }) => path);
  assert.deepEqual(paths('rules.test'), ['/robots.txt']);
  assert.deepEqual(paths('missing.test'), ['/robots.txt', '/']);
  assert.deepEqual(paths('forbidden.test'), ['/robots.txt', '/']);
  assert.ok(paths('broken.test').length > 1 && paths('broken.test').every((path) => path === '/robots.txt'));
});

test('after a day robots.txt is fetched again first, and its new rules apply', async (context) => {
  let rules = 'User-agent: *\nAllow: /';
  const hosts = await serveHosts(context, (_, path) => (path === '/robots.txt' ? rules : null));
  const directory = temporaryDirectory(context);
  const home = hosts.seed('a.test');
  await crawlIn(directory, [home]);
  await crawlIn(directory, [`${home}one`]);
  rules = 'User-agent: *\nDisallow: /three';
  const state = new DatabaseSync(join(directory, 'data', 'crawl.db'));
  const { changes } = state
    .prepare('UPDATE host SET robots_expires_at = robots_expires_at - ?')
    .run(24 * 3_600_000);
  state.close();
  rmSync(join(directory, 'data', 'crawl.db.seal'));
  assert.equal(Number(changes), 1);
  await crawlIn(directory, [`${home}two`, `${home}three`]);
  const paths = hosts.log.map(({ path }) => path);
  assert.deepEqual(paths, ['/robots.txt', '/', '/one', '/robots.txt', '/two']);
  const lines = readFileSync(join(directory, 'data', 'crawl.log'), 'utf8')
    .trim()
    .split('\n');
  const logged = lines.map((line) => JSON.parse(line)).filter(({ state }) => state === 'robots');
  assert.deepEqual(
    logged.map(({ url, status }) => [url, status]),
    [
      [`${home}robots.txt`, 200],
      [`${home}robots.txt`, 200],
    ],
  );
});
