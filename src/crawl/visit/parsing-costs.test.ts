import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOUR_MS } from '../../base/units.ts';
import { ParsingCosts } from './parsing-costs.ts';

const HOST = 'http://a.test';

function costsAt(time: { now: number }): ParsingCosts {
  return new ParsingCosts({
    clock: { now: () => time.now },
    politeness: { delayMs: 1000, delayFactor: 2 },
  });
}

test('slow types, large bodies and pages of slow hosts go to the slow lane', () => {
  const time = { now: 0 };
  const costs = costsAt(time);
  assert.equal(costs.laneOf(HOST, 'text/html', 100_000), 'fast');
  assert.equal(costs.laneOf(HOST, 'text/html', 2_000_000), 'slow');
  assert.equal(costs.laneOf(HOST, 'application/pdf', 859), 'slow');
  const openXml = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  for (const type of [openXml, 'application/vnd.oasis.opendocument.text', 'application/epub+zip'])
    assert.equal(costs.laneOf(HOST, type, 859), 'slow', type);
  assert.equal(costs.laneOf(HOST, 'application/gzip', 859), 'fast');
  assert.equal(costs.laneOf(HOST, 'text/markdown', 500), 'fast');
  assert.equal(costs.laneOf(HOST, 'text/markdown', 100_000), 'slow');
  costs.parsed(HOST, 900);
  assert.equal(costs.laneOf(HOST, 'text/html', 500), 'slow');
  assert.equal(costs.laneOf('http://b.test', 'text/html', 500), 'fast');
  time.now = HOUR_MS;
  assert.equal(costs.laneOf(HOST, 'text/html', 500), 'fast');
});

test('a host waits for the time that its page took, as it would for a response', () => {
  const costs = costsAt({ now: 5 });
  costs.parsed(HOST, 3);
  assert.deepEqual(costs.waitOf(HOST), { kind: 'none' });
  costs.parsed(HOST, 4000);
  assert.deepEqual(costs.waitOf(HOST), {
    kind: 'wait',
    untilMs: 8005,
    reason: { code: 'slow-parsing', parseMs: 4000 },
  });
});

test('the second page that ends its thread parks the host for a day', () => {
  const time = { now: 0 };
  const costs = costsAt(time);
  costs.died(HOST, 20_000);
  assert.equal(costs.waitOf(HOST).kind, 'wait');
  costs.died(HOST, 20_000);
  assert.deepEqual(costs.waitOf(HOST), {
    kind: 'parked',
    untilMs: 24 * HOUR_MS,
    reason: { code: 'parser-deaths', pages: 2 },
  });
  time.now = 25 * HOUR_MS;
  assert.equal(costs.waitOf(HOST).kind, 'none');
});
