/**
 * Measures the time from fetching a page until a search finds it, while `gyre up` continues to crawl. The log
 * of the site has the time of the fetch.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import { Gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const PAGES = 160;
const DELAY_MS = 250;
const LIMIT_MS = 15_000;
const WATCHED = [5, 15, 25, 35, 45];

test('a page is found within 15 seconds of being fetched, while the crawl continues', async (context) => {
  const site = await serveSite(context);
  const directory = temporaryDirectory(context);
  const config = writeConfig(directory, { delay: `${DELAY_MS}ms` });
  const up = new Gyre(['up', '--data', join(directory, 'data'), '--config', config, '--port', '0', site.url]);
  context.after(() => up.kill('SIGKILL'));
  const [, address] = await up.printed(/search at (http:\S+)/);
  const delays = await Promise.all(WATCHED.map((page) => delayOf(`${address}`, page, site.fetchedAt)));
  context.diagnostic(`found after ${delays.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(', ')}`);
  for (const ms of delays) assert.ok(ms <= LIMIT_MS, `found after ${ms} ms`);
  assert.ok(site.fetchedAt.size < PAGES, 'it was still crawling');
});

/** Returns the time from the response with a page until a search for its unique word finds it. */
async function delayOf(
  address: string,
  page: number,
  fetchedAt: ReadonlyMap<number, number>,
): Promise<number> {
  for (;;) {
    const at = fetchedAt.get(page);
    if (at !== undefined && (await finds(address, wordOf(page)))) return Date.now() - at;
    if (at !== undefined && Date.now() - at > 2 * LIMIT_MS) return Number.POSITIVE_INFINITY;
    await sleep(100);
  }
}

async function finds(address: string, word: string): Promise<boolean> {
  const answer = await fetch(`${address}/api/v1/search?q=${word}&spelling=off`);
  const { results } = (await answer.json()) as { results: { url: string }[] };
  return results.length > 0;
}

function wordOf(page: number): string {
  return `zq${'abcdefghij'[Math.floor(page / 100)]}${'abcdefghij'[Math.floor(page / 10) % 10]}${'abcdefghij'[page % 10]}x`;
}

interface Site {
  url: string;
  /** The time of the last response with each page, by page number. */
  fetchedAt: Map<number, number>;
}

/** Serves a home page with links to all other pages. Each page has its own unique word. */
async function serveSite(context: TestContext): Promise<Site> {
  const fetchedAt = new Map<number, number>();
  const server = createServer((request, response) => {
    const page = Number(/^\/page-(\d+)$/.exec(request.url ?? '')?.[1] ?? -1);
    response.setHeader('content-type', 'text/html');
    if (request.url === '/') {
      const links = Array.from({ length: PAGES }, (_, i) => `<a href="/page-${i}">page ${i}</a>`);
      response.end(`<title>All pages</title>${links.join(' ')}`);
    } else if (page >= 0) {
      fetchedAt.set(page, Date.now());
      response.end(`<title>Page ${page}</title><p>The word of this page is ${wordOf(page)}.`);
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, fetchedAt };
}
