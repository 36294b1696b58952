/**
 * Compares what the stores of a data directory say about the same URLs, for `gyre doctor --deep`. Each file may be intact,
 * and yet one of them come from an older backup than the others.
 */

export { referenceReport } from './reference-report.ts';
