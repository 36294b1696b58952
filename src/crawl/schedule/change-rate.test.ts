import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { testSeed } from '../../../test/helpers/seed.ts';
import {
  beliefOfLogarithms,
  meanRate,
  type RateBelief,
  sawChange,
  sawChangeAt,
  sawEvents,
  sawNoChange,
} from './change-rate.ts';

const PRIOR: RateBelief = { shape: 0.5, days: 5 };

/** Returns the mean and variance of the exact posterior, by summation over a fine grid. */
function posteriorOf({ shape, days }: RateBelief, likelihood: (rate: number) => number) {
  let [mass, first, second] = [0, 0, 0];
  for (let step = 0; step < 200_000; step++) {
    const rate = Math.exp(-25 + step / 6000);
    const density = rate ** shape * Math.exp(-days * rate) * likelihood(rate);
    mass += density;
    first += density * rate;
    second += density * rate * rate;
  }
  const mean = first / mass;
  return { mean, variance: second / mass - mean * mean };
}

test('after a change the belief has the mean and the variance of the exact posterior', () => {
  for (const [shape, days, interval] of [
    [2, 10, 1],
    [5, 3, 4],
    [1.5, 100, 0.2],
  ] as const) {
    const after = sawChange({ shape, days }, interval);
    // The belief loses a part of its weight first.
    const aged = { shape: shape * 0.98, days: days * 0.98 };
    const exact = posteriorOf(aged, (rate) => -Math.expm1(-rate * interval));
    assert.ok(Math.abs(meanRate(after) / exact.mean - 1) < 1e-3, `${meanRate(after)}, ${exact.mean}`);
    assert.ok(Math.abs(after.shape / after.days ** 2 / exact.variance - 1) < 1e-2);
  }
});

test('the estimate approaches the rate, although visits show only whether there was a change', () => {
  const random = new Random(testSeed());
  for (const rate of [0.02, 0.3, 2]) {
    let belief = PRIOR;
    let sum = 0;
    for (let visit = 0; visit < 600; visit++) {
      const days = (0.3 + random.next()) / rate;
      const hasChanged = random.chance(-Math.expm1(-rate * days));
      belief = hasChanged ? sawChange(belief, days) : sawNoChange(belief, days);
      if (visit >= 100) sum += meanRate(belief) / 500;
    }
    assert.ok(sum / rate > 0.75 && sum / rate < 1.35, `${sum} for ${rate}`);
  }
});

test('a date of the last change tells more than the fact of a change', () => {
  const dated = sawChangeAt(PRIOR, 0.1);
  const plain = sawChange(PRIOR, 10);
  assert.ok(meanRate(dated) > meanRate(plain));
});

test('a page that stops changing, or starts to, is noticed', () => {
  let belief = PRIOR;
  for (let visit = 0; visit < 30; visit++) belief = sawChange(belief, 1);
  assert.ok(meanRate(belief) > 1);
  for (let visit = 0; visit < 12; visit++) belief = sawNoChange(belief, 2 ** (visit / 2));
  assert.ok(meanRate(belief) < 0.2, `${meanRate(belief)}`);
  for (let visit = 0; visit < 60; visit++) belief = sawChange(belief, 1);
  assert.ok(meanRate(belief) > 0.5, `${meanRate(belief)}`);
});

test('numbers stay finite for any intervals', () => {
  let belief = PRIOR;
  for (const days of [0, 1e-12, 1e6, 1e-3, 0]) {
    for (const next of [sawChange, sawNoChange, sawChangeAt]) {
      belief = next(belief, days);
      assert.ok(meanRate(belief) > 0 && Number.isFinite(meanRate(belief)), `${days}`);
    }
  }
});

test('a number of events per day is the recent average', () => {
  let belief: RateBelief = { shape: 0.02, days: 1 };
  for (let visit = 0; visit < 20; visit++) belief = sawEvents(belief, 12, 0.5);
  assert.ok(Math.abs(meanRate(belief) - 24) < 1);
});

test('a prior has the spread of the rates of similar pages', () => {
  const wide = beliefOfLogarithms(Math.log(0.1), 5);
  const narrow = beliefOfLogarithms(Math.log(0.1), 0.2);
  assert.ok(narrow.shape > 4 && wide.shape < 0.8);
  assert.ok(Math.abs(meanRate(narrow) - 0.1) < 0.02);
});
