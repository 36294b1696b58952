/** Builds the lexicon of each segment, and the files of anchor texts and synonyms of the whole index. */

export { buildNames, type NamesTarget } from './build-names.ts';
export { LexiconGatherer } from './lexicon-gatherer.ts';
export { addMissingLexicons, dropDamagedLexicons, lexiconMerger } from './segment-lexicons.ts';
