/** Determines the language of a page from its declaration and its words. */

export { languageTag, settleLanguage } from './page-language.ts';
