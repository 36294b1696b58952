/**
 * lexicon: phrases to suggest, the vocabulary for corrections, and synonyms. Each segment of the index has a
 * lexicon of its own words, titles and headings, which is written and merged with the segment; readers add up
 * the lexicons of all segments. Anchor texts and synonyms change only with a rank run, which replaces their
 * files. `build/` writes these files; `query/` reads them.
 */

export { readOriginOf, type WordsFile } from './lexicon-files.ts';
export { joinNames, MAX_PHRASES, type NamesPart, writeNamesPart } from './names-part.ts';
export { PhraseGatherer } from './phrase-gatherer.ts';
export { keyOf, nameOfTitle, phraseOfText, phraseOfTitle } from './phrase-rules.ts';
export { importanceOf, type PhraseTable, phrasesOfSegment, phraseWeight } from './phrase-table.ts';
export { openPhrases } from './phrases-reader.ts';
export { writePhrases } from './phrases-writer.ts';
export { readQueries } from './queries-reader.ts';
export { writeQueries } from './queries-writer.ts';
export {
  COUNTED_TEXT,
  encodeLexicon,
  type LexiconColumns,
  type LexiconInput,
  listWords,
  MAX_PAIRS,
  mergeLexicons,
  openSegmentLexicon,
  PairCounter,
  PhraseUse,
  phraseColumns,
  SegmentLexicon,
  TITLE_COUNT,
  textColumn,
  UNKNOWN_WORD,
  USE_BITS,
  type WordTable,
  writeSegmentLexicon,
} from './segments/mod.ts';
export { SynonymMiner } from './synonym-miner.ts';
export { readSynonyms, type SynonymPair, writeSynonyms } from './synonyms-format.ts';
export { Vocabulary } from './vocabulary.ts';
export { WordPairs } from './word-pairs.ts';
