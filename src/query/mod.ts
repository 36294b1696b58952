/** query: from a typed query to the top documents with snippets. */
export { AssistedSearcher, type RefreshingSearcher } from './assisted-searcher.ts';
export { LocalSearcher, type LocalSearcherOptions, openSearcher } from './local-searcher.ts';
export { MAX_WORDS, type ParsedQuery, parseQuery } from './parse.ts';
export type {
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
  SearchResult,
  Suggestion,
} from './searcher.ts';
export { type Snippet, snippetOf } from './snippet.ts';
export { Corrector } from './spelling/corrector.ts';
export { PopularQueries } from './suggest/popular-queries.ts';
export { Suggester } from './suggest/suggester.ts';
export { type Synonym, Synonyms } from './synonyms/synonyms.ts';
export { parseSynonyms, type SynonymRule } from './synonyms/synonyms-file.ts';
