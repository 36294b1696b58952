/**
 * Tests crawls of small sites with one peculiarity each: the fetched pages, the indexed pages and the delays.
 */
import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

interface Site {
  port: number;
  log: { path: string; at: number }[];
}

async function serve(
  context: TestContext,
  pages: Record<string, string>,
  answer?: RequestListener,
): Promise<Site> {
  const site: Site = { port: 0, log: [] };
  const server = createServer((request, response) => {
    const path = request.url!;
    site.log.push({ path, at: performance.now() });
    if (answer) answer(request, response);
    if (response.writableEnded) return;
    const body = pages[path];
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': path === '/robots.txt' ? 'text/plain' : 'text/html',
    });
    response.end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  site.port = (server.address() as AddressInfo).port;
  return site;
}

async function found(data: string, query: string): Promise<string[]> {
  const searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  const { results } = await searcher.search({ query, offset: 0, limit: 10 });
  searcher.close();
  return results.map(({ url }) => new URL(url).pathname);
}

test('the relative links of a duplicate are followed', async (context) => {
  const copy = '<title>Manual</title><p>The manual begins here. <a href="guide.html">Guide</a>';
  const site = await serve(context, {
    '/': '<a href="/v1/">one</a> <a href="/v2/">two</a>',
    '/v1/': copy,
    '/v2/': copy,
    '/v1/guide.html': '<title>One</title><p>first edition',
    '/v2/guide.html': '<title>Two</title><p>second edition',
  });
  const data = temporaryDirectory(context);
  const options = ['--data', data, '--delay', '5ms'];
  assert.equal((await gyre(['crawl', ...options, `http://127.0.0.1:${site.port}/`])).code, 0);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  assert.deepEqual(await found(data, 'second edition'), ['/v2/guide.html', '/v1/guide.html']);
  assert.equal((await found(data, 'manual begins')).length, 1, 'the copies are one document');
});

test('a noindex page does not remove its duplicate', async (context) => {
  const body = '<title>Twin</title><p>unmistakable words';
  const site = await serve(
    context,
    { '/': '<a href="/hidden">a</a> <a href="/shown">b</a>', '/hidden': body, '/shown': body },
    (request, response) => {
      if (request.url === '/hidden') response.setHeader('x-robots-tag', 'noindex');
    },
  );
  const data = temporaryDirectory(context);
  assert.equal(
    (await gyre(['crawl', '--data', data, '--delay', '5ms', `http://127.0.0.1:${site.port}/`])).code,
    0,
  );
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  assert.deepEqual(await found(data, 'unmistakable'), ['/shown']);
});

test('all ports of a host share one request at a time', async (context) => {
  const pages = Object.fromEntries(
    Array.from({ length: 6 }, (_, page) => [`/${page}`, `<title>${page}</title>`]),
  );
  const links = Object.keys(pages).map((path) => `<a href="${path}">x</a>`);
  const sites = [
    await serve(context, { '/': links.join(), ...pages }),
    await serve(context, { '/': links.join(' '), ...pages }),
  ];
  const data = temporaryDirectory(context);
  const seeds = sites.map(({ port }) => `http://127.0.0.1:${port}/`);
  assert.equal((await gyre(['crawl', '--data', data, '--delay', '60ms', ...seeds])).code, 0);
  const moments = sites.flatMap(({ log }) => log.map(({ at }) => at)).sort((a, b) => a - b);
  const gaps = moments.slice(1).map((at, index) => at - moments[index]!);
  assert.ok(moments.length >= 16 && Math.min(...gaps) > 55, `least gap ${Math.min(...gaps)} ms`);
});

test('a seed with a closed port does not delay other ports of its host', async (context) => {
  const site = await serve(context, { '/': '<title>Home</title><p>All about whales.' });
  const data = temporaryDirectory(context);
  const seeds = ['http://127.0.0.1:9/', `http://127.0.0.1:${site.port}/`];
  const crawl = await gyre(['crawl', '--data', data, '--delay', '5ms', '--max-pages', '1', ...seeds]);
  assert.equal(crawl.code, 0, crawl.stderr);
  assert.ok(site.log.some(({ path }) => path === '/'));
});

test('a parked domain is archived and not searchable, and gyre status shows the reason', async (context) => {
  const site = await serve(context, {
    '/': '<title>fine.example</title><p>This domain is for sale. <a href="https://sedo.com/x">Make an offer</a>',
  });
  const data = temporaryDirectory(context);
  const crawl = ['crawl', '--data', data, '--delay', '5ms', `http://127.0.0.1:${site.port}/`];
  assert.equal((await gyre(crawl)).code, 0);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  assert.deepEqual(await found(data, 'domain sale'), []);
  assert.match((await gyre(['status', '--data', data])).stdout, /fetched +1 parked/);
});

test('a crawl continues from imported pages, and one 404 does not drop them', async (context) => {
  const pages: Record<string, string> = {
    '/': '<title>Home</title><p>All about whales. <a href=/krill>krill</a>',
    '/krill': '<title>Krill</title><p>What whales eat.',
  };
  const site = await serve(context, pages);
  const directory = temporaryDirectory(context);
  const [first, second] = ['first', 'second'].map((name) => join(directory, name)) as [string, string];
  const crawl = (data: string) =>
    gyre(['crawl', '--data', data, '--delay', '5ms', `http://127.0.0.1:${site.port}/`]);
  assert.equal((await crawl(first)).code, 0);
  const file = join(directory, 'all.warc.gz');
  assert.equal((await gyre(['export', '--data', first, '--format', 'warc', '--out', file])).code, 0);
  assert.equal((await gyre(['import', '--data', second, file])).code, 0);
  delete pages['/krill'];
  site.log.length = 0;
  assert.equal((await crawl(second)).code, 0);
  assert.deepEqual(
    site.log.map(({ path }) => path),
    ['/robots.txt', '/', '/krill', '/favicon.ico'],
  );
  assert.equal((await gyre(['build', '--data', second])).code, 0);
  assert.equal((await found(second, 'krill eat')).length, 2);
});

test('an absurd Crawl-delay parks the host and delays no other host', async (context) => {
  for (const value of ['1e20', '99999999999999']) {
    const site = await serve(context, {
      '/robots.txt': `User-agent: *\nCrawl-delay: ${value}`,
      '/': 'hello',
    });
    const data = temporaryDirectory(context);
    const crawl = ['crawl', '--data', data, '--delay', '5ms', `http://127.0.0.1:${site.port}/`];
    for (let run = 0; run < 2; run++) assert.equal((await gyre(crawl)).code, 0);
    const status = await gyre(['status', '--data', data]);
    assert.match(status.stdout, /host parked: a delay of 86400 s between requests/);
    assert.deepEqual(
      site.log.map(({ path }) => path),
      ['/robots.txt'],
    );
  }
});
