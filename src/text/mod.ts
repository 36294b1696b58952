/** text: how running text becomes words, and words become terms. Index and query agree because both come through here. */
export { kindOfCodePoint } from './characters.ts';
export { fold } from './fold.ts';
export { foldedLetter, nextLetter } from './letters.ts';
export { STEMMERS, type StemmedLanguage } from './stemmers.ts';
export {
  ALL_STEMMINGS,
  beginsExactly,
  DEFAULT_STEMMING,
  isAmong,
  isAscii,
  isExactly,
  STEMMINGS,
  type Stemming,
  type StemmingSet,
  stemmingOf,
  termOf,
} from './terms.ts';
export { formOfWord, isHalfPair, MAX_TERM_LENGTH, type TokenVisitor, tokenize } from './tokenize.ts';
