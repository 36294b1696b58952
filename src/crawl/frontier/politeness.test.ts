import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import type { HostRow } from '../state/crawl-state.ts';
import { backoffMs, politeDelayMs, whyWaiting } from './politeness.ts';

test('the delay is the longest of crawl.delay, Crawl-delay and a multiple of the response time', () => {
  const options = { delayMs: 1000, delayFactor: 3 };
  assert.equal(politeDelayMs(options, null, 100), 1000);
  assert.equal(politeDelayMs(options, 5000, 100), 5000);
  assert.equal(politeDelayMs(options, null, 2000), 6000);
  assert.equal(politeDelayMs(options, null, 1e9), 60_000);
});

test('each failure doubles the pause, with jitter, up to a limit', () => {
  const random = new Random(1);
  for (const [failures, least] of [
    [1, 1000],
    [2, 2000],
    [5, 16_000],
    [40, 900_000],
  ] as const) {
    const pause = backoffMs(failures, random);
    assert.ok(pause >= least && pause <= least * 1.5, `${failures} failures: ${pause}`);
  }
});

test('the reason of a wait is described', () => {
  const row = { origin: 'http://a.test', nextFetchAt: 9000, delayMs: 500, failures: 0, parkedReason: '' };
  const counts = { address: '', links: 0, fetched: 0, useful: 0 };
  const why = (over: Partial<HostRow>) =>
    whyWaiting({ id: 1, robots: null, ...row, ...counts, ...over }, 5000);
  assert.equal(why({}), 'its delay of 500 ms ends in 4 s');
  assert.equal(why({ waitReason: 'Retry-After of HTTP 429' }), 'waits 4 s: Retry-After of HTTP 429');
  assert.equal(why({ failures: 5, parkedReason: 'HTTP 503' }), 'parked for 4 s: HTTP 503');
  assert.equal(why({ nextFetchAt: 0 }), 'ready to fetch robots.txt');
});
