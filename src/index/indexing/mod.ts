/**
 * Turns the text of documents into postings in memory: the gathering kernel splits text into words, and the
 * sorter orders the occurrences by term. No JavaScript string is created per occurrence.
 */

export { MAX_SORTED_DOCS, WordGatherer } from './word-gatherer.ts';
export { groupWords, otherTermsOf, type WordGroups } from './word-groups.ts';
export { PAIR_BYTES } from './word-sorter.ts';
