/** text: how running text becomes terms. Index and query agree because both come through here. */
export { fold } from './fold.ts';
export { MAX_TERM_LENGTH, type TokenVisitor, tokenize } from './tokenize.ts';
