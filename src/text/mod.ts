/** text: how running text becomes words, and words become terms. Index and query agree because both come through here. */
export { kindOfCodePoint } from './characters.ts';
export { fold } from './fold.ts';
export { STEMMERS, type StemmedLanguage } from './stemmers.ts';
export {
  type AnalysedWord,
  analyseWord,
  DEFAULT_STEMMING,
  isExactly,
  STEMMINGS,
  type Stemming,
  stemmingOf,
  termOf,
} from './terms.ts';
export { formOfWord, MAX_TERM_LENGTH, type TokenVisitor, tokenize } from './tokenize.ts';
