/**
 * The search kernel: what a query does with lists of postings that lie in memory. `../../resident-lists.ts` lays
 * the memory out, `../../search-kernel.ts` calls. Everything is exact: the same documents with the same scores, to
 * the last bit, as when every document is scored; the property test of query/ holds us to it.
 *
 *   unpack   blocks of 128 numbers
 *   lists    a list, and the maxima of its ranges: 64 documents each
 *   cursors  what a list has in a range
 *   query    words, the lists of each, the exact score
 *   bounds   what the documents of each range can score at most
 *   walk     which ranges are looked at, and when
 *   range    the best documents of a range
 *   phrase   whether words stand side by side
 *   count    how many have any of the words
 *   chosen   what a list says of documents that were chosen already
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
