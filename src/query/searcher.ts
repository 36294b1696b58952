/** What the outside asks of a search engine. `cluster/` will have a searcher that asks other nodes. */

export interface SearchRequest {
  query: string;
  offset: number;
  limit: number;
}

export interface SearchResponse {
  /** The query as it was understood, for display. */
  query: string;
  /** How many documents match; exact unless `partial`. */
  total: number;
  tookMs: number;
  /** A time limit or a missing shard cut the answer short. */
  partial: boolean;
  /** What the searcher should know: "read as plain words: …". Plain text, one sentence each. */
  notes: string[];
  results: SearchResult[];
}

export interface SearchResult {
  url: string;
  title: string;
  /** Plain text, never markup. */
  snippet: string;
  /** Where the query's words stand in `snippet`: [start, end) in UTF-16 units, ascending. */
  highlights: [number, number][];
  host: string;
  score: number;
  /** ISO 8601, when this content was fetched. */
  fetchedAt: string;
}

export interface IndexStats {
  docCount: number;
  segmentCount: number;
  sizeBytes: number;
  /** Changes whenever the answers may. */
  generation: number;
}

export interface Suggestion {
  text: string;
  /** The page that it leads to, when it is the title of one. */
  url?: string;
}

export interface Searcher {
  search(request: SearchRequest): Promise<SearchResponse>;
  /** How what is being typed may go on, the best first. Absent where there are none to give. */
  suggest?(prefix: string, limit: number): Promise<Suggestion[]>;
  stats(): IndexStats;
  close(): void;
}
