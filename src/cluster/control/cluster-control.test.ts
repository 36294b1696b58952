import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EMPTY_MANIFEST } from '../../index/mod.ts';
import { checkClusterIdentity } from '../cluster-identity.ts';
import type { ClusterDatabase } from '../database.ts';
import { Membership } from '../membership.ts';
import { postgresManifestStore } from '../postgres-manifest-store.ts';
import { openDatabases } from '../test-database.fixture.ts';
import {
  changeLiveSettings,
  readClusterControl,
  readLiveSettings,
  setCrawlPaused,
  stopCluster,
} from './cluster-control.ts';
import { readClusterHealth } from './cluster-health.ts';
import { removeDeadNodes } from './dead-nodes.ts';
import { readIndexLagMs } from './index-lag.ts';

async function openCluster(t: TestContext): Promise<ClusterDatabase> {
  const [sql] = await openDatabases(t, 1);
  await checkClusterIdentity(sql!, { name: 'web', shards: 2 });
  return sql!;
}

async function join(sql: ClusterDatabase, node: string, leaseMs = 60_000): Promise<Membership> {
  const membership = new Membership(sql, { node, roles: ['crawl', 'index'], weight: 1 }, { leaseMs });
  await membership.renew();
  return membership;
}

test('pause, stop and live settings are read by all nodes', async (t) => {
  const sql = await openCluster(t);
  assert.deepEqual(await readClusterControl(sql), { isPaused: false, stops: 0, revision: 0 });
  assert.equal(await readLiveSettings(sql), null);
  await join(sql, 'a');
  await join(sql, 'dead', 0);
  assert.equal(await setCrawlPaused(sql, true), true);
  assert.equal(await stopCluster(sql), 1);
  const live = { seeds: ['https://example.org/'], crawl: { delay: '2s' } };
  assert.equal(await changeLiveSettings(sql, live), true);
  assert.equal(await changeLiveSettings(sql, live), false, 'the same settings are no change');
  assert.deepEqual(await readLiveSettings(sql), live);
  assert.deepEqual(await readClusterControl(sql), { isPaused: true, stops: 1, revision: 1 });
});

test('the lag is the age of the oldest batch that a live index node has not indexed', async (t) => {
  const sql = await openCluster(t);
  await sql`insert into gyre.journal_writers (number, node) values (1, 'a')`;
  for (const [number, minutes] of [
    [1, 9],
    [2, 5],
    [3, 1],
  ] as const)
    await sql`insert into gyre.capture_batches
      (writer, number, node, batch, warc_bytes, journal_bytes, records, committed_at)
      values (1, ${number}, 'a', ${number}, 1, 1, 10, clock_timestamp() - ${minutes} * interval '1 min')`;
  assert.equal(await readIndexLagMs(sql), 0, 'the crawl does not wait for index nodes that do not exist');
  await join(sql, 'a');
  await sql`update gyre.shards set owner = 'a' where shard = 1`;
  const indexed = { ...EMPTY_MANIFEST, id: 'x', generation: 1, journal: { n1: 1 } };
  assert.ok(await postgresManifestStore(sql, 'shard-1').compareAndSwap(EMPTY_MANIFEST, indexed));
  assert.equal(Math.floor((await readIndexLagMs(sql)) / 60_000), 5);
  await sql`update gyre.shards set owner = 'a'`;
  assert.equal(Math.floor((await readIndexLagMs(sql)) / 60_000), 9, 'the slowest shard counts');
  assert.deepEqual(
    { ...(await readClusterHealth(sql)), indexLagMs: 0 },
    { freeVnodes: 256, indexLagMs: 0, damagedObjects: 0 },
  );
  await sql`update gyre.capture_batches set problem = 'the object is missing' where number = 1`;
  assert.equal(
    Math.floor((await readIndexLagMs(sql)) / 60_000),
    5,
    'a damaged batch does not hold the crawl back',
  );
  await sql`update gyre.shards set problem = 'there is no segment' where shard = 1`;
  assert.equal(await readIndexLagMs(sql), 0, 'a damaged shard does not hold the crawl back');
  assert.equal((await readClusterHealth(sql)).damagedObjects, 2);
});

test('a node that was dead for long is removed with its marks, and may not continue', async (t) => {
  const sql = await openCluster(t);
  const live = await join(sql, 'live');
  const owner = await join(sql, 'owner', 0);
  const dead = await join(sql, 'dead', 0);
  await sql`update gyre.vnodes set owner = 'owner' where vnode = 7`;
  for (const node of ['live', 'owner', 'dead', 'left'])
    await sql`insert into gyre.crawl_marks (node, committed_at) values (${node}, 1)`;
  await removeDeadNodes(sql);
  const nodes = await sql`select node from gyre.crawl_marks order by node`;
  assert.deepEqual(
    nodes.map(({ node }) => node),
    ['dead', 'live', 'owner'],
    'a node may be stopped for a while',
  );
  assert.deepEqual(
    await removeDeadNodes(sql, 0),
    ['dead'],
    'an owner stays until others have claimed its vnodes',
  );
  await live.renew();
  await owner.renew();
  await assert.rejects(dead.renew(), { code: 'member-removed', message: /start the node again/ });
  const [row] = await sql`select count(*)::int as marks from gyre.crawl_marks`;
  assert.equal(row!.marks, 2);
});
