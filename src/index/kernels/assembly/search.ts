/**
 * The search kernel runs queries on postings lists in memory. `../../postings/postings-cache.ts` lays out the
 * memory; `../search-kernel.ts` calls these functions. The result is exact: the same documents with the same
 * scores, to the last bit, as if every document were scored. A property test in query/ checks this. Each file
 * has one task:
 *
 *   unpack   unpacks blocks of 128 numbers
 *   lists    reads a postings list, and computes its maximum scores in ranges of 64 documents
 *   cursors  finds the documents of a postings list in a range
 *   query    has the words of the query with their postings lists, and computes exact scores
 *   bounds   computes the maximum score that a document of each range can have
 *   walk     chooses the ranges to search, and their order
 *   range    finds the best documents of a range
 *   phrase   checks that the words of a phrase are adjacent
 *   count    counts the documents that have any of the words
 *   chosen   reads frequencies and positions in given documents
 *
 * Names in capitals are byte offsets in a structure. Nothing is allocated here.
 */
export { finishBest, startBest } from './best';
export { setUpBounds } from './bounds';
export { chosenEnd, chosenFrequencies, chosenPlaces, openChosen } from './chosen';
export { countAny } from './count';
export { countPlaces, prepare, setUp, termScore } from './lists';
export { gaveUp, setUpPhrases } from './phrase';
export { enterSegment, setList, startQuery } from './query';
export { setRequired } from './range';
export { search } from './walk';
