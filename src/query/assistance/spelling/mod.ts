/** Corrects the spelling of queries with the vocabulary of the index. Everyday words are never changed. */

export { chooseSpelling, type RankedQuery, type SpellingChoice } from './choose-spelling.ts';
export { type Correction, correctQuery } from './correct-query.ts';
export { Corrector } from './corrector.ts';
export { mayBeMisspelled } from './judge-correction.ts';
