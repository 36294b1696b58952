/** Tests of icons in the frontier: fetched after pages, kept on disk, and the last work of a crawl. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteIcon } from '../state/site-icon.ts';
import { World } from './frontier.fixture.ts';
import type { HostQueue } from './host-queue.ts';

const WANTED: SiteIcon = {
  found: '',
  etag: '',
  lastModified: '',
  next: 'http://a.test/favicon.ico',
  asked: [],
  dueAt: 0,
};
const FOUND: SiteIcon = { ...WANTED, found: WANTED.next, next: '', dueAt: 1e15 };

/** Fetches a page of the host that declares an icon, so that the host wants its icon. */
async function finishWithIcon(world: World, host: HostQueue, nextFetchAt?: number): Promise<void> {
  host.keepIcon({ ...WANTED });
  await world.finish(host, 'done', nextFetchAt);
}

test('a host without pages is leased once for its icon', async () => {
  const world = new World();
  await world.discover('http://a.test/1');
  const host = await world.lease();
  await finishWithIcon(world, host);
  const again = await world.lease();
  assert.equal(again, host);
  assert.ok(again.isIconsTurn);
  assert.equal(again.take(), undefined);
  await world.settleIcon(again, FOUND);
  assert.equal((await world.frontier.next()).kind, 'empty');
  assert.equal(world.frontier.heldCount, 0);
  assert.equal((await world.state.host('http://a.test'))?.icon?.found, WANTED.next);
});

test('an icon is requested only after the commit, so that new pages of the commit come first', async () => {
  const world = new World();
  await world.discover('http://a.test/1');
  const host = await world.lease();
  host.keepIcon({ ...WANTED });
  assert.ok(!host.wantsIcon);
  await world.discover('http://a.test/2');
  await world.finish(host, 'done');
  const again = await world.lease();
  assert.ok(again.wantsIcon && !again.isIconsTurn);
  assert.equal(await world.finish(again, 'done'), 'http://a.test/2');
  assert.ok((await world.lease()).isIconsTurn);
});

test('the icon of a large site is requested before all of its pages are', async () => {
  const world = new World();
  await world.discover(...Array.from({ length: 30 }, (_, page) => `http://a.test/${page}`));
  await finishWithIcon(world, await world.lease());
  let pages = 1;
  for (let host = await world.lease(); !host.isIconsTurn; host = await world.lease()) {
    await world.finish(host, 'done');
    pages++;
  }
  assert.ok(pages > 1 && pages < 30, `after ${pages} pages`);
});

test('pages of other hosts are requested before an icon', async () => {
  const world = new World();
  await world.discover('http://a.test/1');
  await finishWithIcon(world, await world.lease());
  await world.discover('http://b.test/1');
  assert.equal((await world.lease()).origin, 'http://b.test');
  assert.equal((await world.lease()).origin, 'http://a.test');
});

test('a pending icon request survives a restart, even if the host has no URL left', async () => {
  const world = new World('killed');
  await world.discover('http://a.test/1');
  await finishWithIcon(world, await world.lease());
  world.state.close();
  const next = new World('killed');
  await next.frontier.resume(0);
  const host = await next.lease();
  assert.ok(host.isIconsTurn);
  assert.equal(host.icon?.next, WANTED.next);
});

test('after maxPages, hosts are leased only for icons, and no long wait is made', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://b.test/1', 'http://b.test/2', 'http://c.test/1');
  await world.discover('http://a.test/2', 'http://d.test/1');
  const hosts = new Map<string, HostQueue>();
  for (let count = 0; count < 4; count++) {
    const host = await world.lease();
    hosts.set(host.origin, host);
  }
  await finishWithIcon(world, hosts.get('http://a.test')!, world.time + 500);
  await world.finish(hosts.get('http://b.test')!, 'done', world.time + 100);
  world.frontier.fetchIconsOnly();
  await finishWithIcon(world, hosts.get('http://c.test')!, world.time + 3_600_000);
  await finishWithIcon(world, hosts.get('http://d.test')!);
  await world.discover('http://e.test/1', 'http://b.test/3');
  const last = await world.lease();
  assert.equal(last.origin, 'http://d.test');
  await world.settleIcon(last, FOUND);
  assert.deepEqual(await world.frontier.next(), { kind: 'wait', until: world.time + 500, active: true });
  world.time += 500;
  const first = await world.lease();
  assert.equal(first.origin, 'http://a.test');
  await world.settleIcon(first, FOUND);
  assert.equal((await world.frontier.next()).kind, 'empty');
});
