/**
 * Answer boxes that compute their answers: calculator, units, numerals, dates and clocks. They need no index
 * and no network, and take well under a millisecond.
 */

export { calculator } from './calculator.ts';
export { clocks } from './clocks.ts';
export { conversion } from './conversion.ts';
export { dates } from './dates.ts';
export { numerals } from './numerals.ts';
