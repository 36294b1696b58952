/**
 * Crawls the synthetic web with a test cluster. The checks use the request log of the web's server: it shows
 * which pages were fetched, how often, and whether the politeness delays were kept.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { silentLog, sleep, systemClock } from '../../src/base/mod.ts';
import { openSearcher } from '../../src/query/mod.ts';
import { politenessViolations } from '../../src/synthetic-web/checkers.ts';
import { type SyntheticWeb, startWeb } from '../../src/synthetic-web/server.ts';
import { createTestCluster, type TestCluster } from './test-cluster.ts';

export const DELAY_MS = 100;
/** The tolerance for the imprecision of timers and of the kernel. */
const TOLERANCE_MS = 3;
/** The time that a request may spend on its way and at a busy server before it is in the log. */
const TRAVEL_MS = 150;
/**
 * A page that was fetched at least this time ago is committed, because a node commits at least once a second.
 */
const UNCOMMITTED_MS = 3_000;
/** The maximum time to wait for a result. After it the test fails, so that it does not wait forever. */
const PATIENCE_MS = 120_000;

export async function openWeb(context: TestContext, pages = 480): Promise<SyntheticWeb> {
  const web = await startWeb({ seed: 11, hosts: 24, pages });
  context.after(() => web.close());
  return web;
}

interface CrawlOptions {
  /** The seeds of the crawl; by default the seeds of the web. */
  seeds?: readonly string[];
  shards?: number;
  delayMs?: number;
  /** The number of search nodes that have each shard. */
  replicas?: number;
  /** The address of the S3 server; by default the server of the tests. */
  endpoint?: string;
  crawl?: Record<string, unknown>;
}

export function openCluster(
  context: TestContext,
  web: SyntheticWeb,
  { seeds = web.seeds, shards = 2, delayMs = DELAY_MS, replicas, endpoint, crawl }: CrawlOptions = {},
): Promise<TestCluster> {
  const polite = { delay: `${delayMs}ms`, delayFactor: 0, addressDelay: '0ms', icons: 'off' };
  const server = { ...(endpoint !== undefined && { endpoint }), ...(replicas !== undefined && { replicas }) };
  return createTestCluster(context, { seeds, shards, crawl: { ...polite, ...crawl }, ...server });
}

export async function until(
  what: string,
  isTrue: () => Promise<boolean> | boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const endAt = performance.now() + patienceMs;
  while (!(await isTrue())) {
    assert.ok(performance.now() < endAt, `waited too long: ${what}`);
    await sleep(100);
  }
}

/**
 * Returns true if every page was requested, all known URLs have results, and their journal is indexed. Links to
 * pages can be in RabbitMQ for several seconds after a fault, so it is not enough that all known URLs have
 * results.
 */
export async function isDone({ database, shards }: TestCluster, web: SyntheticWeb): Promise<boolean> {
  if (missingPages(web).length > 0) return false;
  const [urls] = await database<{ ready: number; done: number }[]>`
    select count(*) filter (where state = 'ready')::int as ready, count(*)::int as done from gyre.crawl_urls`;
  if (urls!.done === 0 || urls!.ready > 0) return false;
  const behind = await database`
    select from generate_series(0, ${shards - 1}) as shard, gyre.capture_batches b
    where b.journal_bytes > 0 and b.number > coalesce((select (body::json -> 'journal' ->> ('n' || b.writer))::int
      from gyre.manifests where name = 'shard-' || shard), 0) limit 1`;
  return behind.length === 0;
}

function requestCounts(web: SyntheticWeb): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { host, path } of web.log) counts.set(host + path, (counts.get(host + path) ?? 0) + 1);
  return counts;
}

/**
 * Returns a sentence for each page that does not have exactly one shard in which it is found by its own word.
 */
export async function brokenSearch(cluster: TestCluster, web: SyntheticWeb): Promise<string[]> {
  const searchers = [];
  for (let shard = 0; shard < cluster.shards; shard++) {
    const directory = await cluster.openShard(shard);
    searchers.push(openSearcher(directory, { log: silentLog, clock: systemClock }));
  }
  const broken: string[] = [];
  for (const { uniqueWord, url } of web.plan.plainPages(web.port)) {
    const found = await Promise.all(
      searchers.map((searcher) =>
        searcher.search({ query: uniqueWord, offset: 0, limit: 3, collapse: true }),
      ),
    );
    const count = found.reduce((sum, { results }) => sum + results.length, 0);
    if (count !== 1) broken.push(`${uniqueWord} of ${url} is found ${count} times`);
  }
  for (const searcher of searchers) searcher.close();
  return broken;
}

/** Returns true if exactly `nodes` nodes own vnodes, and each of them has committed pages. */
export async function isSharing({ database }: TestCluster, nodes = 2): Promise<boolean> {
  const owners = await database`select distinct owner from gyre.vnodes where owner is not null`;
  const writers = await database`select distinct node from gyre.capture_batches where records > 0`;
  return owners.length === nodes && writers.length === nodes;
}

/** Returns the pages that were fetched more than once. */
export function repeated(web: SyntheticWeb): string[] {
  const counts = requestCounts(web);
  return [...web.plan.plainPages(web.port)].map(nameOf).filter((name) => counts.get(name)! > 1);
}

/** Returns the pages that were never requested. */
export function missingPages(web: SyntheticWeb): string[] {
  const counts = requestCounts(web);
  return [...web.plan.plainPages(web.port)].map(nameOf).filter((name) => !counts.has(name));
}

function nameOf({ host, path }: { host: string; path: string }): string {
  return host + path;
}

export function impoliteness(web: SyntheticWeb, delayMs = DELAY_MS): string[] {
  const limits = { delayMs, toleranceMs: TOLERANCE_MS };
  return politenessViolations(web.log, web.plan, limits).map(({ message }) => message);
}

/**
 * Returns a sentence for each request that came too soon after the last one, if all hosts have one IP address. A request
 * may be on its way for TRAVEL_MS; the delay counts from its start.
 */
export function addressImpoliteness(web: SyntheticWeb, delayMs: number): string[] {
  const requests = web.log.entries();
  return requests.slice(1).flatMap(({ startedAt, number }, at) => {
    const gapMs = Math.round(startedAt - requests[at]!.startedAt);
    return gapMs < delayMs - TRAVEL_MS ? [`request ${number} came ${gapMs} ms after the last one`] : [];
  });
}

/** Returns the pages that were fetched at most UNCOMMITTED_MS before the last request in the log. */
export function recentPages(web: SyntheticWeb): Set<string> {
  const entries = web.log.entries();
  const since = entries.at(-1)!.startedAt - UNCOMMITTED_MS;
  return new Set(entries.filter(({ startedAt }) => startedAt > since).map(nameOf));
}
