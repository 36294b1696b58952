/** Tests membership, the coordinator lease and the ownership of vnodes, with several nodes on one PostgreSQL. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sleep } from '../base/mod.ts';
import { Coordinator } from './coordinator.ts';
import type { ClusterDatabase } from './database.ts';
import { Membership } from './membership.ts';
import { openDatabases } from './test-database.fixture.ts';
import { VnodeOwner } from './vnode-owner.ts';

const LONG_MS = 60_000;
const DELAY_MS = 30_000;

function nodeOf(sql: ClusterDatabase, node: string, leaseMs = LONG_MS) {
  return {
    sql,
    membership: new Membership(sql, { node, roles: ['crawl'], weight: 1 }, { leaseMs }),
    coordinator: new Coordinator(sql, node, { leaseMs }),
    owner: new VnodeOwner(sql, node, DELAY_MS),
  };
}

async function openNodes(t: TestContext, leaseMs = LONG_MS) {
  const [first, second] = await openDatabases(t, 2);
  return [nodeOf(first!, 'first', leaseMs), nodeOf(second!, 'second')] as const;
}

/** Makes a lease expire `agoMs` ago, as if its holder had stopped renewing it before that. */
async function expire(sql: ClusterDatabase, agoMs = 1): Promise<void> {
  const past = sql`clock_timestamp() - ${agoMs} * interval '1 ms'`;
  await sql`update gyre.nodes set lease_until = ${past} where node = 'first'`;
  await sql`update gyre.coordinator set lease_until = ${past} where node = 'first'`;
}

test('one node at a time is the coordinator, and its renewals keep the epoch', async (t) => {
  const [first, second] = await openNodes(t);
  const epochs = await Promise.all([first.coordinator.acquire(), second.coordinator.acquire()]);
  assert.deepEqual(epochs.toSorted(), [1, null]);
  const holder = epochs[0] === 1 ? first : second;
  const other = epochs[0] === 1 ? second : first;
  assert.equal(await holder.coordinator.acquire(), 1);
  assert.equal(await other.coordinator.acquire(), null);
  await holder.coordinator.release(1);
  assert.equal(await other.coordinator.acquire(), 2);
});

test('if the coordinator stops renewing, another node takes over and the late plan is refused', async (t) => {
  const [first, second] = await openNodes(t, 200);
  await second.membership.renew();
  assert.equal(await first.coordinator.acquire(), 1);
  await sleep(250);
  assert.equal(await second.coordinator.acquire(), 2);
  await assert.rejects(first.coordinator.plan(1), { code: 'stale-epoch' });
  await first.coordinator.release(1);
  assert.equal(await second.coordinator.plan(2), 256, 'a late release changes nothing');
});

test('a coordinator that was late for its own lease gets the next epoch', async (t) => {
  const [first] = await openNodes(t);
  assert.equal(await first.coordinator.acquire(), 1);
  await expire(first.sql);
  assert.equal(await first.coordinator.acquire(), 2);
  await assert.rejects(first.coordinator.plan(1), { code: 'stale-epoch' });
});

test('a node that joins gets half of the vnodes after the other has released them', async (t) => {
  const [first, second] = await openNodes(t);
  await first.membership.renew();
  await first.coordinator.acquire();
  assert.equal(await first.coordinator.plan(1), 256);
  assert.equal((await first.owner.claim()).length, 256);
  await second.membership.renew();
  assert.equal(await first.coordinator.plan(1), 128);
  assert.deepEqual(await second.owner.claim(), [], 'the first node still owns all');
  const unwanted = await first.owner.unwanted();
  await first.owner.release(unwanted);
  const claimed = await second.owner.claim();
  assert.deepEqual(
    claimed,
    unwanted.map(({ vnode, epoch }) => ({ vnode, epoch: epoch + 1 })),
  );
  assert.equal(await first.coordinator.plan(1), 0);
});

test('the vnodes of a dead node are claimed one delay after its lease, and its writes are refused', async (t) => {
  const [first, second] = await openNodes(t);
  await first.membership.renew();
  await first.coordinator.acquire();
  await first.coordinator.plan(1);
  const owned = await first.owner.claim();
  await first.sql`create table writes (node text)`;
  await first.owner.write(owned, (tx) => tx`insert into writes values ('first')`);
  await second.membership.renew();
  await expire(first.sql);
  assert.equal(await second.coordinator.acquire(), 2);
  assert.equal(await second.coordinator.plan(2), 256);
  assert.deepEqual(await second.owner.claim(), [], 'the delay has not passed');
  await expire(first.sql, DELAY_MS + 1);
  const claimed = await second.owner.claim();
  assert.equal(claimed.length, 256);
  const late = first.owner.write(owned.slice(0, 1), (tx) => tx`insert into writes values ('late')`);
  await assert.rejects(late, { code: 'stale-epoch', message: /^first no longer owns vnode 0 \(epoch 1\)/ });
  await first.owner.release(owned);
  await second.owner.write(claimed, (tx) => tx`insert into writes values ('second')`);
  assert.deepEqual([...(await first.sql`select node from writes`)], [{ node: 'first' }, { node: 'second' }]);
});

test('a claim waits for a write in progress', async (t) => {
  const [first, second] = await openNodes(t);
  await first.membership.renew();
  await first.coordinator.acquire();
  await first.coordinator.plan(1);
  const owned = await first.owner.claim();
  await second.membership.renew();
  await first.sql`update gyre.vnodes set wanted = 'second'`;
  await expire(first.sql, LONG_MS);
  const order: string[] = [];
  let claiming: Promise<unknown> = Promise.resolve();
  await first.owner.write(owned.slice(7, 8), async () => {
    claiming = second.owner.claim().then(() => order.push('claimed'));
    await sleep(100);
    order.push('written');
  });
  await claiming;
  assert.deepEqual(order, ['written', 'claimed']);
});

test('a node knows when its lease may have expired', async (t) => {
  const [first] = await openNodes(t, 50);
  assert.equal(first.membership.isHeld(), false);
  await first.membership.renew();
  while (first.membership.isHeld()) await sleep(5);
});

test('a node that left gets no vnodes', async (t) => {
  const [first, second] = await openNodes(t);
  await first.membership.renew();
  assert.equal(first.membership.isHeld(), true);
  await second.membership.renew();
  await first.membership.leave();
  assert.equal(first.membership.isHeld(), false);
  await second.coordinator.acquire();
  await second.coordinator.plan(1);
  assert.deepEqual(await first.owner.claim(), []);
  assert.equal((await second.owner.claim()).length, 256);
});
