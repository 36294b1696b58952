/** Tests of the time of a host's next request, and of parking. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { HostQueue } from '../frontier/host-queue.ts';
import { Importance } from '../frontier/importance.ts';
import { parseRobots } from '../robots/robots-rules.ts';
import type { HostRow } from '../state/crawl-state.ts';
import { HostLeases, hostFailureOf } from './host-leases.ts';

const NOW = 1e12;
const HOUR_MS = 3_600_000;
const TIMEOUT = { request: 'page', failure: { code: 'no-response', cause: 'timeout' } } as const;
const BUSY = { request: 'page', failure: { code: 'http-status', status: 429 } } as const;

function world() {
  const paused: number[] = [];
  const recorded: HostRow[] = [];
  const groupWaits: number[] = [];
  const delays: [string, number][] = [];
  const leases = new HostLeases({
    state: { pause: async (_origin, untilMs) => void paused.push(untilMs) },
    recorder: { hostChanged: (row) => void recorded.push(row) },
    ledger: { delayed: (_origin, cause, ms) => void delays.push([cause, Math.round(ms)]) },
    frontier: { release: (_host, untilMs = 0) => void groupWaits.push(untilMs) },
    politeness: { delayMs: 500, delayFactor: 2 },
    clock: { now: () => NOW },
    random: new Random(1),
    onReleased() {},
  });
  const host = new HostQueue(
    {
      ...{ id: 1, origin: 'http://a.test', nextFetchAt: 0, delayMs: 0, robots: null, failures: 0 },
      ...{ waitReason: null, parkedReason: null, address: '', links: 0, fetched: 0, useful: 0 },
    },
    new Importance(),
  );
  return { leases, host, paused, recorded, groupWaits, delays };
}

test('a response sets the delay and ends all waits', async () => {
  const { leases, host } = world();
  await leases.failed(host, TIMEOUT);
  leases.responded(host, 1000);
  const { failures, waitReason, nextFetchAt, delayMs } = host.snapshot();
  assert.deepEqual([failures, waitReason, nextFetchAt, delayMs], [0, null, NOW + 2000, 2000]);
  assert.ok(!host.isParked);
});

test('a host with a long Crawl-delay is parked until the delay ends', () => {
  const { leases, host } = world();
  host.rulesCompiled(parseRobots(Buffer.from('User-agent: *\nCrawl-delay: 300'), 'gyre'));
  leases.responded(host, 10);
  assert.deepEqual(host.snapshot().parkedReason, { code: 'long-delay', delayMs: 300_000 });
  assert.equal(host.nextFetchAt, NOW + 300_000);
});

test('a host is parked after five failures in a row, and waits longer after each', async () => {
  const { leases, host, paused } = world();
  let waitMs = 0;
  for (let failures = 1; failures < 5; failures++) {
    await leases.failed(host, TIMEOUT);
    assert.ok(!host.isParked && host.nextFetchAt - NOW > waitMs, `${failures} failures`);
    assert.deepEqual(host.snapshot().waitReason, { code: 'failed', failures, ...TIMEOUT });
    waitMs = host.nextFetchAt - NOW;
  }
  await leases.failed(host, TIMEOUT);
  assert.deepEqual(host.snapshot().parkedReason, { code: 'failed', ...TIMEOUT });
  assert.equal(host.nextFetchAt, NOW + HOUR_MS);
  assert.deepEqual(paused, [], 'only a requested pause is stored at once');
});

test('a lasting failure parks the host at once', async () => {
  const { leases, host } = world();
  await leases.failed(host, { ...TIMEOUT, isLasting: true });
  assert.ok(host.isParked);
});

test('Retry-After is obeyed and stored at once; a long one parks the host, for a day at most', async () => {
  const { leases, host, paused } = world();
  await leases.failed(host, { ...BUSY, retryAfterMs: 60_000 });
  assert.deepEqual(host.snapshot().waitReason, { code: 'retry-after', ...BUSY });
  assert.deepEqual([host.isParked, host.nextFetchAt, paused], [false, NOW + 60_000, [NOW + 60_000]]);
  await leases.failed(host, { ...BUSY, retryAfterMs: 2 * HOUR_MS });
  assert.deepEqual([host.isParked, host.nextFetchAt], [true, NOW + 2 * HOUR_MS]);
  await leases.failed(host, { ...BUSY, retryAfterMs: 1000 * HOUR_MS });
  assert.equal(host.nextFetchAt, NOW + 24 * HOUR_MS);
});

test('a release records the row and delays the group, unless only this origin is concerned', async () => {
  const { leases, host, recorded, groupWaits } = world();
  await leases.failed(host, { ...TIMEOUT, isLasting: true });
  leases.release(host);
  leases.releaseAlone(host);
  assert.deepEqual(groupWaits, [NOW + HOUR_MS, NOW + 500]);
  leases.responded(host, 0);
  assert.equal(recorded[0]!.nextFetchAt, NOW + HOUR_MS, 'a recorded row does not change any more');
});

test('a failure is named by its status, or by the lack of a response', () => {
  const failed = (status: number) => hostFailureOf({ kind: 'failed', status, reason: 'why', retry: true });
  assert.deepEqual(hostFailureOf({ kind: 'busy', status: 503, retryAfterMs: null }), {
    code: 'http-status',
    status: 503,
  });
  assert.deepEqual(failed(500), { code: 'http-status', status: 500 });
  assert.deepEqual(failed(0), { code: 'no-response', cause: 'why' });
  assert.deepEqual(failed(200), { code: 'unreadable', cause: 'why' });
});

test('every delay is entered in the ledger with its cause', async () => {
  const { leases, host, delays } = world();
  leases.responded(host, 10);
  leases.responded(host, 1000);
  host.rulesCompiled(parseRobots(Buffer.from('User-agent: *\nCrawl-delay: 9'), 'gyre'));
  leases.responded(host, 10);
  await leases.failed(host, { ...BUSY, retryAfterMs: 60_000 });
  await leases.failed(host, TIMEOUT);
  assert.deepEqual(delays.slice(0, 4), [
    ['setting', 500],
    ['slow', 2000],
    ['robots', 9000],
    ['retry-after', 60_000],
  ]);
  assert.equal(delays[4]![0], 'failed');
});
