import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkBudget } from './work-budget.ts';

const LIMITS = { steps: 10, pieces: 2, bytes: 100 };

test('work may continue until one more than the limit is spent', () => {
  const budget = new WorkBudget(LIMITS);
  assert.equal(budget.step(10), true);
  assert.equal(budget.isSpent, false);
  assert.equal(budget.step(), false);
  assert.equal(budget.isSpent, true);
});

test('when one amount is spent, everything is', () => {
  for (const spend of [(budget: WorkBudget) => budget.keep(3), (budget: WorkBudget) => budget.decode(101)]) {
    const budget = new WorkBudget(LIMITS);
    assert.equal(spend(budget), false);
    assert.deepEqual([budget.step(0), budget.keep(0), budget.decode(0)], [false, false, false]);
  }
});

test('the budget reports what remains', () => {
  const budget = new WorkBudget(LIMITS);
  budget.step(4);
  budget.keep();
  budget.decode(30);
  assert.deepEqual(budget.left, { steps: 6, pieces: 1, bytes: 70 });
});
