/**
 * Suggestions, spelling corrections and synonyms. They use files that `lexicon/` wrote, and reload them when newer
 * files appear.
 */

export { QueryCorrector } from './query-corrector.ts';
export { type Correction, mayBeMisspelled } from './spelling/mod.ts';
export { AssistedSearcher, type RefreshingSearcher } from './spelling-searcher.ts';
export { PopularQueries } from './suggest/mod.ts';
export { parseSynonyms, type SynonymRule, Synonyms, SynonymsFollower } from './synonyms/mod.ts';
