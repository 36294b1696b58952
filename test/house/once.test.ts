/**
 * Counts how often the program decides about a URL and parses a query, in all of its threads, while it crawls the
 * synthetic web and searches the result. `npm run check:house` runs this file and prints the figures.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startWeb } from '../../src/synthetic-web/mod.ts';
import { reportBar } from '../helpers/bar.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { crawlOptions } from '../helpers/synthetic-crawl.ts';

const COUNTER = pathToFileURL(join(import.meta.dirname, 'count-calls.mjs')).href;
const QUERIES = ['moon tides', 'moon "high tide" -sun', 'sun OR star', 'title:moon site:test'];
/** A word of each query. The server also parses the titles of pages to warm up, and these have no such word. */
const WORDS_OF_QUERIES = /\b(?:moon|sun)\b/;

interface Call {
  name: string;
  thread: number;
  /** The number of pages that the thread had begun to parse. */
  page: number;
  argument: string;
}

function readCalls(file: string): Call[] {
  const pages = new Map<number, number>();
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [name, thread, argument] = JSON.parse(line);
    if (name === 'page') pages.set(thread, (pages.get(thread) ?? 0) + 1);
    return { name, thread, page: pages.get(thread) ?? 0, argument };
  });
}

function countedIn(file: string): Record<string, string> {
  return { NODE_OPTIONS: `--import ${COUNTER}`, CALLS_FILE: file };
}

async function crawlWeb(context: TestContext, directory: string, calls: string): Promise<readonly string[]> {
  const features = { robots: 1, redirects: 1, exactDuplicates: 4, nofollow: 1, sitemaps: 1, feeds: 1 };
  const web = await startWeb({ seed: 3, hosts: 4, pages: 60, features });
  context.after(() => web.close());
  const options = crawlOptions(directory, { delay: '0s' });
  const crawl = await gyre(['crawl', ...web.seeds, ...options], countedIn(calls));
  assert.equal(crawl.code, 0, crawl.stderr);
  const build = await gyre(['build', ...options]);
  assert.equal(build.code, 0, build.stderr);
  return web.seeds;
}

test('a crawl decides once about each link of a page, and never again before the request', async (t) => {
  const directory = temporaryDirectory(t);
  const file = join(directory, 'calls.jsonl');
  const seeds = new Set(await crawlWeb(t, directory, file));
  const decisions = readCalls(file).filter(({ name }) => name === 'decide');
  const ofLinks = decisions.filter(({ thread }) => thread > 0);
  const links = new Set(ofLinks.map(({ thread, page, argument }) => `${thread} ${page} ${argument}`));
  const urls = new Set(ofLinks.map(({ argument }) => argument));
  const again = decisions
    .filter(({ thread, argument }) => thread === 0 && urls.has(argument) && !seeds.has(argument))
    .map(({ argument }) => argument);
  assert.ok(links.size > 300, `${links.size} links`);
  const share = (ofLinks.length / links.size).toFixed(2);
  reportBar(t, 'decisions about each link of a page', `${share} (${links.size} links)`);
  reportBar(t, 'URLs decided again after a page linked to them', `${again.length} (of ${urls.size})`);
  assert.equal(ofLinks.length, links.size);
  assert.deepEqual(again, []);
  await countParses(t, directory);
});

async function countParses(t: TestContext, directory: string): Promise<void> {
  const file = join(directory, 'calls-of-search.jsonl');
  await searchAll(t, directory, file);
  const parsed = readCalls(file).filter(({ argument }) => WORDS_OF_QUERIES.test(argument));
  const share = (parsed.length / QUERIES.length).toFixed(2);
  reportBar(t, 'times that a query is parsed', `${share} (${QUERIES.length} queries)`);
  assert.equal(parsed.length, QUERIES.length, JSON.stringify(parsed));
}

async function searchAll(context: TestContext, directory: string, calls: string): Promise<void> {
  const data = ['--data', join(directory, 'data')];
  const server = new Gyre(['serve', ...data, '--port', '0'], countedIn(calls));
  context.after(() => server.kill('SIGKILL'));
  const [address] = await server.printed(/http:\/\/127\.0\.0\.1:\d+/);
  for (const query of QUERIES) {
    const reply = await fetch(`${address}/search?q=${encodeURIComponent(query)}`);
    assert.equal(reply.status, 200, await reply.text());
  }
  await server.kill('SIGTERM');
}
