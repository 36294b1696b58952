/**
 * The postings and positions of a term, packed in blocks of 128. Cursors walk them; the postings cache keeps
 * lists in the search kernel's memory from query to query.
 */

export { frequenciesIn, placesIn, type TermPlaces } from './document-lookup.ts';
export { ResidentLists, type ResidentSegment, type WantedList } from './postings-cache.ts';
export { NO_MORE_DOCS } from './postings-format.ts';
export { type PositionsSource, PostingsCursor } from './postings-reader.ts';
export { PostingsWriter } from './postings-writer.ts';
export type { TermLists } from './term-lists.ts';
