/** The interface of a search engine, as the other rooms see it. LocalSearcher implements it over one index. */
import type { CacheStats } from '../base/mod.ts';
import type { ScoreBreakdown } from '../scoring/mod.ts';
import type { FamilyLevel } from '../index/mod.ts';
import type { CanonicalUrl, SiteRule } from '../url/mod.ts';
import type { QueryNote } from './language/mod.ts';
import type { Announced, ResultFacets } from './results/mod.ts';
import type { MatchingImage } from './snippets/mod.ts';

export interface SearchRequest {
  query: string;
  offset: number;
  limit: number;
  /** The cursor of the previous response: the list continues after it, and `offset` is ignored. */
  cursor?: string;
  /** The maximum number of results per host on a page while other hosts have results; absent for no limit. */
  perHost?: number;
  /** Lists near-duplicate results of a page once. */
  collapse?: boolean;
  /** The visitor's rules about sites; applied before the list is cut. */
  siteRules?: readonly SiteRule[];
  /**
   * The primary language subtag of the searcher's language: `de`. It is the language of the query if the words of
   * the query do not decide theirs, and its documents are preferred then.
   */
  preferredLanguage?: string;
  /** The level of the family filter; absent for that of the index. */
  family?: FamilyLevel;
  /** Looks for a passage that answers the query, in the first results. */
  passage?: true;
  /** Adds the pictures that match the query to each result. */
  images?: true;
  /** Turns off automatic spelling correction. */
  asTyped?: boolean;
  /** Sorts the best results by date, newest first, instead of by score. */
  order?: 'newest';
  /** Pages to treat as news with the given date, although the pages themselves do not say so. */
  announced?: readonly Announced[];
  /**
   * The arrival time of the query, in milliseconds since 1970 by the clock of this process; the time limit
   * counts from it. Several searches for one visitor share one arrival time, and therefore the limit. Absent
   * for now.
   */
  arrivedAt?: number;
  /** Called before the query is computed; true if the client no longer waits for the response. */
  isCancelled?: () => boolean;
}

/** The arrival time of a query, and the check for a client that no longer waits. */
export type Arrival = Pick<SearchRequest, 'arrivedAt' | 'isCancelled'>;

/** The options of a search that an explanation depends on. */
export type ExplainOptions = Arrival & Pick<SearchRequest, 'preferredLanguage'>;

export interface SearchResponse {
  /** The query as it was parsed, for display. */
  query: string;
  /** The number of matching documents; exact unless `partial`. */
  total: number;
  tookMs: number;
  /** True if a time limit, a damaged segment or a missing shard cut the response short. */
  partial: boolean;
  /** Messages for the visitor, as data. */
  notes: QueryNote[];
  /** The corrected query; `automatic` if the results are already those of the corrected query. */
  spelling?: { query: string; automatic: boolean };
  results: SearchResult[];
  /** A passage that answers the query; absent unless the evidence is strong. */
  passage?: PassageAnswer;
  /** The number of matching documents that the family filter hides; absent if there are none. */
  familyHidden?: number;
  /**
   * Figures that show how well the index answers the query, for spelling correction; absent if they were not computed.
   */
  evidence?: QueryEvidence;
  /**
   * Formats and kinds among the best results of the whole list: `pdf`, `news`, `product`. Also `feed` if the
   * index has any feeds, because result lists do not contain feeds. Absent if they were not computed.
   */
  kinds?: readonly string[];
  /** Counts for filters, over the best results of the whole list; absent with a cursor. */
  facets?: ResultFacets;
  /** Pass this in the next request to get the results that follow; absent at the end of the list. */
  cursor?: string;
}

/** How common the words of a query are, and how many of them the best results have. */
export interface QueryEvidence {
  docCount: number;
  /** Per word of the query: the words that were typed for it, and the number of documents that have it. */
  words: readonly { typed: readonly string[]; docCount: number }[];
  /**
   * From 0 to 1: the share of the query that one of the first results has. Words are weighted by their rarity; a word
   * that no document has counts as very rare.
   */
  coverage: number;
  /** From 0 to 1: the share of the query that the headings of one of the first results have. */
  inHeadings: number;
}

/** A passage of one of the first results. */
export interface PassageAnswer {
  url: string;
  title: string;
  host: string;
  /** One to three sentences, as plain text. */
  text: string;
  /** As in `SearchResult`. */
  highlights: [number, number][];
  /** The heading above the passage; empty if there is none. */
  heading: string;
  /** The code that the passage introduces, with line breaks. */
  code?: string;
  language?: string;
  fetchedAt: string;
}

export interface SearchResult {
  url: string;
  title: string;
  /** Plain text, never markup. */
  snippet: string;
  /** The positions of the query's words in `snippet`: [start, end) in UTF-16 units, ascending. */
  highlights: [number, number][];
  /** True if the snippet is one passage of an HTML page, unchanged except for ellipses at its ends. */
  isPassage?: true;
  host: string;
  score: number;
  /** The time at which this content was fetched, in ISO 8601. */
  fetchedAt: string;
  /**
   * The date on which the page or its server says it was published or changed, as `2026-07-15`. Absent if there
   * is none, or if it is after the fetch.
   */
  date?: string;
  /** The language of the page as a language tag; absent if unknown. */
  language?: string;
  /** True if the page is the home page of its site or the start page of a directory. */
  isEntry?: true;
  /** True if the page asks that no cached copy of it be shown. */
  noCopy?: true;
  /** The pictures of the page that match the query, if they were requested. */
  images?: readonly MatchingImage[];
  /** At least `count` more results of this host follow further down; `query` finds them. */
  moreFromSite?: { count: number; query: string };
  /** URLs of near duplicates of this page, which are not listed themselves. */
  similar?: string[];
}

export interface IndexStats {
  docCount: number;
  /** Documents that can be found by meaning; deleted ones count until the next merge. Absent if there are none. */
  embeddedDocs?: number;
  segmentCount: number;
  sizeBytes: number;
  /** Changes whenever responses may change: every later response is of this generation or a newer one. */
  generation: number;
  /** Counters of the response cache; absent if the cache is off. */
  cache?: CacheStats;
}

export interface Suggestion {
  text: string;
  /** The URL of the page whose title this suggestion is, if any. */
  url?: string;
}

export interface Searcher {
  search(request: SearchRequest): Promise<SearchResponse>;
  /** Returns completions of the typed prefix, best first. Absent if the searcher has no suggestions. */
  suggest?(prefix: string, limit: number): Promise<Suggestion[]>;
  /**
   * Explains the score of a document; null if it is not in the index. Absent if the searcher cannot explain
   * scores.
   */
  explain?(
    query: string,
    url: CanonicalUrl,
    options?: ExplainOptions,
  ): ScoreBreakdown | null | Promise<ScoreBreakdown | null>;
  /** Records a query that was answered without calling `search`, for example from a cache. */
  note?(query: string): void;
  stats(): IndexStats;
  close(): void;
}
