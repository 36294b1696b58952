/** Lexicons of segments, and anchor texts and synonyms of all pages. */

export { buildNames } from './build-names.ts';
export { LexiconGatherer } from './lexicon-gatherer.ts';
export { addMissingLexicons, dropDamagedLexicons, lexiconMerger } from './segment-lexicons.ts';
