/**
 * Suggestions, spelling corrections and synonyms. They use files that `lexicon/` wrote, and reload them when newer
 * files appear.
 */

export { AssistedSearcher, type RefreshingSearcher } from './assisted-searcher.ts';
export { QueryCorrector } from './query-corrector.ts';
export {
  type Correction,
  chooseSpelling,
  mayBeMisspelled,
  type RankedQuery,
  type SpellingChoice,
} from './spelling/mod.ts';
export { PopularQueries } from './suggest/mod.ts';
export { parseSynonyms, type SynonymRule, Synonyms, SynonymsFollower } from './synonyms/mod.ts';
