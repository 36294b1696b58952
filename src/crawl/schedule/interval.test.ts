import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestDays, type RevisitNeeds } from './interval.ts';

const PAGE: RevisitNeeds = { rate: 0.1, weight: 1, linkRate: 0, linkWeight: 1, minDays: 0.04, maxDays: 60 };
const PRICE = 0.25;

/** The loss per day that an interval causes: stale time, unknown links, and visits. */
function lossPerDay({ rate, weight, linkRate, linkWeight }: RevisitNeeds, days: number): number {
  const staleDays = days + Math.expm1(-rate * days) / rate;
  const aging = ((weight / 1000 + linkWeight * linkRate) * days ** 2) / 2;
  return (weight * staleDays + aging + PRICE) / days;
}

test('no other interval loses less', () => {
  for (const change of [{ rate: 0.01 }, { rate: 1 }, { weight: 3 }, { linkRate: 5 }, { linkRate: 0.1 }]) {
    const needs = { ...PAGE, ...change };
    const best = bestDays(needs, PRICE);
    for (let days = 0.05; days < 30; days *= 1.05)
      assert.ok(lossPerDay(needs, days) > lossPerDay(needs, best) - 1e-6, `${days} and ${best}`);
  }
});

test('a page is visited sooner if it is more important, or brings new links', () => {
  const plain = bestDays(PAGE, PRICE);
  assert.ok(bestDays({ ...PAGE, weight: 4 }, PRICE) < plain);
  assert.ok(bestDays({ ...PAGE, linkRate: 2 }, PRICE) < plain / 2);
  assert.ok(bestDays(PAGE, 2 * PRICE) > plain);
});

test('a page that changes faster than visits can follow is visited rarely, but within its bounds', () => {
  const hectic = bestDays({ ...PAGE, rate: 100 }, PRICE);
  assert.ok(hectic > bestDays({ ...PAGE, rate: 1 }, PRICE) && hectic <= 60);
  assert.equal(bestDays({ ...PAGE, rate: 1e-9 }, 1e3), 60);
  assert.equal(bestDays({ ...PAGE, linkRate: 1e9 }, PRICE), 0.04);
});
