/**
 * Tests formats and sites that the built-in parsers do not cover: a custom extractor, and feeds that lead to
 * pages.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openDirectory, silentLog, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

const EXAMPLE = join(import.meta.dirname, '..', '..', 'examples', 'extractors', 'recipes.ts');

const DANGEROUS = join(import.meta.dirname, '../../src/page/extractors/dangerous-extractor.fixture.ts');

type Pages = Record<string, [type: string, body: string]>;

async function serve(context: TestContext, pages: Pages): Promise<{ seed: string; log: string[] }> {
  const log: string[] = [];
  const server = createServer((request, response) => {
    log.push(request.url!);
    const [type, body] = pages[request.url!] ?? ['text/plain', null];
    response.writeHead(body === null ? 404 : 200, { 'content-type': type }).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { seed: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, log };
}

async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await gyre(args);
  assert.equal(code, 0, stderr);
}

async function titles(data: string, query: string): Promise<string[]> {
  const searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  const { results } = await searcher.search({ query, offset: 0, limit: 10 });
  searcher.close();
  return results.map(({ title }) => title);
}

test('an extractor module parses pages and formats, also from the archive', async (context) => {
  const recipe = { name: 'Leek soup', ingredients: ['two leeks', 'butter'], method: 'Simmer gently.' };
  const site = await serve(context, {
    '/': ['text/html', '<a href="/recipes/bread">bread</a> <a href="/leek.recipe.json">leek</a>'],
    '/recipes/bread': ['text/html', '<title>Rye bread | Kitchen of the world</title><p>sourdough overnight'],
    '/leek.recipe.json': ['application/json', JSON.stringify(recipe)],
  });
  const data = temporaryDirectory(context);
  await run('crawl', '--data', data, '--delay', '2ms', '--extractors', EXAMPLE, site.seed);
  await run('build', '--data', data);
  assert.deepEqual(await titles(data, 'sourdough'), ['Rye bread']);
  assert.deepEqual(await titles(data, 'simmer'), ['Leek soup']);
  await run('build', '--data', data, '--from-archive', '--extractors', EXAMPLE);
  assert.deepEqual(await titles(data, 'sourdough'), ['Rye bread']);
  assert.deepEqual(await titles(data, 'simmer'), ['Leek soup']);
});

test('an invalid or missing extractor is an error with its path', async (context) => {
  const crawl = ['crawl', '--data', temporaryDirectory(context), 'http://127.0.0.1:1/'];
  const absent = await gyre([...crawl, '--extractors', '/nowhere/extractor.ts']);
  assert.match(absent.stderr, /cannot load the extractor \/nowhere\/extractor\.ts/);
  const none = await gyre([
    ...crawl,
    '--extractors',
    import.meta.filename.replace(/extractors\.test/, '../helpers/gyre'),
  ]);
  assert.match(none.stderr, /exports no extractor/);
  assert.deepEqual([absent.code, none.code], [2, 2]);
});

/** Serves a site with pages that trigger the failures of the dangerous extractor. */
function siteOf(context: TestContext, paths: readonly string[]) {
  const page = (path: string) => ['text/html', `<title>Page ${path.slice(1)}</title><p>dangerous`] as const;
  return serve(context, {
    '/': ['text/html', paths.map((path) => `<a href="${path}">on</a>`).join(' ')],
    ...Object.fromEntries(paths.map((path) => [path, [...page(path)]])),
  });
}

/**
 * Starts two sites with dangerous pages, and writes the settings for them. There are two sites because a site is
 * parked after two pages that kill their threads.
 */
async function dangerousSites(context: TestContext) {
  const sites = [
    await siteOf(context, ['/a', '/loop', '/b']),
    await siteOf(context, ['/exit', '/c', '/throw', '/d']),
  ];
  const data = temporaryDirectory(context);
  const config = join(data, 'gyre.config.json');
  writeFileSync(
    config,
    JSON.stringify({ crawl: { readLimit: '4s', delay: '2ms', extractors: [DANGEROUS] } }),
  );
  const asked = () => sites.reduce((sum, { log }) => sum + log.length, 0);
  return { seeds: sites.map(({ seed }) => seed), asked, data, config };
}

const SURVIVORS = ['Page a', 'Page b', 'Page c', 'Page d', 'Page throw'];

test('an extractor that hangs or ends its thread affects only its page', async (context) => {
  const { seeds, asked, data, config } = await dangerousSites(context);
  const crawl = ['crawl', '--data', data, '--config', config, '--json', ...seeds];
  const { code, stdout, stderr } = await gyre(crawl);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout).troubles, {
    'took longer than 4 s to read': 1,
    'ended the thread that read it': 1,
  });
  assert.match(stderr, /replaced.*\/loop/);
  assert.match(stderr, /extractor failed.*\/throw/);
  const before = asked();
  assert.equal((await gyre(crawl)).code, 0);
  assert.equal(asked(), before, 'a page that failed was asked for again');
  await run('build', '--data', data);
  const found = await titles(data, 'dangerous');
  assert.deepEqual(found.toSorted(), SURVIVORS);
});

test('hanging extractors affect only their page also in rebuilds and imports', async (context) => {
  const { seeds, data, config } = await dangerousSites(context);
  await run('crawl', '--data', data, '--delay', '2ms', ...seeds);
  const warc = join(data, 'all.warc.gz');
  await run('export', '--data', data, '--format', 'warc', '--out', warc);
  const again = await gyre(['build', '--data', data, '--config', config, '--from-archive']);
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout, /2 pages skipped: parsing failed/);
  assert.match(again.stderr, /page skipped.*\/loop.*took longer than 4 s to read/);
  assert.deepEqual((await titles(data, 'dangerous')).toSorted(), SURVIVORS);
  const copy = temporaryDirectory(context);
  const imported = await gyre(['import', '--data', copy, '--config', config, warc]);
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stdout, /2 skipped/);
  assert.match(imported.stderr, /skipped all\.warc\.gz at byte \d+: \S+\/loop took longer than 4 s to read/);
  await run('build', '--data', copy);
  assert.deepEqual((await titles(copy, 'dangerous')).toSorted(), SURVIVORS);
  // The pages that were skipped are in the archive, so a rebuild can read them.
  await run('build', '--data', copy, '--from-archive');
  assert.equal((await titles(copy, 'dangerous')).length, SURVIVORS.length + 2);
});

test('declared feeds of any format are followed', async (context) => {
  const rss =
    '<rss version="2.0"><channel><title>News</title><item><link>/from-rss</link></item></channel></rss>';
  const json = {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'News',
    items: [{ id: '1', url: '/from-json' }],
  };
  const site = await serve(context, {
    '/': [
      'text/html',
      `<link rel=alternate type=application/rss+xml href=/news.xml>
       <link rel=alternate type=application/feed+json href=/feed.json>
       <link rel=alternate type=text/css href=/other.css><title>Home</title>`,
    ],
    '/news.xml': ['application/rss+xml', rss],
    '/feed.json': ['application/json', JSON.stringify(json)],
    '/from-rss': ['text/html', '<title>One</title>'],
    '/from-json': ['text/html', '<title>Two</title>'],
  });
  const data = temporaryDirectory(context);
  await run('crawl', '--data', data, '--delay', '2ms', site.seed);
  await run('build', '--data', data);
  assert.deepEqual(await titles(data, 'news'), [], 'a feed is no result');
  assert.deepEqual((await titles(data, 'one OR two')).toSorted(), ['One', 'Two']);
  assert.deepEqual(site.log.toSorted(), [
    '/',
    '/favicon.ico',
    '/feed.json',
    '/from-json',
    '/from-rss',
    '/news.xml',
    '/robots.txt',
  ]);
});
