/**
 * text: splits text into words and converts words to terms. Index and query use the same functions, so their
 * terms match. Also judges texts by explicit words, for the family filter.
 */

export { hasExplicitWord, judgeByWords } from './adult-words.ts';
export { kindOfCodePoint } from './characters.ts';
export { fold } from './fold.ts';
export { eachHashedWord } from './hashed-words.ts';
export { isLongChain, tokenizeIdentifiers } from './identifiers.ts';
export { foldedLetter, nextLetter } from './letters.ts';
export {
  ALL_STEMMINGS,
  beginsExactly,
  DEFAULT_STEMMING,
  ENGLISH_STEMMINGS,
  isAmong,
  isAscii,
  isExactly,
  isInOtherScript,
  isOtherScript,
  ownStemmingOf,
  STEMMINGS,
  type Stemming,
  type StemmingSet,
  stemmingOf,
  termOf,
  UNSTEMMED,
} from './terms.ts';
export { titleKeyOf } from './title-key.ts';
export { formOfWord, isHalfPair, MAX_TERM_LENGTH, tokenize } from './tokenize.ts';
