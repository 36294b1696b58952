/**
 * A search shard has a part of the documents of an index. This is the interface between the shards and the gateway.
 *
 *   gateway: parse, global statistics, merge, second-stage order, page of results
 *      |        requests and replies below: plain data
 *   shard:   dictionaries, postings, features, stored documents
 *
 * Requests and replies are plain data that survive a structured clone: no functions, and no class instances except
 * Map, Set and typed arrays. A shard in another process can implement the interface by sending them.
 *
 * Scores use the statistics that the gateway computed over all shards. Therefore a document has the same score in
 * whatever shard it is.
 *
 * Every request names the view (state of the index) that the gateway read from `state`. If the shard has another
 * view by now, because the index is newer or a segment proved to be damaged, it rejects the request with a
 * ShardChangedError, and the gateway starts the query again. All replies to one query are therefore about the same
 * documents.
 *
 * A reply depends only on the request. A shard in the same process may recognize the object `query.terms` from an
 * earlier request of the same query and reuse intermediate results. With a copy of the object, the reply is the same
 * but slower.
 */

import { GyreError } from '../../base/mod.ts';
import type { FamilyLevel } from '../../index/mod.ts';
import type { Profile, ScoreBreakdown } from '../../scoring/mod.ts';
import type { Stemming } from '../../text/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { Condition, PrefixLookup, Variant } from '../language/mod.ts';
import type { ListPlace } from '../matching/mod.ts';
import type { AnswerPassage, MatchingImage } from '../snippets/mod.ts';
import type {
  GlobalStatistics,
  PartStatistics,
  QueryVector,
  TermForms,
  TermQuery,
  WordTerm,
} from '../terms/mod.ts';
import type { FoundUrl, NearDuplicate } from './inspected-document.ts';

export interface SearchShard {
  /** The state of the shard when it was last read or refreshed. */
  readonly state: ShardState;

  /** Looks up words in the dictionaries of the shard, for parsing a query. */
  lookUpWords(request: WordsRequest): Promise<WordsReply>;
  /** Counts the documents that have each of the terms. */
  countDocuments(request: CountsRequest): Promise<CountsReply>;
  /** Finds documents by the fingerprints of their URLs; null for each document that is not in the shard. */
  locate(request: LocateRequest): Promise<readonly (ShardDoc | null)[]>;
  /** Reads the terms and vectors of pages, for `related:`. The reply has null for a page that is not in the shard. */
  readPages(request: LocateRequest): Promise<readonly (PageTerms | null)[]>;

  /**
   * Returns the document counts of this shard for the words of a query. The gateway adds up the counts of all
   * shards.
   */
  statistics(request: StatisticsRequest): Promise<StatisticsReply>;
  /** First stage: counts all matches and returns the `keep` best, best first. */
  candidates(request: CandidatesRequest): Promise<CandidatesReply>;
  /**
   * Returns the documents whose meaning is closest to the query, best first. They must meet the operators and
   * filters of the query. The score of a document is its similarity.
   */
  nearest(request: NearestRequest): Promise<CandidatesReply>;
  /**
   * Returns the documents whose whole title is the query, in the order of their fingerprints. They must meet the
   * operators and filters of the query.
   */
  titled(request: TitledRequest): Promise<CandidatesReply>;
  /** Second stage: returns the features of each of the given documents. */
  features(request: FeaturesRequest): Promise<readonly (readonly number[])[]>;
  /** Returns the terms at the beginning of each document. Query expansion chooses among them. */
  topicTerms(request: DocumentsRequest): Promise<readonly TopicTerms[]>;
  /** Returns, for each document, the score of the expansion terms. */
  expansionScores(request: ExpansionRequest): Promise<Float64Array>;
  /**
   * Returns all terms that the documents contain. Some ranking profiles need the inverse document frequencies
   * of these terms.
   */
  documentTerms(request: DocumentsRequest): Promise<readonly string[]>;
  urls(request: DocumentsRequest): Promise<readonly string[]>;
  explain(request: ExplainRequest): Promise<ScoreBreakdown>;
  /**
   * Returns the snippet and other details that a result shows, for each document. After the grace period of the
   * query it returns only the first documents, at least one.
   */
  details(request: DetailsRequest): Promise<readonly ShownDocument[]>;
  /** Finds the documents of a URL, for operators. */
  inspect(request: InspectUrlRequest): Promise<FoundUrl>;
  /** Finds the near duplicates of a page, which may be in another shard. Compares all documents of the shard. */
  similar(request: SimilarRequest): Promise<readonly NearDuplicate[]>;

  close(): void;
}

/** The number of a document in a shard. It is valid for one view of the shard only. */
export type ShardDoc = number;

export interface ShardState {
  /** Identifies the documents and their numbers. Copies of a shard that have the same view give the same replies. */
  view: string;
  /** True if the shard cannot be reached. Queries leave it out, and their responses are partial. */
  isAbsent?: true;
  generation: number;
  docCount: number;
  /** The number of documents in all segments, including deleted documents that wait for a merge. */
  indexedDocs: number;
  segmentCount: number;
  sizeBytes: number;
  /** True if a damaged segment was left out of the index. */
  isDamaged: boolean;
  hasFeeds: boolean;
  /** The level of the family filter for searches that do not set one. */
  family: FamilyLevel;
  /** The number of live documents that each level of the family filter hides. */
  familyHidden: Readonly<Record<FamilyLevel, number>>;
  /** The number of documents that have a vector and can be found by meaning. */
  embeddedDocs: number;
  /** The number of documents that have a vector, or can get one later. */
  embeddableDocs: number;
  /** For each stemming, the number of live documents. */
  stemmings: ReadonlyMap<Stemming, number>;
}

export interface ShardRequest {
  view: string;
  /**
   * The time that is left until the limit of the query, in ms; negative if the limit has passed. A duration is used
   * because the clocks of two machines may differ.
   */
  leftMs: number;
}

export interface WordsRequest extends ShardRequest {
  prefixes: readonly PrefixLookup[];
  /** The words whose spellings with other accents are wanted in the reply. */
  spelled: readonly string[];
}

export interface WordsReply {
  /** For each prefix: the most common words that begin with it, and the number of documents that have each. */
  prefixes: readonly (readonly { word: string; docCount: number }[])[];
  /** For each word: the words of the index that differ from it only in accents. */
  spellings: readonly (readonly string[])[];
}

export interface CountsRequest extends ShardRequest {
  terms: readonly Variant[];
  /** If true, the documents whose anchor texts have the term are counted, too. */
  inAnchors: boolean;
  /** If true, deleted documents are counted, too, which is cheaper. */
  includesDeleted: boolean;
  /** The number above which a count need not be exact. */
  ceiling: number;
}

/**
 * The reply with document counts. `own` has, for each term, the number of documents whose text contains the
 * term.
 */
export interface CountsReply {
  own: readonly number[];
  /** For each term, the number of documents whose anchor texts have it; 0 if `inAnchors` was false. */
  said: readonly number[];
}

export interface LocateRequest extends ShardRequest {
  fingerprints: readonly bigint[];
}

/** The terms of a page, for `related:`. `words` has, for each term, the first form in which the page writes it. */
export interface PageTerms {
  terms: readonly string[];
  words: readonly string[];
  counts: readonly number[];
  /** The vector of the page; null if it has none. */
  meaning: QueryVector | null;
}

export interface StatisticsRequest extends ShardRequest {
  /** The terms of each word of the query. */
  words: readonly (readonly WordTerm[])[];
  /**
   * If true, the reply has the written forms of the words. The gateway needs them if there are several shards,
   * because the snippets of all shards use the same forms.
   */
  withForms: boolean;
}

export interface StatisticsReply extends PartStatistics {
  forms: TermForms | null;
}

interface QueryRequest extends ShardRequest {
  query: TermQuery;
  statistics: GlobalStatistics;
  profile: Profile;
}

export interface CandidatesRequest extends QueryRequest {
  keep: number;
  /** If false, `total` may be a lower bound of the number of matches, which is faster. */
  count: boolean;
  /** If not null, only matches that rank after this place are returned. */
  after: ListPlace | null;
  /**
   * The number of matches, from the best on, whose rough scores are computed. If there are at most `roughAbove`
   * matches, no rough scores are computed.
   */
  roughCount: number;
  roughAbove: number;
}

export interface NearestRequest extends ShardRequest {
  requirement: Condition;
  meaning: QueryVector;
  keep: number;
}

export interface TitledRequest extends ShardRequest {
  requirement: Condition;
  /** The key of the query as a title; see `titleKeyOf` in `text/`. */
  titleKey: number;
  keep: number;
}

/** The matches of a shard as columns: each array has one element per match, best first. */
export interface CandidatesReply {
  total: number;
  /** True if the time limit ended the first stage early. */
  isPartial: boolean;
  docs: ArrayLike<ShardDoc>;
  /** First-stage scores, descending. Matches with equal scores are in the order of their fingerprints. */
  scores: Float64Array;
  fingerprints: BigInt64Array;
  hosts: readonly string[];
  /** The date of each document in days since 1970; 0 if unknown. */
  days: Uint16Array;
  types: readonly string[];
  /** The language tag of each document; empty if unknown. */
  languages: readonly string[];
  /** The near-duplicate signature of each document, SIGNATURE_NUMBERS elements per match. */
  signatures: Uint32Array;
  urlFits: Uint8Array;
  /** The key of the whole title of each document (src/text/title-key.ts); 0 if unknown. */
  titleKeys: Uint32Array;
  /** The key that each document shares with its translations; 0 if unknown. */
  translationKeys: Uint32Array;
  /** The rough scores of the first matches, if they were computed. */
  rough:
    | { kind: 'scores'; scores: Float64Array }
    /** There are so few matches that all of them get full features. */
    | { kind: 'not-needed' }
    /** There was no time to compute the rough scores. */
    | { kind: 'late' };
}

export interface DocumentsRequest extends ShardRequest {
  docs: readonly ShardDoc[];
}

export interface FeaturesRequest extends QueryRequest, DocumentsRequest {
  /** The IDFs of all terms of the documents, for ranking profiles that need them; null if this is the only shard. */
  rarities: ReadonlyMap<string, number> | null;
}

/** The terms at the beginning of a document without function words, and how often each occurs. */
export interface TopicTerms {
  terms: readonly string[];
  counts: ArrayLike<number>;
}

/** An expansion term of a query, with its share of the expansion score. The shares of all terms sum to 1. */
export interface ExpansionTerm {
  term: string;
  share: number;
}

export interface ExpansionRequest extends QueryRequest, DocumentsRequest {
  terms: readonly ExpansionTerm[];
}

export interface ExplainRequest extends QueryRequest {
  doc: ShardDoc;
  /** True if the document got full features, false if it has only a rough score. */
  isClose: boolean;
  expansionScore: number | null;
  rarities: ReadonlyMap<string, number> | null;
}

export interface DetailsRequest extends QueryRequest, DocumentsRequest {
  /** The documents that got full features. Their snippets are chosen by the positions of the query's words. */
  close: ReadonlySet<ShardDoc>;
  /** Maps each written form of the query's words to the index of its word; null if this is the only shard. */
  forms: ReadonlyMap<string, number> | null;
  /** The documents whose passages are requested, to find one that answers the query. */
  asked?: ReadonlySet<ShardDoc>;
  /** If true, the reply has the pictures that match the query. */
  images?: true;
}

export interface InspectUrlRequest extends ShardRequest {
  url: CanonicalUrl;
}

export interface SimilarRequest extends InspectUrlRequest {
  /** The near-duplicate signature of the page. */
  signature: Uint32Array;
}

export interface ShownDocument {
  url: string;
  title: string;
  snippet: string;
  /**
   * Snippets among which the gateway chooses, for a document that was found by meaning only; empty for other
   * documents.
   */
  passages: readonly string[];
  highlights: [number, number][];
  /** True if the snippet is one passage of an HTML page. */
  isPassage: boolean;
  fetchedAt: number;
  /** The date on which the page was published or changed, as the page states it. */
  date: string | null;
  language: string;
  isEntry: boolean;
  noCopy: boolean;
  /** Passages that may answer the query, best first; absent if they were not requested. */
  answers?: readonly AnswerPassage[];
  /** The matching pictures; absent if there are none or they were not requested. */
  images?: readonly MatchingImage[];
}

/** The error of a request that names an old view of the shard. The gateway starts the query again. */
export class ShardChangedError extends GyreError {
  constructor() {
    super('shard-changed', 'The index of the shard has changed; start the query again.');
  }
}
