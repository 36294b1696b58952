/** query: from a typed query to the top documents with snippets. */
export type { IndexStats, Searcher, SearchRequest, SearchResponse, SearchResult } from './searcher.ts';
