/** Tests the limits on pages per host, per crawl and per depth with the request log of the synthetic web. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import type { Place } from '../../src/synthetic-web/site.ts';
import { gyre, temporaryDirectory } from '../helpers/gyre.ts';
import { writeConfig } from '../helpers/synthetic-crawl.ts';

const BASE = 8;

test('a host without linking domains has its base budget, and a linked host has more', async (context) => {
  const web = await startSmallWeb(context);
  const limits = { pagesPerHost: BASE, maxUrlsPerHost: 1000 };
  const { stdout } = await crawl(context, web, limits);
  const counts = pagesByHost(web);
  const largest = Math.max(...counts.values());
  assert.ok(largest > BASE, `budgets grow: ${largest} pages of one host`);
  assert.ok(largest < 40, `and end: ${largest} pages of one host`);
  assert.match(stdout, /host parked: budget of \d+ pages used/);
});

test('without a larger maximum no host exceeds its base budget, but each icon is fetched', async (context) => {
  const web = await startSmallWeb(context);
  await crawl(context, web, { pagesPerHost: BASE, maxUrlsPerHost: BASE });
  assert.equal(Math.max(...pagesByHost(web).values()), BASE);
  assert.deepEqual(iconHosts(web), [...pagesByHost(web).keys()].sort());
});

test('a crawl ends after maxPages responses, and has fetched the icon of each site', async (context) => {
  const web = await startSmallWeb(context);
  await crawl(context, web, { maxPages: 37 });
  const pages = [...pagesByHost(web).values()].reduce((sum, count) => sum + count, 0);
  assert.equal(pages, 37);
  assert.deepEqual(iconHosts(web), [...pagesByHost(web).keys()].sort());
});

test('no URL beyond maxDepth is requested', async (context) => {
  const web = await startSmallWeb(context);
  await crawl(context, web, { maxDepth: 1 }, web.seeds.slice(0, 1));
  const asked = new Set([...web.log].map(({ host, path }) => `${host}${path}`));
  const pages = [...web.plan.plainPages(web.port)];
  const near = nearest(web, 1);
  for (const [number, page] of pages.entries()) {
    assert.equal(asked.has(`${page.host}${page.path}`), near.has(number), page.url);
  }
});

async function startSmallWeb(context: TestContext): Promise<SyntheticWeb> {
  const web = await startWeb({ seed: 4, hosts: 5, pages: 200, medianPageBytes: 1000 });
  context.after(() => web.close());
  return web;
}

/** Runs a crawl and returns the output of `gyre status`. */
async function crawl(
  context: TestContext,
  web: SyntheticWeb,
  limits: Record<string, number>,
  seeds: readonly string[] = web.seeds,
) {
  const directory = temporaryDirectory(context);
  const config = writeConfig(directory, { delay: '0s', delayFactor: 0, ...limits });
  const options = ['--data', join(directory, 'data'), '--config', config];
  const ended = await gyre(['crawl', ...options, ...seeds]);
  assert.equal(ended.code, 0, ended.stderr);
  return gyre(['status', ...options]);
}

function pagesByHost(web: SyntheticWeb): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of web.log) {
    const { host, path } = entry;
    if (path !== '/robots.txt' && !isIcon(entry)) counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  return counts;
}

/** Returns the host of each request for an icon, including repeated requests. */
function iconHosts(web: SyntheticWeb): string[] {
  return [...web.log]
    .filter(isIcon)
    .map(({ host }) => host)
    .sort();
}

function isIcon({ path }: Place): boolean {
  return path === '/favicon.ico';
}

/** Returns the numbers of the plain pages that are at most `depth` links away from the first page. */
function nearest(web: SyntheticWeb, depth: number): Set<number> {
  const numbers = new Map([...web.plan.plainPages(web.port)].map(({ url }, number) => [url, number]));
  let edge = [0];
  const near = new Set(edge);
  for (let step = 0; step < depth; step++) {
    const links = edge.flatMap((number) => web.plan.linksOf(number, web.port));
    edge = links.flatMap(({ url }) => numbers.get(url) ?? []).filter((number) => !near.has(number));
    for (const number of edge) near.add(number);
  }
  return near;
}
