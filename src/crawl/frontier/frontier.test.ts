import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { canonicalize, fingerprint } from '../../url/mod.ts';
import { World } from './frontier.fixture.ts';
import type { HostQueue } from './host-queue.ts';

test('a host is never leased twice', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2', 'http://b.test/1');
  const first = await world.lease();
  const second = await world.lease();
  assert.notEqual(first.origin, second.origin);
  assert.equal((await world.frontier.next()).kind, 'empty');
  assert.equal(world.frontier.leasedCount, 2);
});

test('a host waits until its polite moment', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2');
  await world.finish(await world.lease(), 'done', world.time + 500);
  assert.deepEqual(await world.frontier.next(), { kind: 'wait', until: world.time + 500, active: true });
  world.time += 500;
  assert.equal(await world.finish(await world.lease(), 'done'), 'http://a.test/2');
  assert.equal((await world.frontier.next()).kind, 'empty');
});

test('every URL is leased exactly once, although a queue has only some URLs in memory', async () => {
  const world = new World();
  const all = Array.from({ length: 200 }, (_, page) => `http://a.test/${page}`);
  await world.discover(...all);
  const fetched: string[] = [];
  for (const _ of all) fetched.push(await world.finish(await world.lease(), 'done'));
  assert.deepEqual(fetched, all);
  assert.equal((await world.frontier.next()).kind, 'empty');
});

test('an uncommitted URL is not read from disk again', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2');
  const host = await world.lease();
  host.take();
  host.take();
  world.frontier.release(host);
  await world.discover('http://a.test/3');
  assert.equal((await world.lease()).take()?.url, 'http://a.test/3');
});

test('a URL that stays ready is leased again', async () => {
  const world = new World();
  await world.discover('http://a.test/1');
  await world.finish(await world.lease(), 'ready');
  const host = await world.lease();
  assert.equal(await world.finish(host, 'done'), 'http://a.test/1');
  assert.equal((await world.frontier.next()).kind, 'empty');
});

test('a host without work leaves memory, and returns when it gets work', async () => {
  const world = new World();
  await world.discover('http://a.test/1');
  const host = await world.lease();
  await world.finish(host, 'done');
  await world.discover('http://a.test/2');
  assert.notEqual(await world.lease(), host);
});

test('after a restart each host with work waits one delay', async () => {
  const world = new World('restart');
  await world.discover('http://a.test/1', 'http://b.test/1');
  world.state.close();
  const again = new World('restart');
  await again.frontier.resume(750);
  assert.deepEqual(await again.frontier.next(), { kind: 'wait', until: again.time + 750, active: true });
});

test('a parked host does not count as active', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2');
  const host = await world.lease();
  await world.park(host, 'ready', world.time + 9000);
  assert.deepEqual(await world.frontier.next(), { kind: 'wait', until: world.time + 9000, active: false });
});

test('the ready host with the most important URL is leased first', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://b.test/1', 'http://c.test/1');
  world.link('http://b.test/1', 'http://b.test/1', 'http://c.test/1');
  const order: string[] = [];
  for (let turn = 0; turn < 3; turn++) order.push((await world.lease()).origin);
  assert.deepEqual(order, ['http://b.test', 'http://c.test', 'http://a.test']);
});

test('known ranks decide the order of the URLs of a host and of hosts', async () => {
  const world = new World();
  const ranks = new Map([
    ['http://b.test/2', 4],
    ['http://c.test/1', 1],
  ]);
  const known = new Map(ranks.entries().map(([url, rank]) => [fingerprint(canonicalize(url)!), rank]));
  world.importance.useRanks((key) => known.get(key) ?? 0);
  world.link('http://a.test/1');
  await world.discover('http://a.test/1', 'http://b.test/1', 'http://b.test/2', 'http://c.test/1');
  const order: (string | undefined)[] = [];
  for (let lease = 0; lease < 3; lease++) order.push((await world.lease()).take()?.url);
  assert.deepEqual(order, ['http://b.test/2', 'http://c.test/1', 'http://a.test/1']);
});

test('new ranks apply to URLs in memory and to their hosts', async () => {
  const world = new World();
  await world.discover(...Array.from({ length: 40 }, (_, page) => `http://a.test/${page}`));
  const others = ['b', 'c', 'd', 'e'].map((host) => `http://${host}.test/`);
  await world.discover(...others);
  const before: string[] = [];
  for (let turn = 0; turn < 3; turn++) before.push(await world.finish(await world.lease(), 'done'));
  const last = others.findLast((url) => !before.includes(url))!;
  const ranks = new Map([
    ['http://a.test/33', 1000],
    [last, 100],
  ]);
  const known = new Map(ranks.entries().map(([url, rank]) => [fingerprint(canonicalize(url)!), rank]));
  world.importance.useRanks((key) => known.get(key) ?? 0);
  const fetched: string[] = [];
  for (let turn = 0; turn < 2; turn++) fetched.push(await world.finish(await world.lease(), 'done'));
  assert.deepEqual(fetched, ['http://a.test/33', last]);
});

test('a large host gives its most important URLs first, and its oldest URLs are not starved', async () => {
  const world = new World();
  const all = Array.from({ length: 60 }, (_, page) => `http://a.test/${page}`);
  await world.discover(...all);
  world.link(...all.slice(40, 50));
  const fetched: string[] = [];
  for (let turn = 0; turn < 9; turn++) fetched.push(await world.finish(await world.lease(), 'done'));
  const pages = fetched.map((url) => Number(url.split('/').at(-1)));
  assert.deepEqual(pages, [40, 41, 42, 43, 44, 45, 46, 0, 47]);
});

test('hosts beyond the working set wait on disk, and each gets its turn', async () => {
  const world = new World(undefined, 2);
  const hosts = ['a', 'b', 'c', 'd', 'e'];
  await world.discover(
    ...hosts.flatMap((host) => Array.from({ length: 70 }, (_, at) => `http://${host}.test/${at}`)),
  );
  const fetched: string[] = [];
  for (let visit = 0; visit < 350; visit++) {
    fetched.push(await world.finish(await world.lease(), 'done'));
    assert.ok(world.frontier.heldCount <= 2, `${world.frontier.heldCount} hosts in memory`);
  }
  assert.equal(new Set(fetched).size, 350);
  assert.equal((await world.frontier.next()).kind, 'empty');
  const turns = fetched.map((url) => new URL(url).hostname).filter((host, at, all) => host !== all[at - 1]);
  assert.ok(turns.indexOf('e.test') < 350 - 70, 'the last host does not wait for the end of the others');
});

test('a host with a huge robots.txt counts as several hosts', async () => {
  const world = new World(undefined, 3);
  await world.discover('http://a.test/1', 'http://a.test/2');
  const host = await world.lease();
  host.robotsRead({ kind: 'rules', body: new Uint8Array(40 * 1024), expiresAt: 1e12 });
  await world.finish(host, 'done', world.time + 100);
  await world.discover('http://b.test/1');
  assert.deepEqual([world.frontier.heldCount, (await world.frontier.next()).kind], [1, 'wait']);
  world.time += 100;
  await world.finish(await world.lease(), 'done');
  assert.equal(await world.finish(await world.lease(), 'done'), 'http://b.test/1');
});

test('a parked host leaves memory, and is tried again when its time has come', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://b.test/1');
  const host = await world.lease();
  await world.park(host, 'ready', world.time + 9000);
  assert.equal(world.frontier.heldCount, 1);
  await world.finish(await world.lease(), 'done');
  assert.deepEqual(await world.frontier.next(), { kind: 'wait', until: world.time + 9000, active: false });
  world.time += 9000;
  const again = await world.lease();
  assert.ok(again.isParked);
  assert.equal(await world.finish(again, 'done'), `${host.origin}/1`);
  assert.equal((await world.frontier.next()).kind, 'empty');
});

test('a host parked by a wrong clock is tried again within a day', async () => {
  const world = new World('clock');
  await world.discover('http://a.test/1');
  const host = await world.lease();
  await world.park(host, 'ready', world.time + 1e12);
  world.state.close();
  const again = new World('clock');
  await again.frontier.resume(0);
  assert.deepEqual(await again.frontier.next(), {
    kind: 'wait',
    until: again.time + 24 * 3_600_000,
    active: false,
  });
});

test('a parked host whose time ended while the crawl was stopped is tried one delay after the start', async () => {
  const world = new World('parked-restart');
  await world.discover('http://a.test/1');
  await world.park(await world.lease(), 'ready', world.time + 100);
  world.state.close();
  const again = new World('parked-restart');
  const startedAt = again.time;
  await again.frontier.resume(10_000);
  again.time += 5000;
  assert.deepEqual(await again.frontier.next(), { kind: 'wait', until: startedAt + 10_000, active: false });
  again.time = startedAt + 10_000;
  assert.equal(await again.finish(await again.lease(), 'done'), 'http://a.test/1');
});

test('on random events no host gets two requests at once or too early, and every URL is fetched once', async () => {
  const seed = testSeed();
  const random = new Random(seed);
  const world = new World(undefined, 4);
  const leased: HostQueue[] = [];
  const nextAt = new Map<string, number>();
  const fetched: string[] = [];
  let discovered = 0;
  for (let step = 0; step < 1500 || leased.length > 0; step++) {
    if (discovered < 300 && random.chance(0.3)) {
      const urls = Array.from(
        { length: 1 + random.below(8) },
        () => `http://h${random.below(12)}.test/${discovered++}`,
      );
      await world.discover(...urls);
    }
    const next = leased.length < 3 && step < 1500 ? await world.frontier.next() : null;
    if (next?.kind === 'lease') {
      const { origin } = next.host;
      assert.ok(!leased.some((host) => host.origin === origin), `leased twice, seed ${seed}`);
      assert.ok((nextAt.get(origin) ?? 0) <= world.time, `too early, seed ${seed}`);
      leased.push(next.host);
    } else if (next?.kind === 'wait') {
      world.time = Math.max(world.time, next.until);
    }
    if (leased.length === 0 || random.chance(0.5)) continue;
    const [host] = leased.splice(random.below(leased.length), 1);
    const moment = world.time + random.pick([0, 10, 1000, 60_000]);
    nextAt.set(host!.origin, moment);
    const isLong = moment > world.time + 1000;
    fetched.push(await (isLong ? world.park(host!, 'done', moment) : world.finish(host!, 'done', moment)));
  }
  assert.equal(new Set(fetched).size, fetched.length, `fetched twice, seed ${seed}`);
  assert.equal(fetched.length, discovered, `all fetched, seed ${seed}`);
  assert.ok(world.frontier.heldCount <= 4);
});
