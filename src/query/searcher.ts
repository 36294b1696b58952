/** The interface of a search engine, which the other rooms use. LocalSearcher implements it over one index. */
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
  /** The cursor of the previous response. The response has the results that follow, and `offset` is ignored. */
  cursor?: string;
  /**
   * The number of results of one host on a page, after which results of other hosts are preferred; absent for no
   * limit.
   */
  perHost?: number;
  /** If true, only one of several near duplicates or translations is listed. */
  collapse?: boolean;
  /** The visitor's site rules: blocked, lowered, raised and pinned sites. */
  siteRules?: readonly SiteRule[];
  /**
   * The searcher's language as a primary subtag, such as `de`. If the words of the query do not show its language,
   * it counts as being in this language, and documents in this language are preferred.
   */
  preferredLanguage?: string;
  /** The level of the family filter; if absent, the default level of the index is used. */
  family?: FamilyLevel;
  /** If true, the response has a passage of the first results that answers the query, if there is one. */
  passage?: true;
  /** If true, each result has the pictures of the page that match the query. */
  images?: true;
  /** If true, the spelling of the query is not corrected automatically. */
  asTyped?: boolean;
  /**
   * If true, documents must have every plain word of the query, except function words such as "the". By default one
   * of the words is enough.
   */
  everyWord?: true;
  /** Orders the best results by date, newest first, instead of by score. */
  order?: 'newest';
  /**
   * Pages that a feed announced. They count as news with the date of the announcement, even if their own metadata
   * does not say so.
   */
  announced?: readonly Announced[];
  /**
   * The arrival time of the query in ms since 1970, by the clock of this process; the default is now. The time limit
   * counts from it. Several searches for one visitor have the same arrival time, and therefore end at the same time
   * limit.
   */
  arrivedAt?: number;
  /** Called before the search starts. Returns true if the client no longer waits for the response. */
  isCancelled?: () => boolean;
}

/** The arrival time of a query, and a function that tells if its client no longer waits. */
export type Arrival = Pick<SearchRequest, 'arrivedAt' | 'isCancelled'>;

/** The options of a search that also affect the explanation of a score. */
export type ExplainOptions = Arrival & Pick<SearchRequest, 'preferredLanguage'>;

export interface SearchResponse {
  /** The query as the parser understood it, for display. */
  query: string;
  /** The number of matching documents. It is exact unless `partial` is true. */
  total: number;
  tookMs: number;
  /** True if the response is incomplete because of the time limit, a damaged segment or a missing shard. */
  partial: boolean;
  /** Notes to the visitor about how the query was read or answered. */
  notes: QueryNote[];
  /** The corrected query. If `automatic` is true, the results belong to the corrected query. */
  spelling?: { query: string; automatic: boolean };
  results: SearchResult[];
  /** A passage that answers the query; absent unless the evidence for it is strong. */
  passage?: PassageAnswer;
  /** The number of matching documents that the family filter hides; absent if it is 0. */
  familyHidden?: number;
  /**
   * Figures that show how well the index answers the query. Spelling correction uses them. Absent if they were not
   * computed.
   */
  evidence?: QueryEvidence;
  /**
   * The formats and kinds of the best results: `pdf`, `news`, `product`. The value `feed` is present if the index
   * has any feeds, because result lists do not contain feeds. Absent if they were not computed.
   */
  kinds?: readonly string[];
  /**
   * For each value of each filter, such as a language, the number of the best results that have it; absent in
   * responses to a cursor.
   */
  facets?: ResultFacets;
  /** The cursor for the next request, which returns the results that follow; absent at the end of the list. */
  cursor?: string;
}

/** How common the words of a query are, and how many of them the best results have. */
export interface QueryEvidence {
  docCount: number;
  /** For each word of the query: the typed words that it stands for, and the number of documents that have it. */
  words: readonly { typed: readonly string[]; docCount: number }[];
  /**
   * The share of the query that a result has, from 0 to 1: the greatest share among the first results. Words
   * are weighted by their rarity; a word that no document has counts as very rare.
   */
  coverage: number;
  /**
   * The share of the query that the headings of a result have, from 0 to 1: the greatest share among the first
   * results.
   */
  inHeadings: number;
}

/** A passage of one of the first results that answers the query. */
export interface PassageAnswer {
  url: string;
  title: string;
  host: string;
  /** One to three sentences, as plain text. */
  text: string;
  /** The positions of the query's words in `text`: [start, end) in UTF-16 units, ascending. */
  highlights: [number, number][];
  /** The heading above the passage; empty if there is none. */
  heading: string;
  /** The code block after the passage, with line breaks. */
  code?: string;
  language?: string;
  fetchedAt: string;
}

export interface SearchResult {
  url: string;
  title: string;
  /** The snippet as plain text, never markup. */
  snippet: string;
  /** The positions of the query's words in `snippet`: [start, end) in UTF-16 units, ascending. */
  highlights: [number, number][];
  /** True if the snippet is one passage of an HTML page, unchanged except for ellipses at its ends. */
  isPassage?: true;
  host: string;
  score: number;
  /** The time at which the page was fetched, in ISO 8601. */
  fetchedAt: string;
  /**
   * The date on which the page was published or changed, as the page or its server states it: `2026-07-15`. Absent
   * if there is none, or if the date is after the fetch.
   */
  date?: string;
  /** The language tag of the page; absent if unknown. */
  language?: string;
  /** The format of the page, such as `pdf` or `docx`; absent for HTML and if unknown. */
  format?: string;
  /** True if the page is the home page of its site or the start page of a directory. */
  isEntry?: true;
  /** True if the page forbids search engines to show a cached copy. */
  noCopy?: true;
  /** The pictures of the page that match the query, if they were requested. */
  images?: readonly MatchingImage[];
  /** At least `count` more results of this host follow further down. The query `query` finds them. */
  moreFromSite?: { count: number; query: string };
  /** URLs of near duplicates of this page, which are not listed as results. */
  similar?: string[];
  /** The translations of this page that match the query, too. They are not listed as results. */
  translations?: readonly Translation[];
}

/** A page with the same content in another language. */
export interface Translation {
  url: string;
  /** The language tag of the page; empty if unknown. */
  language: string;
}

export interface IndexStats {
  docCount: number;
  /**
   * The number of documents that can be found by meaning; absent if it is 0. Deleted documents count until the next
   * merge.
   */
  embeddedDocs?: number;
  segmentCount: number;
  sizeBytes: number;
  /** A number that changes when responses may change. Every later response is of this generation or of a newer one. */
  generation: number;
  /** Counters of the response cache; absent if the cache is off. */
  cache?: CacheStats;
}

export interface Suggestion {
  text: string;
  /** The URL of the page that has this suggestion as its title, if there is one. */
  url?: string;
  /**
   * Present if possibly no page has this phrase, because it was made from the typed text and a word that often
   * follows the last typed word.
   */
  isGuess?: true;
}

export interface Searcher {
  search(request: SearchRequest): Promise<SearchResponse>;
  /**
   * Returns suggestions for the text typed so far, best first. The method is absent if the searcher cannot make
   * suggestions.
   */
  suggest?(prefix: string, limit: number): Promise<Suggestion[]>;
  /**
   * Explains the score of a document for a query; null if the document is not in the index. The method is absent if
   * the searcher cannot explain scores.
   */
  explain?(
    query: string,
    url: CanonicalUrl,
    options?: ExplainOptions,
  ): ScoreBreakdown | null | Promise<ScoreBreakdown | null>;
  /** Counts a query that was answered without calling `search`, for example from a cache, as one that visitors made. */
  note?(query: string): void;
  stats(): IndexStats;
  close(): void;
}
