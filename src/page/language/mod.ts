/** Determines the language of a page: its declaration, checked against its words. */

export { languageTag, settleLanguage } from './language.ts';
