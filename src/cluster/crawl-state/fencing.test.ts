/** Tests crawl states of several nodes in one PostgreSQL: fencing, hand-over, lost connections and interrupted commits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../base/mod.ts';
import { emptyCommit } from '../../crawl/state/state.fixture.ts';
import { canonicalize, fingerprint, hostOf, partitionOf } from '../../url/mod.ts';
import { type ClusterDatabase, openDatabase } from '../database.ts';
import { ServiceError } from '../service-error.ts';
import { createDatabase, openDatabases } from '../test-database.fixture.ts';
import { ALL_VNODES, openState } from './crawl-state.fixture.ts';

const [EVEN, ODD] = [0, 1].map((rest) => ALL_VNODES.filter((vnode) => vnode % 2 === rest));

/** Returns URLs of `count` hosts whose vnodes are even (`rest` is 0) or odd. */
function discoveredIn(rest: number, count: number) {
  const urls = Array.from({ length: 10 * count }, (_, number) => canonicalize(`https://h${number}.test/`)!);
  const mine = urls.filter((url) => partitionOf(hostOf(url)) % 2 === rest).slice(0, count);
  assert.equal(mine.length, count);
  return mine.map((url) => ({ url, fingerprint: fingerprint(url), depth: 0 }));
}

/** Returns the number of rows in each table of the crawl state that has rows. */
async function rowCounts(sql: ClusterDatabase): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`select table_name as name from information_schema.tables
    where table_schema = 'gyre' and table_name like 'crawl%' order by 1`;
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await sql`select count(*)::int as count from gyre.${sql(name)}`;
    if (row!.count > 0) counts[name] = row!.count;
  }
  return counts;
}

test('two nodes with different vnodes work side by side, and each sees its own hosts', async (t) => {
  const [first, second] = await openDatabases(t, 2);
  const even = await openState(first!, 'even', { vnodes: EVEN! });
  const odd = await openState(second!, 'odd', { vnodes: ODD! });
  const [mine, others] = [discoveredIn(0, 30), discoveredIn(1, 20)];
  await Promise.all(
    Array.from({ length: 5 }, (_, part) => [
      even.commit({ ...emptyCommit(), discovered: mine.slice(part * 6, part * 6 + 6), seenBytes: 8 }),
      odd.commit({ ...emptyCommit(), discovered: others.slice(part * 4, part * 4 + 4), seenBytes: 16 }),
    ]).flat(),
  );
  const origins = async (state: typeof even) =>
    (await state.frontHosts(0, '', 99)).map(({ origin }) => origin);
  assert.deepEqual((await origins(even)).sort(), mine.map(({ url }) => url.slice(0, -1)).sort());
  assert.equal((await origins(odd)).length, 20);
  assert.deepEqual([(await even.counts()).ready, (await odd.counts()).ready], [30, 20]);
  assert.equal((await even.fingerprints(null, 99)).length, 30);
  assert.deepEqual([(await even.marks())?.seenBytes, (await odd.marks())?.seenBytes], [8, 16]);
  const result = { state: 'done', attempts: 0, status: 200, reason: { code: 'page' }, fetchedAt: 1 } as const;
  await even.commit({
    ...emptyCommit(),
    results: mine.map(({ fingerprint: key }) => ({ fingerprint: key, ...result })),
  });
  assert.deepEqual([(await even.counts()).done, (await odd.counts()).done], [30, 0]);
});

test('the first node that claims a content owns it on all nodes', async (t) => {
  const [first, second] = await openDatabases(t, 2);
  const even = await openState(first!, 'even', { vnodes: EVEN! });
  const odd = await openState(second!, 'odd', { vnodes: ODD! });
  const [mine, other] = [discoveredIn(0, 1)[0]!, discoveredIn(1, 1)[0]!];
  const claim = ({ url }: typeof mine) => new Map([['D', { url, fetchedAt: 1, payloadDigest: 'P' }]]);
  await even.commit({ ...emptyCommit(), contents: claim(mine) });
  await odd.commit({ ...emptyCommit(), contents: claim(other) });
  assert.equal((await odd.contentOwner('D'))?.url, mine.url);
});

test('after a hand-over the new owner continues with all rows, and the old one is refused', async (t) => {
  const [first, second] = await openDatabases(t, 2);
  const old = await openState(first!, 'old');
  const [url, next] = discoveredIn(0, 2);
  await old.useRules('rules');
  await old.commit({ ...emptyCommit(), discovered: [{ ...url!, verb: 'follow' }] });
  const origin = url!.url.slice(0, -1);
  await old.pause(origin, 77);
  const successor = await openState(second!, 'new', { vnodes: EVEN!, epoch: 2 });
  await successor.useRules('rules');
  const before = await rowCounts(second!);
  const refused = {
    code: 'stale-epoch',
    message: /^old no longer owns vnode 0 \(epoch 1\), 2 .+, 123 more: the write was refused/,
  };
  await assert.rejects(old.commit({ ...emptyCommit(), discovered: [next!], seenBytes: 8 }), refused);
  for (const late of [
    () => old.pause(origin, 99),
    () => old.wakeDue(1, 1),
    () => old.moveTimes(1, 1),
    () => old.useRules('late'),
    () => old.unparkFailed('address-refused'),
    () => old.replaceSketches(new Map(), 1),
  ])
    await assert.rejects(late(), refused);
  assert.deepEqual(await rowCounts(second!), before);
  assert.deepEqual(await successor.marks(), null, 'the files of the old node stay with it');
  assert.equal((await successor.host(origin))!.nextFetchAt, 77);
  assert.equal((await successor.readyUrls(origin, 9))[0]!.verb, 'follow');
  await successor.commit({ ...emptyCommit(), discovered: [next!] });
  assert.equal((await successor.counts()).ready, 2);
});

test('a node that has released some vnodes continues with the others, and cannot write rows of the released', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const state = await openState(sql!, 'node');
  const [mine, other] = [discoveredIn(0, 2), discoveredIn(1, 2)];
  await state.commit({ ...emptyCommit(), discovered: [mine[0]!, other[0]!] });
  await state.hold(EVEN!.map((vnode) => ({ vnode, epoch: 1 })));
  assert.equal((await state.counts()).ready, 1);
  await state.commit({ ...emptyCommit(), discovered: [mine[1]!] });
  const refused = { code: 'stale-epoch', message: /^node does not own vnode \d+: the write was refused/ };
  const before = await rowCounts(sql!);
  await assert.rejects(state.commit({ ...emptyCommit(), discovered: [other[1]!] }), refused);
  await assert.rejects(state.commit({ ...emptyCommit(), discovered: [other[0]!] }), refused);
  const result = { state: 'done', attempts: 0, status: 200, reason: { code: 'page' }, fetchedAt: 1 } as const;
  const results = [
    { ...result, fingerprint: mine[0]!.fingerprint },
    { ...result, fingerprint: other[0]!.fingerprint },
  ];
  await assert.rejects(state.commit({ ...emptyCommit(), results }), refused);
  await assert.rejects(state.pause(other[0]!.url.slice(0, -1), 9), refused);
  assert.deepEqual(await rowCounts(sql!), before);
  assert.equal((await state.counts()).ready, 2);
});

test('a commit that is cut in the middle leaves nothing, and can be repeated', {
  timeout: 30_000,
}, async (t) => {
  const [sql, other] = await openDatabases(t, 2);
  const state = await openState(sql!, 'node');
  const before = await rowCounts(other!);
  const batch = {
    ...emptyCommit(),
    discovered: [...discoveredIn(0, 20), ...discoveredIn(1, 20)],
    seenBytes: 8,
  };
  // The marks are written last. While the other connection locks their table, the commit waits with all other rows.
  const [locked, unlock] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = other!.begin(async (tx) => {
    await tx`lock table gyre.crawl_marks in access exclusive mode`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  const committing = assert.rejects(state.commit(batch), (error) => {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'service-unreachable');
    assert.equal(error.canHeal, true);
    return true;
  });
  const waiting = () => other!`select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database() and query like '%crawl_marks%'`;
  while ((await waiting()).length === 0) await sleep(20);
  await committing;
  unlock.resolve();
  await locking;
  assert.deepEqual(await rowCounts(other!), before);
  assert.equal((await state.commit(batch)).added.length, 40);
  assert.equal((await state.marks())?.seenBytes, 8);
});

test('a server that has gone is reported as a service that may heal', async (t) => {
  const url = await createDatabase(t);
  const sql = await openDatabase(url);
  const state = await openState(sql, 'node');
  await sql.end();
  const lost = {
    code: 'service-unreachable',
    canHeal: true,
    message: /^PostgreSQL at 127\.0\.0\.1:\d+ is unreachable/,
  };
  await assert.rejects(state.counts(), lost);
  await assert.rejects(state.commit(emptyCommit()), lost);
});

test('the counts are those of a scan of all URLs and hosts', async (t) => {
  const [sql] = await openDatabases(t, 1);
  const state = await openState(sql!, 'node');
  const discovered = [...discoveredIn(0, 20), ...discoveredIn(1, 20)];
  await state.commit({ ...emptyCommit(), discovered });
  const codes = ['page', 'gone', 'noindex'] as const;
  const states = ['done', 'refused', 'failed', 'ready'] as const;
  for (let round = 0; round < 5; round++) {
    const results = discovered
      .filter((_, at) => (at + round) % 3 > 0)
      .map(({ fingerprint: key }, at) => ({
        ...{ fingerprint: key, attempts: 0, status: 200, fetchedAt: 1 },
        state: states[(at * 7 + round) % 4]!,
        reason: { code: codes[(at + round) % 3]! },
      }));
    await state.commit({ ...emptyCommit(), results: [...results, ...results.slice(0, 3)] });
  }
  const scanned =
    await sql!`select vnode, state as counted, case state when 'ready' then '' else reason end as reason,
      count(*) from gyre.crawl_urls group by 1, 2, 3
    union all select vnode, 'host', '', count(*) from gyre.crawl_hosts group by 1 order by 1, 2, 3`;
  const counted =
    await sql!`select vnode, counted, reason, count from gyre.crawl_counts where count <> 0 order by 1, 2, 3`;
  assert.deepEqual([...counted], [...scanned]);
  const withWork = await sql!`select from gyre.crawl_hosts h where not has_work
    and exists (select from gyre.crawl_urls u where u.host = h.number and u.state = 'ready')`;
  assert.equal(withWork.length, 0);
});
