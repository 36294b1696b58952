/** Snippets: selects the passage of a document that shows why it matches, and the ranges to highlight. */

export { HitFinder, type WordForms } from './hit-finder.ts';
export { snippetOf } from './snippet.ts';
export { wordFinder } from './word-finder.ts';
