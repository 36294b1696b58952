/**
 * Tests the path from a crawled page to an answer box and to a tool of an assistant, through the commands.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { silentLog, systemClock } from '../../src/base/mod.ts';
import { readData } from '../../src/cli/data-directory.ts';
import { openAnswers } from '../../src/cli/serving/answers.ts';
import { loadConfig } from '../../src/cli/settings/config.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { ArchivePool, createServer as createPages } from '../../src/serve/mod.ts';
import { canonicalize } from '../../src/url/mod.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';

const LEAD =
  'The Kuroshio is a warm ocean current that flows north along the western side of the Pacific Ocean basin.';
const product = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Brass compass',
  offers: {
    '@type': 'Offer',
    price: '49.90',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    seller: { '@type': 'Organization', name: 'Ship & Co' },
  },
};

const PAGES: Record<string, string> = {
  '/': '<a href="/wiki/Kuroshio">a</a> <a href="/compass">b</a> <a href="/wiki/Oyashio">c</a> <a href="/feed.xml">d</a>',
  '/wiki/Kuroshio': `<title>Kuroshio</title><h1>Kuroshio</h1><table class="infobox"><tr><th>Basin<td>Pacific</table><p>${LEAD}</p>`,
  '/wiki/Oyashio': `<title>Oyashio</title><meta name="robots" content="noarchive"><p>${LEAD.replace('Kuroshio', 'Oyashio')} It is cold.</p>`,
  '/compass': `<title>Compass</title><script type="application/ld+json">${JSON.stringify(product)}</script><p>A brass compass for sailors.</p>`,
  '/feed.xml': `<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour Post</title>
    <item><title>Storm reaches the harbour</title><link>/storm</link><pubDate>${new Date().toUTCString()}</pubDate></item>
    <item><title>Storm of the century</title><link>/century</link><pubDate>Sun, 01 Jan 2006 10:00:00 GMT</pubDate></item>
    </channel></rss>`,
  '/storm':
    '<title>Storm</title><p>A storm reaches the harbour, and all ships stay in port until it is over.</p>',
};

async function crawled(context: TestContext): Promise<{ data: string; site: string }> {
  const server = createServer((request, response) => {
    const body = PAGES[request.url!];
    const type = request.url!.endsWith('.xml') ? 'application/rss+xml' : 'text/html';
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type }).end(body ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const data = temporaryDirectory(context);
  assert.equal((await gyre(['crawl', '--data', data, '--delay', '5ms', `${site}/`])).code, 0);
  assert.equal((await gyre(['build', '--data', data])).code, 0);
  return { data, site };
}

/** Sends requests to `gyre mcp`, one per line of input, and returns its replies. */
async function mcp(data: string, requests: readonly object[]): Promise<{ id: number; result: ToolReply }[]> {
  const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
  const args = ['--disable-warning=ExperimentalWarning', main, 'mcp', '--data', data];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(
    requests.map((request, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`).join(''),
  );
  const lines = (await textOf(child.stdout)).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).sort((a, b) => a.id - b.id);
}

interface ToolReply {
  protocolVersion: string;
  content: { text: string }[];
  isError: boolean;
}

test('a crawled page becomes a panel, an offer, news and text for an assistant, except with noarchive', async (context) => {
  const { data, site } = await crawled(context);
  const directory = readData(data);
  const config = loadConfig({ flags: {}, environment: {}, file: undefined });
  const searcher = openSearcher(directory.index, { log: silentLog, clock: systemClock });
  const options = { searcher, contact: '', log: silentLog };
  const archive = new ArchivePool({ directory: directory.archive, log: silentLog, clock: systemClock });
  const { answerer, details } = openAnswers(config, archive, options);
  // Starts the thread that parses pages, because answer boxes have a short time limit.
  await archive.page(canonicalize(`${site}/`)!);
  const common = { version: '0', contact: '', log: silentLog, clock: systemClock };
  const server = createPages({ ...common, searcher, ...(details && { details }) });
  context.after(async () => {
    await server.close();
    await archive.close();
    searcher.close();
  });
  // Repeats the request, because on a busy machine a box may exceed its time limit at first.
  const boxFor = async (query: string, options = {}) => {
    for (let tries = 0; tries < 20; tries++) {
      const [box] = await answerer.answers(query, options);
      if (box) return box;
    }
    return undefined;
  };
  const panel = await boxFor('kuroshio');
  assert.equal(panel?.text, LEAD);
  assert.deepEqual(panel.facts, [{ name: 'Basin', value: 'Pacific' }]);
  assert.equal(panel.source.url, `${site}/wiki/Kuroshio`);
  const offer = await boxFor('buy brass compass');
  assert.equal(offer?.links[0]?.detail, '€49.90, Ship & Co');
  assert.deepEqual(await answerer.answers('oyashio'), []);
  const reports = await boxFor('storm news', { language: 'de' });
  assert.equal(reports?.title, 'Nachrichten: storm');
  assert.deepEqual(
    reports.links.map(({ title, url }) => [title, url]),
    [['Storm reaches the harbour', `${site}/storm`]],
  );

  // Repeats the request, because on a busy machine the details may exceed their time limit at first.
  const pageAt = async (path: string, shown: RegExp) => {
    let page = '';
    for (let tries = 0; tries < 20 && !shown.test(page); tries++) page = (await server.inject(path)).body;
    assert.match(page, shown);
    return page;
  };
  await pageAt('/search?q=storm', /tab=news">News</);
  const newsPage = await pageAt('/search?q=storm&tab=news', /"paper">Harbour Post<\/bdi> · <bdi><time /);
  assert.ok(newsPage.includes(`href="${site}/storm#:~:text=`), newsPage);
  const offered = /€49\.90<\/bdi><\/bdi><\/b> · <bdi>Ship &amp; Co<\/bdi> · <bdi>In stock</;
  await pageAt('/search?q=compass&tab=products', offered);

  const call = (name: string, input: object) => ({
    method: 'tools/call',
    params: { name, arguments: input },
  });
  const replies = await mcp(data, [
    { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {} } },
    call('search', { query: 'compass' }),
    call('read_page', { url: `${site}/wiki/Kuroshio` }),
    call('read_page', { url: `${site}/wiki/Oyashio` }),
    call('search', { query: 'compsas' }),
  ]);
  assert.equal(replies[0]?.result.protocolVersion, '2025-11-25');
  assert.match(replies[1]!.result.content[0]!.text, /^1 result\n1\. Compass\n/);
  assert.ok(replies[2]!.result.content[0]!.text.includes(LEAD));
  assert.equal(replies[3]?.result.isError, true);
  assert.match(replies[4]!.result.content[0]!.text, /^1 result\nNo results as typed; .*: compass\n1\. /);
});
