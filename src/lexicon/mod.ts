/**
 * lexicon: phrases to suggest, the vocabulary for corrections, and synonyms. `build/` writes them, `query/`
 * reads them; each is one sealed file that is replaced whole and held in memory.
 */

export { readOriginOf, type WordsFile } from './lexicon-files.ts';
export { PhraseGatherer, phraseKeyOf } from './phrase-gatherer.ts';
export { keyOf } from './phrases-format.ts';
export { openPhrases, PhraseTable } from './phrases-reader.ts';
export { writePhrases } from './phrases-writer.ts';
export { readQueries } from './queries-reader.ts';
export { writeQueries } from './queries-writer.ts';
export { SynonymMiner } from './synonym-miner.ts';
export type { SynonymPair } from './synonyms-format.ts';
export { readSynonyms } from './synonyms-reader.ts';
export { writeSynonyms } from './synonyms-writer.ts';
export { openVocabulary, UNKNOWN_WORD, Vocabulary } from './vocabulary-reader.ts';
export { writeVocabulary } from './vocabulary-writer.ts';
export { WordCounter } from './word-counter.ts';
export { openWordPairs, WordPairs } from './word-pairs.ts';
