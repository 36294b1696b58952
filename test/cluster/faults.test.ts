/**
 * Faults of a cluster that take long to survive: `npm run test:cluster`. The request log of the synthetic web is the
 * witness, as in test/system/cluster-nodes.test.ts.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sleep } from '../../src/base/mod.ts';
import {
  brokenSearch,
  impoliteness,
  isDone,
  isSharing,
  openCluster,
  openWeb,
  repeated,
  until,
} from '../helpers/cluster-crawl.ts';
import type { Gyre } from '../helpers/gyre.ts';
import type { TestCluster } from '../helpers/test-cluster.ts';

/** Longer than the lease of a node. */
const STOPPED_MS = 9_000;

/** Crawls with two nodes, and calls `disturb` while both crawl. Returns what was fetched more than once. */
async function crawlWith(
  context: TestContext,
  disturb: (nodes: Gyre[], cluster: TestCluster) => Promise<void>,
): Promise<string[]> {
  const web = await openWeb(context, 720);
  const cluster = await openCluster(context, web);
  const nodes = await Promise.all(['crawl,index', 'crawl,index'].map((roles) => cluster.start(roles)));
  await until('both nodes crawl', () => isSharing(cluster));
  await disturb(nodes, cluster);
  await until('every page is indexed', () => isDone(cluster, web));
  assert.deepEqual(impoliteness(web), []);
  assert.deepEqual(await brokenSearch(cluster, web), []);
  return repeated(web);
}

test('a node that was stopped for longer than its lease fetches nothing for its lost vnodes', async (context) => {
  const again = await crawlWith(context, async ([stopped]) => {
    stopped!.child.kill('SIGSTOP');
    await sleep(STOPPED_MS);
    stopped!.child.kill('SIGCONT');
  });
  context.diagnostic(`${again.length} pages were fetched again`);
});

test('the coordinator is killed: another node takes its lease, and a new node joins', async (context) => {
  await crawlWith(context, async (nodes, cluster) => {
    const before = await coordinatorOf(cluster);
    const victim = nodes.find(({ stderr }) => stderr.includes(before.node));
    assert.ok(victim, `no process has the name ${before.node}`);
    await victim.kill('SIGKILL');
    const killedAt = performance.now();
    await until('another coordinator', async () => (await coordinatorOf(cluster)).epoch > before.epoch);
    context.diagnostic(`another coordinator after ${Math.round(performance.now() - killedAt)} ms`);
    await cluster.start('crawl,index');
  });
});

async function coordinatorOf({ database }: TestCluster): Promise<{ node: string; epoch: number }> {
  const [row] = await database<{ node: string; epoch: number }[]>`select node, epoch from gyre.coordinator`;
  return row!;
}
