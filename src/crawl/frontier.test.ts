import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { JOURNAL_START, WARC_START } from '../archive/mod.ts';
import { openDirectory } from '../base/mod.ts';
import { canonicalize, fingerprint } from '../url/mod.ts';
import type { CrawlState, UrlResult, UrlState } from './crawl-state.ts';
import { Frontier, type HostQueue } from './frontier.ts';
import { Gates } from './gates.ts';
import { Importance } from './importance.ts';
import { openCrawlState } from './sqlite-state.ts';

const root = mkdtempSync(join(tmpdir(), 'gyre-frontier-'));
after(() => rmSync(root, { recursive: true }));
let directories = 0;

/** A frontier over a real state, with a clock that the test turns. */
class World {
  time = 1_000_000;
  readonly state: CrawlState;
  readonly importance = new Importance();
  readonly frontier: Frontier;

  constructor(name = String(++directories)) {
    this.state = openCrawlState(openDirectory(join(root, name)));
    this.frontier = new Frontier({
      state: this.state,
      importance: this.importance,
      gates: new Gates({ addressDelayMs: 0, groups: [], clock: { now: () => this.time } }),
      clock: { now: () => this.time },
      productToken: 'gyre',
    });
  }

  async discover(...raws: string[]): Promise<void> {
    const { added } = await this.#commit([], raws);
    await this.frontier.added(added);
  }

  /** Fetches the next URL of a leased host, with this result, and gives the lease back. */
  async finish(host: HostQueue, state: UrlState, nextFetchAt = this.time): Promise<string> {
    const ready = host.take()!;
    const result = {
      fingerprint: ready.fingerprint,
      state,
      attempts: 1,
      status: 200,
      reason: '',
      fetchedAt: 0,
    };
    host.row.nextFetchAt = nextFetchAt;
    this.frontier.release(host);
    await this.#commit([result], []);
    this.frontier.committed([result], new Map([[ready.fingerprint, host]]));
    return ready.url;
  }

  async lease(): Promise<HostQueue> {
    const next = await this.frontier.next();
    assert.ok(next.kind === 'lease', next.kind);
    return next.host;
  }

  #commit(results: UrlResult[], raws: string[]) {
    const discovered = raws.map((raw) => {
      const url = canonicalize(raw)!;
      return { url, fingerprint: fingerprint(url), depth: 0 };
    });
    const marks = { warc: WARC_START, journal: JOURNAL_START, seenBytes: 0, sketches: 0 };
    return this.state.commit({
      results,
      discovered,
      hosts: [],
      contents: new Map(),
      maxUrlsPerHost: 1e6,
      ...marks,
    });
  }
}

test('a host is never leased twice', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2', 'http://b.test/1');
  const first = await world.lease();
  const second = await world.lease();
  assert.notEqual(first.row.origin, second.row.origin);
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

test('every URL is leased exactly once, though a queue holds a page of them', async () => {
  const world = new World();
  const all = Array.from({ length: 200 }, (_, page) => `http://a.test/${page}`);
  await world.discover(...all);
  const fetched: string[] = [];
  for (const _ of all) fetched.push(await world.finish(await world.lease(), 'done'));
  assert.deepEqual(fetched, all);
  assert.equal((await world.frontier.next()).kind, 'empty');
});

test('a URL that is taken but not committed is not read a second time', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2');
  const host = await world.lease();
  host.take();
  host.take();
  world.frontier.release(host);
  await world.discover('http://a.test/3');
  assert.equal((await world.lease()).take()?.url, 'http://a.test/3');
});

test('a URL that stays ready comes again', async () => {
  const world = new World();
  await world.discover('http://a.test/1');
  await world.finish(await world.lease(), 'ready');
  const host = await world.lease();
  assert.equal(await world.finish(host, 'done'), 'http://a.test/1');
  assert.equal((await world.frontier.next()).kind, 'empty');
});

test('a host that is done is forgotten, and remembered when it gets work', async () => {
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

test('a host that is set aside does not count as active', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://a.test/2');
  const host = await world.lease();
  host.row.setAside = 'HTTP 503';
  await world.finish(host, 'ready', world.time + 9000);
  assert.deepEqual(await world.frontier.next(), { kind: 'wait', until: world.time + 9000, active: false });
});

test('of the ready hosts the one with the most important URL goes first', async () => {
  const world = new World();
  await world.discover('http://a.test/1', 'http://b.test/1', 'http://c.test/1');
  const print = (raw: string) => fingerprint(canonicalize(raw)!);
  world.importance.countLinks(['http://b.test/1', 'http://b.test/1', 'http://c.test/1'].map(print));
  const order: string[] = [];
  for (let turn = 0; turn < 3; turn++) order.push((await world.lease()).row.origin);
  assert.deepEqual(order, ['http://b.test', 'http://c.test', 'http://a.test']);
});

test('a large host gives its most important URLs first, and its oldest are not forgotten', async () => {
  const world = new World();
  const all = Array.from({ length: 60 }, (_, page) => `http://a.test/${page}`);
  await world.discover(...all);
  world.importance.countLinks(all.slice(40, 50).map((raw) => fingerprint(canonicalize(raw)!)));
  const fetched: string[] = [];
  for (let turn = 0; turn < 8; turn++) fetched.push(await world.finish(await world.lease(), 'done'));
  const [a, b, c, oldest, d, e, f, nextOldest] = fetched.map((url) => Number(url.split('/').at(-1)));
  assert.deepEqual([a, b, c, d, e, f], [40, 41, 42, 43, 44, 45]);
  assert.deepEqual([oldest, nextOldest], [0, 1]);
});
