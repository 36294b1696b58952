import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { backoffMs, delayCauseOf, HostDelays, politeDelayMs } from './politeness.ts';

const A = 'https://a.example';

test('the delay is the longest of crawl.delay, Crawl-delay and a multiple of the response time', () => {
  const options = { delayMs: 1000, delayFactor: 3 };
  assert.equal(politeDelayMs(options, A, null, 100), 1000);
  assert.equal(politeDelayMs(options, A, 5000, 100), 5000);
  assert.equal(politeDelayMs(options, A, null, 2000), 6000);
  assert.equal(politeDelayMs(options, A, null, 1e9), 60_000);
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

test('the operator may choose another delay for a host, and the delay of a host has a cause', () => {
  const hostDelays = new HostDelays({ '*.a.example': 5000, 'b.example:81': 10 });
  const options = { delayMs: 1000, delayFactor: 2, hostDelays };
  assert.equal(politeDelayMs(options, A, null, 0), 5000);
  assert.equal(politeDelayMs(options, 'http://b.example:81', null, 0), 10);
  assert.equal(politeDelayMs(options, 'http://b.example:81', 3000, 0), 3000, 'robots.txt still counts');
  assert.equal(politeDelayMs(options, 'http://b.example', null, 0), 1000);
  const cause = (origin: string, crawlDelayMs: number | null, delayMs: number) =>
    delayCauseOf(options, origin, crawlDelayMs, delayMs);
  assert.equal(cause(A, 2000, 5000), 'host-setting');
  assert.equal(cause('http://b.example:81', 3000, 3000), 'robots');
  assert.equal(cause('http://c.example', 500, 1000), 'setting');
  assert.equal(cause('http://c.example', null, 1800), 'slow');
  assert.throws(() => new HostDelays({ '*': 5 }), { code: 'bad-setting' });
});
