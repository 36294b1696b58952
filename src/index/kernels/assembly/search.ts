/**
 * The search kernel runs queries on lists of postings in memory. `../../postings/postings-cache.ts` lays out
 * the memory; `../search-kernel.ts` calls these functions. The result is exact: the same documents with the
 * same scores, to the last bit, as if every document were scored. A property test in query/ checks this.
 *
 *   unpack   blocks of 128 numbers
 *   lists    a list, and the maxima of its ranges of 64 documents
 *   cursors  the documents of a list in a range
 *   query    words, the lists of each, the exact score
 *   bounds   the maximum score of a document of each range
 *   walk     the choice and order of ranges
 *   range    the best documents of a range
 *   phrase   adjacent words
 *   count    number of documents with any of the words
 *   chosen   frequencies and positions in given documents
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
