/**
 * Tests a domain in which every page links to new hosts. It is crawled at the same time as an honest host.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

const HONEST_PAGES = 60;
const EVIL_HOSTS = 100;

test('a wildcard domain has a host budget and is reported as a trap, and an honest host is crawled completely', async (context) => {
  const asked = new Map<string, Set<string>>();
  let invented = 0;
  const server = createServer((request, response) => {
    const host = request.headers.host!.replace(/:\d+$/, '');
    const path = request.url!;
    asked.set(host, (asked.get(host) ?? new Set()).add(path));
    if (path === '/robots.txt' || path === '/favicon.ico') {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html' });
    const { port } = server.address() as AddressInfo;
    const links = host.endsWith('.evil.test')
      ? Array.from({ length: 15 }, () => `http://h${invented++}.evil.test:${port}/`)
      : [1, 2]
          .map((step) => `/${2 * Number(path.slice(1)) + step}`)
          .filter((link) => Number(link.slice(1)) < HONEST_PAGES);
    const text = host.endsWith('.evil.test') ? 'the same offer on every host '.repeat(20) : wordsOf(path);
    response.end(
      `<title>${path}</title><p>${text}</p>${links.map((link) => `<a href="${link}">x</a>`).join(' ')}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const options = crawlOptions(temporaryDirectory(context), {
    delay: '5ms',
    delayFactor: 0,
    scope: 'web',
    icons: 'off',
  });
  const seeds = [`http://honest.test:${port}/0`, `http://start.evil.test:${port}/`];
  const crawl = await gyre(['crawl', ...options, ...seeds]);
  assert.equal(crawl.code, 0, crawl.stderr);

  const evilHosts = [...asked.keys()].filter((host) => host.endsWith('.evil.test'));
  context.diagnostic(`${evilHosts.length} hosts asked, ${invented} invented`);
  assert.ok(evilHosts.length <= EVIL_HOSTS + 1, `${evilHosts.length} hosts asked`);
  for (let page = 0; page < HONEST_PAGES; page++)
    assert.ok(asked.get('honest.test')!.has(`/${page}`), `/${page}`);
  const status = await gyre(['status', ...options, '--traps', '--hosts']);
  assert.match(status.stdout, /evil\.test: many-hosts, \d+ hosts held back of the form \*\.evil\.test/);
  assert.match(status.stdout, /rule to stop it: \{"verb":"ignore","domain":"evil\.test"\}/);
  assert.match(status.stdout, /setting that lifts the limit: crawl\.domains \["evil\.test"\]/);
  assert.match(status.stdout, /h\d+\.evil\.test:\d+: held back: its domain evil\.test has as many hosts/);
});

/** Returns different words for each path. */
function wordsOf(path: string): string {
  return Array.from(
    { length: 60 },
    (_, word) => `word${(Number(path.slice(1)) * 61 + word * 7) % 9973}`,
  ).join(' ');
}
