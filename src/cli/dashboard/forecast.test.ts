import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../base/mod.ts';
import { forecast } from './forecast.ts';

test('the disk is full when the free space is used up at the observed rate', () => {
  const measured = [
    { at: 0, bytes: 1000 },
    { at: 2 * MINUTE_MS, bytes: 3000 },
  ];
  const { bytesPerDay, fullAt, observedMs } = forecast(measured, 5000);
  assert.equal(bytesPerDay, 1000 * 60 * 24);
  assert.equal(observedMs, 2 * MINUTE_MS);
  assert.equal(fullAt, 7 * MINUTE_MS);
});

test('data that shrinks fills no disk, and a short observation is no basis', () => {
  const shrinking = [
    { at: 0, bytes: 9 },
    { at: DAY_MS, bytes: 2 },
  ];
  assert.deepEqual(forecast(shrinking, 100), { bytesPerDay: -7, observedMs: DAY_MS, fullAt: null });
  assert.equal(forecast([{ at: 0, bytes: 9 }], 100).bytesPerDay, null);
  assert.equal(forecast([], 100).bytesPerDay, null);
});
