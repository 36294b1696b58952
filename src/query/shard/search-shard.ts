/**
 * A search shard: a part of the documents of an index, and the seam between them and the gateway.
 *
 *   gateway: parse, global statistics, merge, second-stage order, page of results
 *      |        requests and replies below: plain data
 *   shard:   dictionaries, postings, features, stored documents
 *
 * Requests and replies are plain data that survive a structured clone: no functions, no class instances except
 * Map, Set and typed arrays. A shard in another process can implement the interface by sending them.
 *
 * A shard never decides alone: scores use the statistics that the gateway computed over all shards, so a
 * document has the same score in whatever shard it is.
 *
 * Every request names the view that the gateway took from `state`. If the shard has another view by now (a
 * newer index, or a segment that proved to be damaged), it rejects the request with a ShardChangedError, and
 * the gateway starts the query again. All replies to one query are therefore about the same documents.
 *
 * A reply may depend only on the request. A shard in this process may recognize the object `query.terms` from
 * an earlier request of the same query and reuse its work; a copy of the object gives the same reply, later.
 */

import { GyreError } from '../../base/mod.ts';
import type { FamilyLevel } from '../../index/mod.ts';
import type { Profile, ScoreBreakdown } from '../../scoring/mod.ts';
import type { Stemming } from '../../text/mod.ts';
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

export interface SearchShard {
  /** The last known state. */
  readonly state: ShardState;

  /** Looks up words in the dictionary, for parsing a query. */
  lookUpWords(request: WordsRequest): Promise<WordsReply>;
  /** Counts the documents that have each of the terms. */
  countDocuments(request: CountsRequest): Promise<CountsReply>;
  /** Finds documents by the fingerprints of their URLs. */
  locate(request: LocateRequest): Promise<readonly (ShardDoc | null)[]>;
  /** Reads the terms and vectors of pages, for `related:`. The reply has null for a page that is not in the shard. */
  readPages(request: LocateRequest): Promise<readonly (PageTerms | null)[]>;

  /** Returns this shard's contribution to the statistics of a query. */
  statistics(request: StatisticsRequest): Promise<StatisticsReply>;
  /** First stage: counts every match and returns the best `keep`, best first. */
  candidates(request: CandidatesRequest): Promise<CandidatesReply>;
  /**
   * Returns the documents whose meaning is closest to that of the query, best first, among those that meet the
   * requirement of the query. Their scores are similarities.
   */
  nearest(request: NearestRequest): Promise<CandidatesReply>;
  /** Second stage: returns the features of each document. */
  features(request: FeaturesRequest): Promise<readonly (readonly number[])[]>;
  /** Returns the terms at the beginning of each document, from which query expansion chooses. */
  topicTerms(request: DocumentsRequest): Promise<readonly TopicTerms[]>;
  /** Returns the score of the expansion terms in each document. */
  expansionScores(request: ExpansionRequest): Promise<Float64Array>;
  /** Returns the terms of whole documents, for profiles that need them. */
  documentTerms(request: DocumentsRequest): Promise<readonly string[]>;
  urls(request: DocumentsRequest): Promise<readonly string[]>;
  explain(request: ExplainRequest): Promise<ScoreBreakdown>;
  /**
   * Returns what a result shows. After the grace period of the query it returns only the first documents, at
   * least one.
   */
  details(request: DetailsRequest): Promise<readonly ShownDocument[]>;

  close(): void;
}

/** A document of a shard, by a number that is valid within one view. */
export type ShardDoc = number;

export interface ShardState {
  view: string;
  generation: number;
  docCount: number;
  /** Includes deleted documents that wait for a merge. */
  indexedDocs: number;
  segmentCount: number;
  sizeBytes: number;
  /** True if a damaged segment is left out. */
  isDamaged: boolean;
  hasFeeds: boolean;
  /** The level of the family filter of searches that name none. */
  family: FamilyLevel;
  /** The number of live documents that each level of the family filter hides. */
  familyHidden: Readonly<Record<FamilyLevel, number>>;
  /** Documents that can be found by meaning. */
  embeddedDocs: number;
  /** Documents that can be found by meaning now, or when their vectors are computed. */
  embeddableDocs: number;
  /** The number of live documents by stemming. */
  stemmings: ReadonlyMap<Stemming, number>;
}

export interface ShardRequest {
  view: string;
  /**
   * The time until the limit of the query, in ms; negative if the limit has passed. Clocks of different
   * machines are not compared.
   */
  leftMs: number;
}

export interface WordsRequest extends ShardRequest {
  prefixes: readonly PrefixLookup[];
  /** Words whose other spellings, with other accents, are wanted. */
  spelled: readonly string[];
}

export interface WordsReply {
  /** Per prefix: the most common words that begin with it, and the number of documents of each. */
  prefixes: readonly (readonly { word: string; docCount: number }[])[];
  /** Per word: other words that differ in accents only. */
  spellings: readonly (readonly string[])[];
}

export interface CountsRequest extends ShardRequest {
  terms: readonly Variant[];
  /** True to count also the documents whose anchor texts have the term. */
  inAnchors: boolean;
  /** True to count deleted documents too, which is cheaper. */
  includesDeleted: boolean;
  /** A count above this number need not be exact. */
  ceiling: number;
}

/** `own` has, for each term, the number of documents that contain it. */
export interface CountsReply {
  own: readonly number[];
  /** The numbers of documents whose anchor texts have the term; all 0 if `inAnchors` was false. */
  said: readonly number[];
}

export interface LocateRequest extends ShardRequest {
  fingerprints: readonly bigint[];
}

/** The terms of a page; `words` are their first written forms. */
export interface PageTerms {
  terms: readonly string[];
  words: readonly string[];
  counts: readonly number[];
  /** Null if the page has no vector. */
  meaning: QueryVector | null;
}

export interface StatisticsRequest extends ShardRequest {
  /** The terms of each word of the query. */
  words: readonly (readonly WordTerm[])[];
  /**
   * True to return the written forms of the words. Needed if there are other shards, because the snippets of all shards
   * use the same forms.
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
  /** False if a lower bound of `total` is enough, which is faster. */
  count: boolean;
  /** Returns only matches after this place. */
  after: ListPlace | null;
  /** Computes the rough scores of the first `roughCount` matches, if there are more than `roughAbove`. */
  roughCount: number;
  roughAbove: number;
}

export interface NearestRequest extends ShardRequest {
  requirement: Condition;
  meaning: QueryVector;
  keep: number;
}

/** Columns with one element per match, best first. */
export interface CandidatesReply {
  total: number;
  /** True if the time limit ended the first stage early. */
  isPartial: boolean;
  docs: ArrayLike<ShardDoc>;
  /** First-stage scores; ties are in the order of the fingerprints. */
  scores: Float64Array;
  fingerprints: BigInt64Array;
  hosts: readonly string[];
  /** Days since 1970; 0 if unknown. */
  days: Uint16Array;
  types: readonly string[];
  /** Language tags; the empty string if unknown. */
  languages: readonly string[];
  /** SIGNATURE_NUMBERS per match, as in the document table. */
  signatures: Uint32Array;
  urlFits: Uint8Array;
  /** The rough scores of the first matches, if they were computed. This column is shorter than the others. */
  rough:
    | { kind: 'scores'; scores: Float64Array }
    /** There are few matches, and all of them get full features. */
    | { kind: 'not-needed' }
    /** There was no time. */
    | { kind: 'late' };
}

export interface DocumentsRequest extends ShardRequest {
  docs: readonly ShardDoc[];
}

export interface FeaturesRequest extends QueryRequest, DocumentsRequest {
  /** The IDFs of the terms of the documents, for profiles that need them; absent if this is the only shard. */
  rarities: ReadonlyMap<string, number> | null;
}

/** Terms and the number of their occurrences, without function words. */
export interface TopicTerms {
  terms: readonly string[];
  counts: ArrayLike<number>;
}

/** An expansion term of a query; the shares of all expansion terms sum to 1. */
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
  /** The documents that got full features; their snippets are chosen by the positions of the words. */
  close: ReadonlySet<ShardDoc>;
  /** The written forms of the query's words, with the index of each word; null if this is the only shard. */
  forms: ReadonlyMap<string, number> | null;
  /** The documents whose passages may answer the query. */
  asked?: ReadonlySet<ShardDoc>;
  /** True to return the pictures that match the query. */
  images?: true;
}

export interface ShownDocument {
  url: string;
  title: string;
  snippet: string;
  /** Snippets to choose from, if only the meaning of the document matches; empty if there is no choice. */
  passages: readonly string[];
  highlights: [number, number][];
  /** True if the snippet is one passage of an HTML page. */
  isPassage: boolean;
  fetchedAt: number;
  /** The date on which the page says it was published or changed. */
  date: string | null;
  language: string;
  isEntry: boolean;
  noCopy: boolean;
  /** Passages that may answer the query, best first; absent if they were not requested. */
  answers?: readonly AnswerPassage[];
  /** The matching pictures; absent if there are none or they were not requested. */
  images?: readonly MatchingImage[];
}

/** The view of the shard is no longer the one that the request names. */
export class ShardChangedError extends GyreError {
  constructor() {
    super('shard-changed', 'The index of the shard has changed; start the query again.');
  }
}
