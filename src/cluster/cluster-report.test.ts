import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EMPTY_MANIFEST } from '../index/mod.ts';
import { checkClusterIdentity } from './cluster-identity.ts';
import { readClusterReport } from './cluster-report.ts';
import { Coordinator } from './coordinator.ts';
import { setCrawlPaused } from './control/mod.ts';
import { openDatabase, openExistingDatabase } from './database.ts';
import { SHARD_TABLE } from './leased-tables.ts';
import { Membership } from './membership.ts';
import { CLUSTER_SCHEMA_VERSION } from './migrations.ts';
import { postgresManifestStore } from './postgres-manifest-store.ts';
import { createDatabase, openDatabases } from './test-database.fixture.ts';
import { VnodeOwner } from './vnode-owner.ts';

/** A lease that does not end during a test. */
const LEASE = { leaseMs: 60_000 };
const IDENTITY = { name: 'web', shards: 2 };

test('a report names the nodes, the coordinator, the owners, and what the index has not read', async (t) => {
  const [sql] = await openDatabases(t, 1);
  await checkClusterIdentity(sql!, IDENTITY);
  const join = (node: string, roles: string[], version?: string) =>
    new Membership(
      sql!,
      { node, roles, weight: 1, ...(version !== undefined && { version }) },
      LEASE,
    ).renew();
  await join('worker', ['crawl', 'index'], '1.2.3');
  const coordinator = new Coordinator(sql!, 'worker', LEASE);
  await coordinator.plan((await coordinator.acquire())!);
  await new VnodeOwner(sql!, 'worker', 0).claim();
  await new VnodeOwner(sql!, 'worker', 0, SHARD_TABLE).claim();
  await join('old', ['crawl']);
  await coordinator.plan((await coordinator.acquire())!);
  await sql!`update gyre.vnodes set owner = null where vnode < 10`;
  await sql!`insert into gyre.journal_writers (number, node) values (1, 'worker')`;
  for (const number of [1, 2, 3])
    await sql!`insert into gyre.capture_batches (writer, number, node, batch, warc_bytes, journal_bytes, records)
      values (1, ${number}, 'worker', ${number}, 1, 1, 10)`;
  const indexed = { ...EMPTY_MANIFEST, id: 'x', generation: 1, journal: { n1: 2 } };
  assert.ok(await postgresManifestStore(sql!, 'shard-1').compareAndSwap(EMPTY_MANIFEST, indexed));

  const report = await readClusterReport(sql!, IDENTITY);
  assert.equal(report.name, 'web');
  assert.equal(report.schemaVersion, CLUSTER_SCHEMA_VERSION);
  assert.deepEqual(report.coordinator, { node: 'worker', epoch: 1 });
  const nodes = report.nodes.map(({ node, version, vnodes, shards }) => ({ node, version, vnodes, shards }));
  assert.deepEqual(nodes, [
    { node: 'old', version: null, vnodes: 0, shards: 0 },
    { node: 'worker', version: '1.2.3', vnodes: 246, shards: 2 },
  ]);
  assert.ok(report.nodes.every(({ leaseMs }) => leaseMs > 0));
  assert.equal(report.vnodes.free, 10);
  assert.ok(report.vnodes.moving >= 118 && report.vnodes.moving <= 128, `${report.vnodes.moving} move`);
  const lags = report.shards.map(({ owner, lag }) => ({ owner, ...lag }));
  assert.deepEqual(lags, [
    { owner: 'worker', batches: 3, records: 30 },
    { owner: 'worker', batches: 1, records: 10 },
  ]);
});

test('a node whose lease has expired owns nothing for the report', async (t) => {
  const [sql] = await openDatabases(t, 1);
  await checkClusterIdentity(sql!, IDENTITY);
  await new Membership(sql!, { node: 'dead', roles: ['index'], weight: 1 }, LEASE).renew();
  await sql!`update gyre.shards set owner = 'dead'`;
  await sql!`update gyre.nodes set lease_until = clock_timestamp() - interval '30 s'`;
  const { nodes, shards } = await readClusterReport(sql!, IDENTITY);
  assert.ok(nodes[0]!.leaseMs < 0);
  assert.deepEqual(
    shards.map(({ owner }) => owner),
    [null, null],
  );
});

test('a report reads a schema without the version of nodes, and leaves it as it is', async (t) => {
  const url = await createDatabase(t);
  const sql = await openDatabase(url);
  t.after(() => sql.end());
  await checkClusterIdentity(sql, IDENTITY);
  await new Membership(sql, { node: 'old', roles: ['crawl'], weight: 1 }, LEASE).renew();
  await sql`alter table gyre.nodes drop column version`;
  await sql`alter table gyre.cluster drop column is_paused`;
  await sql`delete from gyre.migrations where version > 5`;
  const reader = await openExistingDatabase(url);
  t.after(() => reader.end());
  const { schemaVersion, nodes, crawl } = await readClusterReport(reader, IDENTITY);
  assert.equal(schemaVersion, 5);
  assert.equal(crawl.isPaused, false);
  assert.equal(nodes[0]!.version, null);
  await assert.rejects(setCrawlPaused(reader, true), {
    code: 'schema-version',
    message: /expected schema version 8 or later, got 5; upgrade the nodes/,
  });
});

test('a pause lasts until it is ended, and is reported', async (t) => {
  const [sql] = await openDatabases(t, 1);
  await checkClusterIdentity(sql!, IDENTITY);
  const isPaused = async () => (await readClusterReport(sql!, IDENTITY)).crawl.isPaused;
  assert.equal(await isPaused(), false);
  assert.equal(await setCrawlPaused(sql!, true), true);
  assert.equal(await setCrawlPaused(sql!, true), false);
  await checkClusterIdentity(sql!, IDENTITY);
  assert.equal(await isPaused(), true);
  assert.equal(await setCrawlPaused(sql!, false), true);
  assert.equal(await isPaused(), false);
});

test('a database without a cluster, or with another one, is refused', async (t) => {
  const url = await createDatabase(t);
  await assert.rejects(openExistingDatabase(url), { code: 'no-cluster', message: /the first gyre node/ });
  const [sql] = await openDatabases(t, 1);
  await checkClusterIdentity(sql!, IDENTITY);
  await assert.rejects(readClusterReport(sql!, { ...IDENTITY, name: 'other' }), { code: 'cluster-differs' });
});
