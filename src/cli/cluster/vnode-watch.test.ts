/** Tests when a crawl node may send requests, with real leases in PostgreSQL. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Coordinator } from '../../cluster/coordinator.ts';
import { Membership, VnodeOwner } from '../../cluster/mod.ts';
import { openDatabases } from '../../cluster/test-database.fixture.ts';
import { VnodeWatch } from './vnode-watch.ts';

const LONG_MS = 60_000;

/** Joins a node, which claims its vnodes after the plan. */
async function openNode(t: TestContext) {
  const [sql] = await openDatabases(t, 1);
  const membership = new Membership(
    sql!,
    { node: 'node', roles: ['crawl'], weight: 1 },
    { leaseMs: LONG_MS },
  );
  const coordinator = new Coordinator(sql!, 'node', { leaseMs: LONG_MS });
  const owner = new VnodeOwner(sql!, 'node', 0);
  await membership.renew();
  await coordinator.acquire();
  await coordinator.plan(1);
  const held = await owner.claim();
  assert.equal(held.length, 256);
  return { sql: sql!, membership, coordinator, owner, watch: new VnodeWatch(membership, owner, held) };
}

test('a node may send requests after the database has confirmed its vnodes', async (t) => {
  const { watch } = await openNode(t);
  assert.equal(watch.mayFetch(), false);
  assert.equal(await watch.check(), 'none');
  assert.equal(watch.mayFetch(), true);
  watch.suspend();
  assert.equal(watch.mayFetch(), false);
});

test('a node that has lost a vnode gets no permission, although its lease is renewed', async (t) => {
  const { sql, watch, membership } = await openNode(t);
  await sql`update gyre.vnodes set owner = 'other', epoch = epoch + 1 where vnode = 7`;
  await membership.renew();
  assert.equal(await watch.check(), 'lost');
  assert.equal(watch.mayFetch(), false);
});

test('a vnode that another node should own is reported, and one that was released can be claimed', async (t) => {
  const { sql, watch, coordinator, owner, membership } = await openNode(t);
  const other = new Membership(sql, { node: 'other', roles: ['crawl'], weight: 1 }, { leaseMs: LONG_MS });
  await other.renew();
  await coordinator.plan(1);
  assert.equal(await watch.check(), 'unwanted');
  await owner.release(await owner.unwanted());
  const rest = new VnodeWatch(membership, owner, await owner.owned());
  assert.equal(await rest.check(), 'none');
  await other.leave();
  await coordinator.plan(1);
  assert.equal(await rest.check(), 'free');
  assert.equal((await owner.claim()).length, 128);
});

test('a permission ends with the lease that was valid before the check', async (t) => {
  const { sql, owner, watch } = await openNode(t);
  const expired = new Membership(sql, { node: 'node', roles: ['crawl'], weight: 1 }, { leaseMs: 0 });
  await expired.renew();
  const late = new VnodeWatch(expired, owner, watch.held);
  assert.equal(await late.check(), 'none');
  assert.equal(late.mayFetch(), false);
});
