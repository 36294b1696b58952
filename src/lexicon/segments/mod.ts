/**
 * The lexicon of a segment: words, word pairs and phrases of its documents in one sealed file, and the merge of
 * several lexicons. A lexicon is held in memory; a word is found by a binary search.
 */

export { listWords } from './listed-words.ts';
export { type LexiconInput, mergeLexicons } from './merge-lexicons.ts';
export { PairCounter } from './pair-counter.ts';
export {
  COUNTED_TEXT,
  type LexiconColumns,
  MAX_PAIRS,
  type PhraseColumns,
  PhraseUse,
  TITLE_COUNT,
  USE_BITS,
  USE_MASK,
} from './segment-lexicon-format.ts';
export { openSegmentLexicon, SegmentLexicon } from './segment-lexicon-reader.ts';
export { encodeLexicon, phraseColumns, writeSegmentLexicon } from './segment-lexicon-writer.ts';
export { textAt, textColumn } from './text-column.ts';
export { UNKNOWN_WORD, type WordTable } from './word-table.ts';
