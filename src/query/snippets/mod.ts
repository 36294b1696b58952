/** Snippets: chooses the passage of a document that shows why it matches a query, and the ranges to highlight. */

export { type AnswerPassage, answerPassagesOf } from './answer-passages.ts';
export { type MatchingImage, matchingImages } from './matching-images.ts';
export { pageHighlighter, QueryHighlighter, type WordForms } from './query-highlighter.ts';
export { leadingSnippets, snippetOf } from './snippet.ts';
