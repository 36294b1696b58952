/**
 * Reads and writes the postings and positions of terms, packed in blocks of 128. The postings cache keeps lists
 * of postings in the search kernel's memory from query to query.
 */

export { frequenciesIn, type PlacesInDocuments, placesIn, type TermPlaces } from './document-lookup.ts';
export { ResidentLists, type ResidentSegment, type WantedList } from './postings-cache.ts';
export { NO_MORE_DOCS } from './postings-format.ts';
export { type PositionsSource, PostingsCursor } from './postings-reader.ts';
export { PostingsWriter } from './postings-writer.ts';
export type { TermLists } from './term-lists.ts';
