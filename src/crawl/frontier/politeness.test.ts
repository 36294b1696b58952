import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { backoffMs, politeDelayMs } from './politeness.ts';

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
