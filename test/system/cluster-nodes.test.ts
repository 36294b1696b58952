/**
 * Crawls the synthetic web with several nodes as processes, on real services: every page is fetched, politeness
 * delays are kept, and all committed pages are indexed. `npm run test:cluster` has more faults.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setCrawlPaused } from '../../src/cluster/mod.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import {
  brokenSearch,
  DELAY_MS,
  impoliteness,
  isDone,
  isSharing,
  missingPages,
  openCluster,
  openWeb,
  recentPages,
  repeated,
  until,
} from '../helpers/cluster-crawl.ts';
import { gyre } from '../helpers/gyre.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';

/** A time without requests that is longer than any pause of a crawl that runs. */
const QUIET_MS = 2_000;

test('two crawl nodes and an index node crawl and index every page once, politely, also around a pause', async (context) => {
  const web = await openWeb(context);
  // The cluster has no seeds and no delay at first; `gyre apply` sets them later.
  const cluster = await openCluster(context, web, { seeds: [], delayMs: 60_000 });
  const nodes = [await cluster.start('index')];
  await gyreOf(cluster, 'pause', /the crawl is paused: its nodes/);
  nodes.push(...(await Promise.all(['crawl', 'crawl'].map((roles) => cluster.start(roles)))));
  await until('the crawl nodes own all vnodes', () => isDivided(cluster));
  assert.equal(web.log.length, 0, 'nodes that start later obey the pause');
  await gyreOf(cluster, 'status', /^ {2}crawl +paused; gyre resume --cluster \S+ continues$/m);
  await gyreOf(cluster, 'resume', /the crawl continues/);
  const changes = { seeds: web.seeds, settings: withDelay(cluster, `${DELAY_MS}ms`) };
  await gyreOf({ file: cluster.changedFile(changes) }, 'apply', /all nodes use these settings within 5 s/);
  await until('the crawl has begun', () => web.log.length > 5);
  const pausedAt = performance.now();
  await setCrawlPaused(cluster.database, true);
  await untilQuiet(web);
  const obeyedMs = Math.round(web.log.entries().at(-1)!.startedAt - pausedAt);
  context.diagnostic(`the last request started ${obeyedMs} ms after the pause`);
  assert.notEqual(missingPages(web).length, 0, 'the pause began during the crawl');
  await gyreOf(cluster, 'resume', /the crawl continues/);
  await until('every page is indexed', () => isDone(cluster, web));
  assert.deepEqual(repeated(web), []);
  assert.deepEqual(impoliteness(web), []);
  assert.deepEqual(await brokenSearch(cluster, web), []);
  assertStatus(await gyreOf(cluster, 'status', /^ {2}crawl +running on 2 nodes$/m));
  await gyreOf(cluster, 'stop', /3 nodes will finish and save the work in progress/);
  for (const node of nodes) {
    const { code, stderr } = await node.ended();
    assert.equal(code, 0, stderr);
  }
  const [left] =
    await cluster.database`select count(*)::int as owned from gyre.vnodes where owner is not null`;
  assert.equal(left!.owned, 0, 'the nodes have released their vnodes');
});

/** Returns the settings of the cluster file with another delay. */
function withDelay({ file }: TestCluster, delay: string): unknown {
  const { settings } = JSON.parse(readFileSync(file, 'utf8'));
  return { ...settings, crawl: { ...settings.crawl, delay } };
}

/** Runs a command for the cluster. Its output must match the pattern. */
async function gyreOf(
  { file }: Pick<TestCluster, 'file'>,
  command: string,
  expected: RegExp,
): Promise<string> {
  const { code, stdout, stderr } = await gyre([command, '--cluster', file]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, expected);
  return stdout;
}

/** Returns true if two nodes own all vnodes. */
async function isDivided({ database }: TestCluster): Promise<boolean> {
  const owners = await database`select owner from gyre.vnodes group by owner`;
  return owners.length === 2 && owners.every(({ owner }) => owner !== null);
}

/** Waits until no request has started for QUIET_MS. */
async function untilQuiet(web: SyntheticWeb): Promise<void> {
  let seen = { requests: -1, at: 0 };
  await until('there are no new requests', () => {
    const requests = web.log.length;
    if (requests !== seen.requests) seen = { requests, at: performance.now() };
    return performance.now() - seen.at > QUIET_MS;
  });
}

/**
 * Checks the status of a cluster with two crawl nodes and an index node that have indexed every page. Leases and vnodes
 * may change at any moment on a slow machine, so their numbers are not compared.
 */
function assertStatus(stdout: string): void {
  assert.match(stdout, /^cluster test-\w+: \d problems?\n/);
  assert.match(stdout, /^! no search node is alive: searches fail:\n {4}gyre node .* --roles search\n/m);
  assert.match(stdout, /^ {2}vnodes +256, \d+ of them free, \d+ moving\n/m);
  assert.match(stdout, /^ {2}hosts +24, 0 of them parked\n/m);
  assert.match(stdout, /^ {2}URLs +\d{3} fetched, 0 queued, /m);
  assert.match(stdout, /^ {2}links +\d+ messages? in \d+ queues?, 0 dead letters\n/m);
  const nodes = [...stdout.matchAll(/^ {2}\w+-\w+ +(crawl|index) +\d+\.\d+\.\d+ +1 +\d+ s/gm)];
  assert.deepEqual(nodes.map(([, role]) => role).sort(), ['crawl', 'crawl', 'index'], stdout);
  assert.equal(stdout.match(/^ {2}[01] +\S+ +1 +\d+ +\d+ +nothing +0 of 2$/gm)?.length, 2, stdout);
}

test('the vnodes of a killed node are taken over, and nothing is lost', async (context) => {
  const web = await openWeb(context);
  const cluster = await openCluster(context, web);
  const [victim] = await Promise.all(['crawl', 'crawl,index'].map((roles) => cluster.start(roles)));
  await until('both nodes crawl', () => isSharing(cluster));
  const before = web.log.length;
  await until('the crawl is in progress', () => web.log.length > before + 40);
  await victim!.kill('SIGKILL');
  const killedAt = performance.now();
  const lastMoments = recentPages(web);
  await until('every page is indexed', () => isDone(cluster, web));
  context.diagnostic(`done ${Math.round(performance.now() - killedAt)} ms after the kill`);
  assert.deepEqual(
    repeated(web).filter((name) => !lastMoments.has(name)),
    [],
    'only pages that were not committed are fetched again',
  );
  assert.deepEqual(impoliteness(web), []);
  assert.deepEqual(await brokenSearch(cluster, web), []);
});
