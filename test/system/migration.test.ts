/**
 * Tests `gyre migrate` on real services: a half-finished crawl is copied into a cluster, finished there by a node, and
 * copied back. The request log of the synthetic web is the witness: nothing is fetched twice.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { openDirectory, sleep } from '../../src/base/mod.ts';
import { openCrawlState } from '../../src/crawl/mod.ts';
import type { SyntheticWeb } from '../../src/synthetic-web/server.ts';
import {
  brokenSearch,
  isDone,
  missingPages,
  openCluster,
  openWeb,
  repeated,
  until,
} from '../helpers/cluster-crawl.ts';
import { Gyre, gyre, temporaryDirectory } from '../helpers/gyre.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';

const ENVIRONMENT = { GYRE_MEANING_MODEL: 'off' };

async function migrate(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await gyre(['migrate', ...args], ENVIRONMENT);
  assert.equal(code, 0, stderr);
  return stdout;
}

/** Runs a command that must be refused with this message. */
async function refused(message: RegExp, ...args: string[]): Promise<void> {
  const { code, stderr } = await gyre(args, ENVIRONMENT);
  assert.notEqual(code, 0);
  assert.match(stderr, message);
}

/** Starts a copy and kills it as soon as `isTime` returns true. Returns true if it had ended before. */
async function killedCopy(isTime: () => Promise<boolean> | boolean, ...args: string[]): Promise<boolean> {
  const copy = new Gyre(['migrate', ...args], ENVIRONMENT);
  while (copy.child.exitCode === null && !(await isTime())) await sleep(5);
  const { code, stderr } = await copy.kill('SIGKILL');
  assert.ok(code === null || code === 0, stderr);
  return code === 0;
}

async function countsOf(path: string) {
  const state = openCrawlState(openDirectory(path), { readOnly: true });
  const counts = await state.counts();
  const answers = await state.answers();
  state.close();
  return { ...counts, answers };
}

/** Returns the number of archived captures of each page of the web in a data directory. */
async function archivedOnce(path: string, web: SyntheticWeb): Promise<string[]> {
  const { code, stdout, stderr } = await gyre(['export', '--format', 'cdxj', '--data', path], ENVIRONMENT);
  assert.equal(code, 0, stderr);
  const urls = stdout.split('\n').flatMap((line) => /"url":"([^"]+)"/.exec(line)?.[1] ?? []);
  return [...web.plan.plainPages(web.port)]
    .map(({ url }) => url)
    .filter((url) => urls.filter((other) => other === url).length !== 1);
}

test('a crawl moves into a cluster and back: nothing is fetched again, and every page is archived and found', async (context) => {
  const web = await openWeb(context, 264);
  const cluster = await openCluster(context, web, { delayMs: 20 });
  const data = join(temporaryDirectory(context), 'first');
  await crawlHalf(web, cluster, data);
  const before = await countsOf(data);
  assert.ok(before.ready > 0 && before.done > 0, 'the crawl was stopped before its end');
  const [fetchedBefore, requestsBefore] = [before.done, web.log.length];

  await refused(/^gyre: expected either --to FILE or --from FILE/m, 'migrate');
  const progressOf = async () => {
    const [row] = await cluster.database`select marks from gyre.crawl_marks where node = 'migration'`;
    return row === undefined ? null : JSON.parse(row.marks);
  };
  const into = ['--to', cluster.file, '--data', data];
  assert.equal(await killedCopy(async () => (await progressOf()) !== null, ...into), false);
  const early = await cluster.refused('index', {});
  assert.equal(early.code, 4);
  assert.match(early.stderr, /a migration into this cluster is unfinished: run the same gyre migrate/);
  const ended = await killedCopy(async () => (await progressOf())?.place.rows?.table === 'url', ...into);
  if (!ended) await migrate(...into);
  await refused(/the cluster has a crawl already/, 'migrate', '--to', cluster.file, '--data', data);
  assert.deepEqual(await clusterCounts(cluster), { done: fetchedBefore, ready: before.ready });
  assert.equal(web.log.length, requestsBefore, 'a copy sends no requests');

  const node = await cluster.start('crawl,index');
  await refused(/1 nodes? of the cluster/, 'migrate', '--from', cluster.file, '--data', `${data}-early`);
  await until('every page is indexed', () => isDone(cluster, web));
  assert.deepEqual(repeated(web), []);
  assert.deepEqual(await brokenSearch(cluster, web), []);
  assert.equal((await node.kill('SIGTERM')).code, 0);

  const back = join(temporaryDirectory(context), 'back');
  await refused(/has files: name a directory/, 'migrate', '--from', cluster.file, '--data', data);
  const from = ['--from', cluster.file, '--data', back];
  const hasBegun = () => existsSync(join(back, 'migration.json'));
  if (!(await killedCopy(hasBegun, ...from))) await migrate(...from);
  assert.deepEqual(
    readdirSync(back).filter((name) => name.startsWith('migration')),
    [],
  );
  assert.ok(existsSync(join(back, 'crawl.db')));
  const after = await countsOf(back);
  assert.equal(after.ready, 0);
  assert.deepEqual(await archivedOnce(back, web), []);
  const requests = web.log.length;
  const again = await gyre(['crawl', '--data', back, ...settings(cluster)], ENVIRONMENT);
  assert.equal(again.code, 0, again.stderr);
  assert.equal(web.log.length, requests, 'the crawl is complete, so nothing is fetched');
  const built = await gyre(['build', '--data', back], ENVIRONMENT);
  assert.equal(built.code, 0, built.stderr);
  for (const page of [...web.plan.plainPages(web.port)].slice(0, 2)) {
    const { stdout } = await gyre(['search', page.uniqueWord, '--data', back, '--json'], ENVIRONMENT);
    assert.ok(stdout.includes(page.url), `${page.url} is found`);
  }
});

/** Returns options with the settings of the cluster file, for commands on a data directory. */
function settings(cluster: TestCluster): string[] {
  const { settings: values } = JSON.parse(readFileSync(cluster.file, 'utf8'));
  const file = join(dirname(cluster.file), 'settings.json');
  writeFileSync(file, JSON.stringify(values));
  return ['--config', file];
}

async function clusterCounts({ database }: TestCluster) {
  const rows = await database<{ counted: string; count: number }[]>`
    select counted, sum(count)::int as count from gyre.crawl_counts where counted in ('done', 'ready') group by counted`;
  return Object.fromEntries(rows.map(({ counted, count }) => [counted, count]));
}

/** Crawls about half of the web with an ordinary engine, and stops it. */
async function crawlHalf(web: SyntheticWeb, cluster: TestCluster, data: string): Promise<void> {
  const up = new Gyre(['crawl', ...web.seeds, '--data', data, ...settings(cluster)], ENVIRONMENT);
  const half = [...web.plan.plainPages(web.port)].length / 2;
  await until('half of the web was crawled', () => missingPages(web).length < half);
  await up.kill('SIGTERM');
}
