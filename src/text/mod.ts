/** text: how running text becomes terms. Index and query agree because both come through here. */
export { kindOfCodePoint } from './characters.ts';
export { fold } from './fold.ts';
export { STEMMERS, type StemmedLanguage } from './stemmers.ts';
export { foldWord, MAX_TERM_LENGTH, type TokenVisitor, tokenize } from './tokenize.ts';
