/**
 * The search kernel: what a query does with lists of postings that lie in memory. `../../resident-lists.ts` lays
 * the memory out, `../../search-kernel.ts` calls. Everything is exact: the same documents with the same scores, to
 * the last bit, as when every document is scored; the property test of query/ holds us to it.
 *
 *   unpack     blocks of 128 numbers
 *   lists      a list, its blocks and their maxima
 *   cursors    where a query stands in its lists
 *   query      words, the lists of each, the exact score
 *   any-word   the best documents with any of the words
 *   all-words  those with all required words
 *   phrase     whether words stand side by side
 *   count      how many have any of the words
 *   chosen     what a list says of documents that were chosen already
 *
 * Names in capitals are byte offsets in a structure. Nothing is allocated here.
 */
export { searchAll, setRequired } from './all-words';
export { searchAny, setUpWindows } from './any-word';
export { bestCount, startBest } from './best';
export { chosenEnd, chosenFrequencies, chosenPlaces, openChosen } from './chosen';
export { countAny } from './count';
export { prepare, setUp, termScore } from './lists';
export { gaveUp, setUpPhrases } from './phrase';
export { enterSegment, setList, startQuery } from './query';
