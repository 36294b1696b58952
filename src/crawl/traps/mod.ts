/** Traps: detects URL spaces without end, and sets the page budgets of hosts and domains. */

export { type DomainBudget, domainBudget, UNLIMITED } from './domain-budget.ts';
export { type BudgetOptions, pageBudget } from './host-budget.ts';
export { operatorRule } from './operator-rule.ts';
export { TrapDetectors } from './trap-detectors.ts';
export { openTraps, readTraps, saveTraps } from './trap-notes.ts';
export { patternOf, shapeOf } from './url-shape.ts';
