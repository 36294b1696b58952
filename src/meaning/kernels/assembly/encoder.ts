/**
 * The arithmetic of a BERT encoder in AssemblyScript. `src/meaning/encoder.ts` lays out the memory and calls
 * these functions layer by layer; arguments that end in `At` are byte addresses, all multiples of 16.
 *
 * Every function gives the same bits on every machine. Sums have a fixed order. Relaxed SIMD instructions are
 * used only with operands for which all machines give the same result.
 */

export { attend } from './attention';
export { multiply, quantise, quantiseGelu } from './multiply';
export { addAndNormalise, addEmbedding, normalise, sumRows } from './rows';
