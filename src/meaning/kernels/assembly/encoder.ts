/**
 * The arithmetic of a BERT encoder in AssemblyScript. `encoder.ts` of the room calls these functions layer by
 * layer and lays out the memory; arguments that end in `At` are byte addresses, all multiples of 16.
 *
 * Every function gives the same bits on every machine: sums have a fixed order, and of the relaxed
 * instructions only those are used whose result is the same everywhere for the operands given here.
 */

export { attend } from './attention';
export { multiply, quantise, quantiseGelu } from './multiply';
export { addAndNormalise, addEmbedding, normalise, sumRows } from './rows';
