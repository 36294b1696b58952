/** Corrects a query by the vocabulary of the index. Everyday words are never changed. */

export { correctQuery } from './correct-query.ts';
export { Corrector } from './corrector.ts';
