/** traps: addresses without end, how to tell them, and how much of a host is enough. */
export { BoundedMap } from './bounded-map.ts';
export { BUDGET_DEFAULTS, type BudgetOptions, type HostStanding, pageBudget } from './host-budget.ts';
export { operatorRule } from './operator-rule.ts';
export type { Assessment, Trap, TrapKind, TrapRule } from './trap.ts';
export { type TrapCut, TrapDetector, type TrapMemory } from './trap-detector.ts';
export { TrapDetectors } from './trap-detectors.ts';
