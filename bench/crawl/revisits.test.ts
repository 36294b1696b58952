import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './revisits.ts';

test('revisits keep pages fresher than uniform and proportional visits, and nearly as fresh as possible', () => {
  for (const alikeSites of [false, true]) {
    const options = { pages: 300, visitsPerDay: 0.5, alikeSites, days: 200, seed: 7 };
    // The pages change between every hour and once a year.
    const found = simulate({ ...options, slowest: 1 / 365, fastest: 24 });
    const { gyre, uniform, proportional, optimum, visitsPerDay } = found;
    assert.ok(gyre >= 1.05 * Math.max(uniform, proportional), JSON.stringify(found));
    assert.ok(gyre >= 0.9 * optimum && gyre <= 1.03 * optimum, JSON.stringify(found));
    assert.ok(visitsPerDay <= 0.53 && visitsPerDay >= 0.4, JSON.stringify(found));
  }
});
