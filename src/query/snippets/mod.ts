/** Snippets: selects the passage of a document that shows why it matches, and the ranges to highlight. */

export { pageHighlighter, QueryHighlighter, type WordForms } from './query-highlighter.ts';
export { leadingSnippets, snippetOf } from './snippet.ts';
