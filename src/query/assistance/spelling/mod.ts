/** Corrects the spelling of queries with the vocabulary of the index. Everyday words are never changed. */

export { type Correction, correctQuery } from './correct-query.ts';
export { Corrector } from './corrector.ts';
export { isBetter, isMuchBetter, mayBeMisspelled } from './judge-correction.ts';
