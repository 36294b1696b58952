/**
 * Tests revisits: the second requests for pages, and their effect on the archive and the index. Requests are
 * checked with the logs of the servers, and the archive with an independent WARC reader.
 */
import assert from 'node:assert/strict';
import { createReadStream, globSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WARCParser } from 'warcio';
import { openDirectory, silentLog, sleep, systemClock } from '../../src/base/mod.ts';
import { type LastCapture, openCrawlState } from '../../src/crawl/mod.ts';
import { canonicalize, fingerprint } from '../../src/url/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { versionAt, versionWord } from '../../src/synthetic-web/features/changing.ts';
import { startWeb } from '../../src/synthetic-web/server.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

/** Settings that make all pages due at once, no matter how rarely they change. */
const ALWAYS_DUE = {
  ...{ delay: '2ms', revisitFirst: '1ms', revisitMin: '1ms', revisitMax: '1ms', revisitsPerDay: 1000 },
  revisitPolicies: ['feeds between 1ms and 1ms', 'sitemaps between 1ms and 1ms'],
};
const PERIOD_MS = 3_600_000;

test('a second crawl sends conditional requests, and unchanged pages stay', async (context) => {
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const web = await startWeb(
    { seed: 7, hosts: 3, pages: 30, features: { changing: 16 }, tuning: { changePeriodMs: PERIOD_MS } },
    { clock },
  );
  context.after(() => web.close());
  const directory = temporaryDirectory(context);
  const options = crawlOptions(directory, ALWAYS_DUE);
  await run('crawl', ...options, ...web.seeds);
  await run('build', ...options);
  const firstRound = web.log.length;
  const docCount = await documentCount(options);
  assert.ok(web.log.entries().every(({ ifNoneMatch }) => ifNoneMatch === ''));

  await run('crawl', ...options, '--revisit', 'on');
  await run('build', ...options);
  const second = [...web.log.entries()].slice(firstRound);
  const validated = web.plan.truth.changing.filter(({ kind }) => kind === 'content' || kind === 'never');
  for (const { host, path } of validated) {
    const entry = second.find((each) => each.host === host && each.path === path);
    assert.ok(entry && entry.ifNoneMatch !== '' && entry.ifModifiedSince !== '', `${host}${path}`);
    assert.equal(entry.status, 304);
  }
  assert.equal(await documentCount(options), docCount, 'page count stays');
  const profiles = await revisitProfiles(join(directory, 'data'));
  assert.equal(profiles.get('server-not-modified'), second.filter(({ status }) => status === 304).length);
  const bare = web.plan.truth.changing.filter(({ kind }) => kind === 'bare');
  assert.ok((profiles.get('identical-payload-digest') ?? 0) >= bare.length, 'pages without validators');

  clock.time += PERIOD_MS;
  await run('crawl', ...options, '--revisit', 'on');
  await run('build', ...options);
  assert.equal(await documentCount(options), docCount);
  for (const page of web.plan.truth.changing.filter(({ periodMs }) => periodMs === PERIOD_MS)) {
    const version = versionAt(page, clock.time);
    assert.equal((await found(options, versionWord(page, version))).length, 1, 'the new words');
    assert.equal((await found(options, versionWord(page, version - 1))).length, 0, 'not the old ones');
  }
});

test('feeds and sitemaps are requested conditionally, and their new URLs are followed', async (context) => {
  const lists: Record<string, [type: string, body: (path: string) => string]> = {
    '/feed.xml': [
      'application/rss+xml',
      (path) => `<rss><channel><title>News</title><item><link>${path}</link></item></channel></rss>`,
    ],
    '/map.xml': [
      'text/xml',
      (path) => `<urlset><url><loc>${site.url.slice(0, -1)}${path}</loc></url></urlset>`,
    ],
  };
  const rounds: string[] = [];
  let version = 1;
  const list = (name: string) => (response: ServerResponse) => {
    const etag = `"${version}"`;
    const isKnown = response.req.headers['if-none-match'] === etag;
    rounds.push(`${name} ${isKnown ? 304 : 200}`);
    const [type, body] = lists[name]!;
    if (isKnown) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-type': type }).end(body(`${name}-${version}`));
  };
  const site = await serveSite(context, {
    '/robots.txt': (response) => response.end(`Sitemap: ${site.url}map.xml`),
    '/': page('<link rel=alternate type=application/rss+xml href=/feed.xml>'),
    '/feed.xml': list('/feed.xml'),
    '/map.xml': list('/map.xml'),
  });
  const options = optionsFor(context);
  await run('crawl', ...options, site.url);
  await run('crawl', ...options, '--revisit', 'on');
  version = 2;
  await run('crawl', ...options, '--revisit', 'on');
  const answers = (name: string) => rounds.filter((round) => round.startsWith(name)).join(', ');
  assert.equal(answers('/feed.xml'), '/feed.xml 200, /feed.xml 304, /feed.xml 200');
  assert.equal(answers('/map.xml'), '/map.xml 200, /map.xml 304, /map.xml 200');
  for (const path of ['/feed.xml-1', '/map.xml-1', '/feed.xml-2', '/map.xml-2']) {
    assert.ok(site.log.includes(path), path);
  }
});

test('without --revisit a crawl fetches no page or icon again', async (context) => {
  const site = await serveSite(context, { '/': page('only once') });
  const crawl = ['crawl', ...optionsFor(context), site.url];
  await run(...crawl);
  await run(...crawl);
  assert.deepEqual(site.log, ['/robots.txt', '/', '/favicon.ico']);
});

test('a page is removed after two 404s, and never because of an error', async (context) => {
  const site = await serveSite(context, {
    '/': page('<a href="/a">a</a> <a href="/b">b</a>'),
    '/a': page('ephemeral words'),
    '/b': page('durable words'),
  });
  const options = optionsFor(context);
  await run('crawl', ...options, site.url);
  const again = async () => {
    await run('crawl', ...options, '--revisit', 'on');
    await run('build', ...options);
  };
  delete site.pages['/a'];
  site.pages['/b'] = (response) => response.writeHead(500).end();
  await again();
  assert.deepEqual(await found(options, 'ephemeral'), ['/a'], 'gone once');
  await run('build', ...options, '--from-archive');
  assert.deepEqual(await found(options, 'ephemeral'), ['/a'], 'the archive tells the same');
  assert.deepEqual(await found(options, 'durable'), ['/b'], 'errors remove nothing');
  site.pages['/b'] = page('durable words');
  await again();
  assert.deepEqual(await found(options, 'ephemeral'), []);
  await run('build', ...options, '--from-archive');
  assert.deepEqual(await found(options, 'ephemeral durable'), ['/b']);
  site.pages['/a'] = page('ephemeral words');
  await again();
  assert.deepEqual(await found(options, 'ephemeral'), ['/a'], 'it came back');
});

test('a page is removed after two soft 404s, and a crawl from the archive tells the same', async (context) => {
  const missing = page('We are very sorry: there is nothing to be seen at this place of ours').replace(
    'Page',
    'Not found',
  );
  const pages = Array.from({ length: 14 }, (_, at) => [`/${at}`, page(`number${at} words${at * at} alone`)]);
  const links = pages.map(([path]) => `<a href="${path}">${path}</a>`).join(' ');
  const site = await serveSite(context, { '/': page(links), ...Object.fromEntries(pages) }, missing);
  const options = optionsFor(context);
  await run('crawl', ...options, site.url);
  const again = async () => {
    await run('crawl', ...options, '--revisit', 'on');
    await run('build', ...options);
  };
  delete site.pages['/7'];
  await again();
  assert.deepEqual(await found(options, 'number7'), ['/7'], 'missing once');
  await run('build', ...options, '--from-archive');
  assert.deepEqual(await found(options, 'number7'), ['/7'], 'the archive tells the same');
  await again();
  assert.deepEqual(await found(options, 'number7'), []);
  await run('build', ...options, '--from-archive');
  assert.deepEqual(await found(options, 'number7'), []);
  assert.deepEqual(await found(options, 'number8'), ['/8'], 'the other pages stay');
});

test('a page that has moved continues its history at its new URL', async (context) => {
  const site = await serveSite(context, {
    '/': page('<a href="/old">old</a>'),
    '/old': page('nomadic words'),
  });
  const options = optionsFor(context);
  await run('crawl', ...options, site.url);
  for (let visit = 1; visit <= 3; visit++) {
    site.pages['/old'] = page(`nomadic words ${visit}`);
    await run('crawl', ...options, '--revisit', 'on');
  }
  const before = (await lastCapture(options, `${site.url}old`)).history!;
  assert.equal(before.revisits, 3);
  site.pages['/new'] = site.pages['/old']!;
  site.pages['/old'] = (response) => response.writeHead(301, { location: '/new' }).end();
  await run('crawl', ...options, '--revisit', 'on');
  const { history, isDocument } = await lastCapture(options, `${site.url}new`);
  assert.equal(isDocument, true);
  assert.deepEqual([history!.revisits, history!.changes], [before.revisits, before.changes]);
  await run('build', ...options);
  assert.deepEqual(await found(options, 'nomadic'), ['/new']);
});

test('when a page changes, its duplicate becomes a document', async (context) => {
  const body = page('twin words');
  const site = await serveSite(context, {
    '/': page('<a href="/a">a</a> <a href="/b">b</a>'),
    '/a': body,
    '/b': body,
  });
  const options = optionsFor(context);
  await run('crawl', ...options, site.url);
  await run('build', ...options);
  const [owner] = await found(options, 'twin');
  site.pages[owner!] = page('altogether different');
  await run('crawl', ...options, '--revisit', 'on');
  await run('crawl', ...options, '--revisit', 'on');
  await run('build', ...options);
  assert.deepEqual(await found(options, 'twin'), [owner === '/a' ? '/b' : '/a']);
  assert.deepEqual(await found(options, 'altogether'), [owner]);
});

test('a page that becomes noindex by a header is removed, even with the same body', async (context) => {
  const site = await serveSite(context, { '/': page('shy words') });
  const options = optionsFor(context);
  await run('crawl', ...options, site.url);
  site.pages['/'] = (response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'x-robots-tag': 'noindex' })
      .end(page('shy words'));
  await run('crawl', ...options, '--revisit', 'on');
  await run('build', ...options);
  assert.deepEqual(await found(options, 'shy'), []);
});

test('a page with unavailable_after is revisited then and not found afterwards', async (context) => {
  const endsAt = Math.ceil(Date.now() / 1000) * 1000 + 6_000;
  const site = await serveSite(context, {
    '/': (response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          etag: '"same"',
          'x-robots-tag': `unavailable_after: ${new Date(endsAt).toUTCString()}`,
        })
        .end(page('fleeting words')),
  });
  const directory = temporaryDirectory(context);
  const options = crawlOptions(directory, { delay: '2ms' });
  await run('crawl', ...options, site.url);
  await run('build', ...options);
  if (Date.now() < endsAt) assert.deepEqual(await found(options, 'fleeting'), ['/']);
  await sleep(Math.max(0, endsAt - Date.now()) + 50);
  await run('crawl', ...options, '--revisit', 'on');
  await run('build', ...options);
  assert.deepEqual(await found(options, 'fleeting'), []);
});

interface Site {
  url: string;
  log: string[];
  pages: Record<string, string | ((response: ServerResponse) => void)>;
}

const page = (content: string): string => `<title>Page</title><p>${content}`;

/** `missing` is the page that the site shows, with status 200, for missing pages; by default it sends a 404. */
async function serveSite(context: TestContext, pages: Site['pages'], missing?: string): Promise<Site> {
  const site: Site = { url: '', log: [], pages };
  const server = createServer((request, response) => {
    site.log.push(request.url!);
    const body = site.pages[request.url!];
    if (typeof body === 'function') return body(response);
    const isThere = body !== undefined || (missing !== undefined && site.log.at(-1) !== '/robots.txt');
    response.writeHead(isThere ? 200 : 404, { 'content-type': 'text/html' }).end(body ?? missing ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return site;
}

function optionsFor(context: TestContext): string[] {
  const directory = temporaryDirectory(context);
  return crawlOptions(directory, ALWAYS_DUE);
}

async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await gyre(args);
  assert.equal(code, 0, stderr);
}

async function lastCapture(options: string[], url: string): Promise<LastCapture> {
  const state = openCrawlState(openDirectory(options[1]!), { readOnly: true });
  const last = await state.lastCapture(fingerprint(canonicalize(url)!));
  state.close();
  return last!;
}

async function documentCount(options: string[]): Promise<number> {
  const { stdout } = await gyre(['status', ...options, '--json']);
  return JSON.parse(stdout).index.docCount;
}

async function found([, data = '']: string[], query: string): Promise<string[]> {
  const searcher = openSearcher(openDirectory(join(data, 'index')), { log: silentLog, clock: systemClock });
  const { results } = await searcher.search({ query, offset: 0, limit: 10 });
  searcher.close();
  return results.map(({ url }) => new URL(url).pathname);
}

/** Counts the revisit records in the archive by their WARC profile. */
async function revisitProfiles(data: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const file of globSync(join(data, 'archive', '*.warc.gz*'))) {
    for await (const record of new WARCParser(createReadStream(file))) {
      await record.skipFully();
      if (record.warcType !== 'revisit') continue;
      const profile = record.warcHeaders.headers.get('WARC-Profile')?.split('/').at(-1) ?? '';
      counts.set(profile, (counts.get(profile) ?? 0) + 1);
    }
  }
  return counts;
}
