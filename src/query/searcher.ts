/** What the outside asks of a search engine. `cluster/` will have a searcher that asks other nodes. */
import type { CacheStats } from '../base/mod.ts';
import type { ScoreBreakdown } from '../rank/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import type { Announced } from './newest-first.ts';
import type { SiteRule } from './site-rules.ts';

export interface SearchRequest {
  query: string;
  offset: number;
  limit: number;
  /** From the answer before this one: goes on behind it, whatever `offset` says. */
  cursor?: string;
  /** At most so many results of a host on a page, as long as other hosts have any; absent for no limit. */
  perHost?: number;
  /** Results of a page that say nearly the same are listed once. */
  collapse?: boolean;
  /** What the searcher thinks of sites; applied before the list is cut. */
  siteRules?: readonly SiteRule[];
  /** The query is right as it is: no other spelling is tried. */
  asTyped?: boolean;
  /** The newest of the best results first, instead of the best. */
  order?: 'newest';
  /** Pages that count as news though they do not say so, and are of the day that is given here. */
  announced?: readonly Announced[];
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
  /** How the query was probably meant; `automatic` when the results are already those of that query. */
  spelling?: { query: string; automatic: boolean };
  results: SearchResult[];
  /**
   * Formats and kinds among the best of the whole list: `pdf`, `news`, `product`; and `feed` if the index has any, as they
   * are in no list. Absent where nobody looked.
   */
  kinds?: readonly string[];
  /** Hand it back for what follows; absent at the end of the list. */
  cursor?: string;
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
  /** The day on which the page says it was published or changed, as `2026-07-15`; absent if that tells nothing new. */
  date?: string;
  /** What the page is written in, as a language tag; absent if nobody knows. */
  language?: string;
  /** The page asks that no copy of it be shown. */
  noCopy?: true;
  /** At least so many more results of this host are further down; `query` asks for them. */
  moreFromSite?: { count: number; query: string };
  /** Pages that say nearly the same and are not listed for that. */
  similar?: string[];
}

export interface IndexStats {
  docCount: number;
  segmentCount: number;
  sizeBytes: number;
  /** Changes whenever the answers may: every answer from now on is of this generation or a newer one. */
  generation: number;
  /** Answers that were remembered; absent if none are. */
  cache?: CacheStats;
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
  /** Why a document has its score; null if it is not in the index. Absent where nobody can tell. */
  explain?(query: string, url: CanonicalUrl): ScoreBreakdown | null | Promise<ScoreBreakdown | null>;
  /** Told of a query whose answer was at hand already. */
  note?(query: string): void;
  stats(): IndexStats;
  close(): void;
}
