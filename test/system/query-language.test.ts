/**
 * Tests every field of the query language on a small site that is crawled, ranked and searched from the
 * command line.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { directoryAt, silentLog, systemClock } from '../../src/base/mod.ts';
import { openLinks } from '../../src/graph/mod.ts';
import { GraphLookup } from '../../src/cli/sessions/graph-lookup.ts';
import { openSearcher, type SearchResponse } from '../../src/query/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

const HTML = 'text/html; charset=utf-8';

const PAGES: Record<string, { type?: string; body: string }> = {
  '/': {
    body: `<html lang=en><title>Harbour</title><meta property="article:modified_time" content="2021-03-05T10:00:00Z"><p>Ships and tides. <a href=/tides>tables of the tides</a>
      <a href=/gezeiten>Gezeiten</a> <a href=/notes.txt>notes</a> <a href=/quiet>quiet</a> <a href=/short>short</a>`,
  },
  '/tides': {
    body: `<html lang=en><title>Tides</title><meta property="article:published_time" content="2019-03-05T10:00:00Z">
      <script type="application/ld+json">{"@type": "NewsArticle", "headline": "Tides"}</script>
      <p>High water follows the moon over the harbour. <a href=/>harbour</a>`,
  },
  '/gezeiten': {
    body: `<html lang=de><title>Gezeiten</title><p>Das Wasser steigt und fällt mit dem Mond, und die Schiffe warten
      im Hafen auf die Flut, die sie hinaus auf das Meer trägt. <a href=/tides>moon tables</a>`,
  },
  '/notes.txt': { type: 'text/plain', body: 'Notes on the harbour: connect, connection, connected.' },
  '/quiet': {
    body: `<html lang=en><title>Quiet</title><p>Open lighthouse words. <span data-nosnippet>Secret lighthouse words.</span>`,
  },
  '/short': {
    body: `<html lang=en><title>Short</title><meta name=robots content="max-snippet:30">
      <p>The lighthouse keeper writes a long book about all the ships that he has ever seen from up there.`,
  },
};

test('every field of the query language works on a crawled site', async (t) => {
  const origin = await serve(t);
  const data = temporaryDirectory(t);
  assert.equal((await gyre(['crawl', '--data', data, '--delay', '5ms', `${origin}/`])).code, 0);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  const { stdout } = await gyre(['search', '--data', data, '--json', `link:${origin}/tides`]);
  assert.match(JSON.parse(stdout).notes.join(), /no link graph yet/);
  assert.equal((await gyre(['rank', '--data', data])).code, 0);
  const first = (await gyre(['search', '--data', data, '--limit', '1', 'harbour'])).stdout;
  const [, cursor] = /More results: --cursor (\S+)/.exec(first)!;
  const next = (await gyre(['search', '--data', data, '--limit', '1', '--cursor', cursor!, 'harbour']))
    .stdout;
  assert.notEqual(/http:\S+/.exec(next)![0], /http:\S+/.exec(first)![0]);
  const search = searchIn(t, data);
  const cases: [string, string[]][] = [
    ['intitle:tides', ['/tides']],
    ['inurl:tides', ['/tides']],
    ['inbody:tides', ['/']],
    ['inanchor:"moon tables"', ['/tides']],
    ['inanchor:harbour', ['/']],
    ['inanchor:tables -"moon tables"', ['/tides']],
    ['tables', ['/', '/gezeiten', '/tides']],
    ['+tables intitle:tides', ['/tides']],
    ['"tables"', ['/', '/gezeiten']],
    ['tides -tables', []],
    [`link:${origin}/tides`, ['/', '/gezeiten']],
    [`link:${origin}/tides lang:de`, ['/gezeiten']],
    ['harbour lang:en -intitle:harbour', ['/tides']],
    ['lang:de', ['/gezeiten']],
    ['filetype:txt', ['/notes.txt']],
    ['harbour filetype:html before:2020', ['/tides']],
    ['kind:news', ['/tides']],
    ['harbour kind:product', []],
    ['harbour after:2020', ['/']],
    ['conn*', ['/notes.txt']],
    ['(moon OR ships) AND NOT mond', ['/', '/short', '/tides']],
    ['moon NEAR/3 harbour', ['/tides']],
    ['moon NEAR/2 harbour', []],
    ['site:127.0.0.1 keeper', ['/short']],
    [`related:${origin}/tides`, ['/', '/gezeiten', '/notes.txt', '/short']],
  ];
  for (const [query, paths] of cases) {
    const { results, notes } = await search(query);
    assert.deepEqual(notes, [], query);
    assert.deepEqual(results.map(({ url }) => new URL(url).pathname).sort(), paths, query);
  }
  const [quiet] = (await search('secret')).results;
  assert.equal(quiet?.title, 'Quiet', 'what may not be quoted is found');
  assert.equal(quiet.snippet, 'Open lighthouse words.', 'and not shown');
  const [short] = (await search('keeper')).results;
  assert.ok(short!.snippet.length > 10 && short!.snippet.length <= 30, short!.snippet);
});

async function serve(t: TestContext): Promise<string> {
  const server = createServer((request, response) => {
    const page = PAGES[request.url!];
    response.writeHead(page ? 200 : 404, { 'content-type': page?.type ?? HTML });
    response.end(page?.body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns a function that searches like `gyre search`, but without a process for every query. */
function searchIn(t: TestContext, data: string): (query: string) => Promise<SearchResponse> {
  const links = new GraphLookup(() => openLinks(directoryAt(join(data, 'graph'))), silentLog);
  const options = { log: silentLog, clock: systemClock, links: () => links };
  const searcher = openSearcher(directoryAt(join(data, 'index')), options);
  t.after(() => {
    searcher.close();
    links.close();
  });
  return (query) => searcher.search({ query, offset: 0, limit: 10 });
}
