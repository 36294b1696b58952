/**
 * A search shard over an index on this machine. Its methods work synchronously and return a promise that is already
 * settled.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Clock, systemClock } from '../../base/mod.ts';
import { DocumentKind, type FamilyLevel, type IndexReader, kindOf } from '../../index/mod.ts';
import {
  DEFAULT_PROFILE,
  type Evidence,
  explainScore,
  modelFeatures,
  type Profile,
  type ScoreBreakdown,
} from '../../scoring/mod.ts';
import { Deadline, LateError } from '../deadline.ts';
import { DamagedSegmentError } from '../errors.ts';
import { evaluate, findNearest, findTitled, KernelSearch, type Match } from '../matching/mod.ts';
import {
  gatherEvidence,
  gatherPositions,
  roughEvidence,
  roughScores,
  type SecondStage,
  type SegmentDoc,
  type SegmentEvidence,
  scoreExpansion,
  termsOfDocuments,
  topicTermsOf,
} from '../reranking/mod.ts';
import {
  formsIn,
  type GlobalStatistics,
  lookUp,
  partStatisticsOf,
  type SearchedSegment,
  type TermQuery,
  writtenForms,
} from '../terms/mod.ts';
import { countDocuments, lookUpWords, readPage } from './dictionary-lookups.ts';
import { countEmbedded } from './embedded-documents.ts';
import { type FoundUrl, findSimilar, findUrl, type NearDuplicate } from './inspected-document.ts';
import {
  type CandidatesReply,
  type CandidatesRequest,
  type CountsReply,
  type CountsRequest,
  type DetailsRequest,
  type DocumentsRequest,
  type ExpansionRequest,
  type ExplainRequest,
  type FeaturesRequest,
  type InspectUrlRequest,
  type LocateRequest,
  type NearestRequest,
  type PageTerms,
  type SearchShard,
  ShardChangedError,
  type ShardDoc,
  type ShardRequest,
  type ShardState,
  type ShownDocument,
  type SimilarRequest,
  type StatisticsReply,
  type StatisticsRequest,
  type TitledRequest,
  type TopicTerms,
  type WordsReply,
  type WordsRequest,
} from './search-shard.ts';
import { findShardDocument, matchColumns, readUrls, sampleTitles, segmentDocsOf } from './shard-documents.ts';
import { detailsReader } from './shown-document.ts';

interface LocalShardOptions {
  clock?: Clock;
  /** Called repeatedly while a query runs. If it returns true, the query ends at once with the results found so far. */
  isHurried?: () => boolean;
  /** The memory limit of the postings cache, in bytes. The default is 256 MiB. */
  cacheBytes?: number;
}

/** Intermediate results of a query that later requests of the same query reuse. */
interface QueryWork {
  /** Identifies the query: all requests of one query contain this object. */
  terms: StatisticsRequest['words'];
  view: string;
  searched: readonly SearchedSegment[];
  /** The second-stage evidence about the documents that got full features. It is reused for their snippets. */
  evidence: readonly SegmentEvidence[];
}

/**
 * The number of queries whose intermediate results are kept. It is more than one because requests of several queries
 * may alternate.
 */
const RECENT_QUERIES = 4;
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;

export class LocalShard implements SearchShard {
  readonly #index: IndexReader;
  readonly #clock: Clock;
  readonly #isHurried: () => boolean;
  readonly #kernel: KernelSearch;
  /** Intermediate results of the latest queries, newest first. */
  #recent: readonly QueryWork[] = [];
  #profile: Profile = DEFAULT_PROFILE;
  #state: ShardState | null = null;

  constructor(index: IndexReader, options: LocalShardOptions = {}) {
    this.#index = index;
    this.#clock = options.clock ?? systemClock;
    this.#isHurried = options.isHurried ?? (() => false);
    this.#kernel = new KernelSearch(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
  }

  get state(): ShardState {
    const view = this.#index.view;
    if (this.#state?.view === view) return this.#state;
    const { segments, generation, sizeBytes, missing, stemmings } = this.#index;
    const isFeed = (type: string) => kindOf(type) === DocumentKind.feed;
    const { embedded, embeddable } = countEmbedded(segments);
    const hiddenAt = (level: FamilyLevel) =>
      segments.reduce(
        (sum, { hiddenFor, deletes }) => sum + hiddenFor({ feeds: true, level }).size - deletes.size,
        0,
      );
    this.#state = {
      view,
      generation,
      docCount: segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0),
      indexedDocs: segments.reduce((sum, { reader }) => sum + reader.docCount, 0),
      segmentCount: segments.length,
      sizeBytes,
      isDamaged: missing.length > 0,
      hasFeeds: segments.some(({ reader }) => reader.table.types.some(isFeed)),
      embeddedDocs: embedded,
      embeddableDocs: embeddable,
      family: this.#index.family.level,
      familyHidden: { off: 0, moderate: hiddenAt('moderate'), strict: hiddenAt('strict') },
      stemmings,
    };
    return this.#state;
  }

  /** Switches to the newest index; returns false if it is the same index as before. */
  refresh(): boolean {
    return this.#index.refresh();
  }

  async lookUpWords(request: WordsRequest): Promise<WordsReply> {
    return this.#run(request, (deadline) => lookUpWords(this.#index, request, deadline));
  }

  async countDocuments(request: CountsRequest): Promise<CountsReply> {
    return this.#run(request, (deadline) => countDocuments(this.#index.segments, request, deadline));
  }

  async locate(request: LocateRequest): Promise<(ShardDoc | null)[]> {
    return this.#run(request, () =>
      request.fingerprints.map((fingerprint) => findShardDocument(this.#index.segments, fingerprint)),
    );
  }

  async readPages(request: LocateRequest): Promise<(PageTerms | null)[]> {
    return this.#run(request, (deadline) =>
      request.fingerprints.map((fingerprint) => readPage(this.#index.segments, fingerprint, deadline)),
    );
  }

  async statistics(request: StatisticsRequest): Promise<StatisticsReply> {
    return this.#run(request, (deadline) => {
      const { searched } = this.#workOn(request.words, deadline);
      const part = partStatisticsOf(searched, request.words);
      return { ...part, forms: request.withForms ? formsIn(searched, request.words) : null };
    });
  }

  async candidates(request: CandidatesRequest): Promise<CandidatesReply> {
    return this.#run(request, (deadline) => {
      const stage = this.#stage(request, deadline);
      const { query, searched, statistics, profile, kernel } = stage;
      const limits = {
        keep: request.keep,
        count: request.count,
        deadline,
        after: request.after ?? undefined,
      };
      const { total, partial, matches } = evaluate(query, searched, statistics, profile, limits, kernel);
      return {
        total,
        isPartial: partial,
        ...matchColumns(this.#index.segments, matches),
        rough: roughOf(stage, matches, request),
      };
    });
  }

  async nearest(request: NearestRequest): Promise<CandidatesReply> {
    return this.#run(request, (deadline) => {
      const { segments } = this.#index;
      return this.#replyOf(
        findNearest(segments, request.meaning, request.requirement, request.keep, deadline),
      );
    });
  }

  async titled(request: TitledRequest): Promise<CandidatesReply> {
    return this.#run(request, (deadline) => {
      const { segments } = this.#index;
      return this.#replyOf(
        findTitled(segments, request.titleKey, request.requirement, request.keep, deadline),
      );
    });
  }

  #replyOf(matches: readonly Match[]): CandidatesReply {
    const columns = matchColumns(this.#index.segments, matches);
    return { total: matches.length, isPartial: false, ...columns, rough: { kind: 'not-needed' } };
  }

  async features(request: FeaturesRequest): Promise<number[][]> {
    return this.#run(request, (deadline) => {
      const stage = this.#stage(request, deadline);
      const { profile, statistics } = stage;
      const features = new Array<number[]>(request.docs.length);
      const gathered = gatherEvidence(stage, this.#places(request.docs), request.rarities);
      for (const evidence of gathered) {
        const { own } = evidence;
        for (let at = 0; at < own.length; at++)
          features[own[at]!] = modelFeatures(profile, statistics, evidence.of(at));
      }
      this.#workOn(request.query.terms, deadline).evidence = gathered;
      return features;
    });
  }

  async topicTerms(request: DocumentsRequest): Promise<TopicTerms[]> {
    return this.#run(request, () => this.#places(request.docs).map(topicTermsOf));
  }

  async expansionScores(request: ExpansionRequest): Promise<Float64Array> {
    return this.#run(request, (deadline) =>
      scoreExpansion(request.terms, this.#stage(request, deadline), this.#places(request.docs)),
    );
  }

  async documentTerms(request: DocumentsRequest): Promise<string[]> {
    return this.#run(request, () => {
      const terms = new Set<string>();
      for (const { segment, doc } of this.#places(request.docs))
        for (const term of termsOfDocuments(segment, [doc])) terms.add(term);
      return [...terms];
    });
  }

  async urls(request: DocumentsRequest): Promise<string[]> {
    return this.#run(request, () => readUrls(this.#index.segments, request.docs));
  }

  async explain(request: ExplainRequest): Promise<ScoreBreakdown> {
    return this.#run(request, (deadline) => {
      const stage = this.#stage(request, deadline);
      const places = this.#places([request.doc]);
      const evidence = request.isClose
        ? gatherEvidence(stage, places, request.rarities)[0]!.of(0)
        : roughEvidence(stage, places[0]!);
      const whole = { ...evidence, expansion: request.expansionScore };
      return explainScore(stage.profile, stage.statistics, whole);
    });
  }

  async details(request: DetailsRequest): Promise<ShownDocument[]> {
    return this.#run(request, (deadline) => {
      const stage = this.#stage(request, deadline);
      const work = this.#workOn(request.query.terms, deadline);
      const forms = request.forms ?? writtenForms(stage.query, [formsIn(stage.searched, stage.query.terms)]);
      const read = detailsReader(stage, forms);
      const details: ShownDocument[] = [];
      for (const [at, place] of this.#places(request.docs).entries()) {
        if (details.length > 0 && deadline.isOver()) break;
        const doc = request.docs[at]!;
        const known = request.close.has(doc) ? evidenceAbout(place, work.evidence, stage) : null;
        const wants = { passages: request.asked?.has(doc) ?? false, images: request.images ?? false };
        details.push(read(place, known, wants));
      }
      // `details` is the last request of a query, so the evidence about its documents is no longer needed.
      work.evidence = [];
      return details;
    });
  }

  async inspect(request: InspectUrlRequest): Promise<FoundUrl> {
    return this.#run(request, () => findUrl(this.#index.segments, request.url));
  }

  async similar({ url, signature, ...request }: SimilarRequest): Promise<NearDuplicate[]> {
    return this.#run(request, () => findSimilar(this.#index.segments, url, signature));
  }

  /** Returns the URLs and titles of at most `limit` documents, spread evenly over the index. */
  titles(limit: number): { url: string; title: string }[] {
    for (;;) {
      try {
        return this.#run({ view: this.#index.view, leftMs: Number.POSITIVE_INFINITY }, () =>
          sampleTitles(this.#index.segments, this.state.docCount, limit),
        );
      } catch (error) {
        if (!(error instanceof ShardChangedError)) throw error;
      }
    }
  }

  close(): void {
    this.#index.close();
  }

  #run<T>({ view, leftMs }: ShardRequest, read: (deadline: Deadline) => T): T {
    if (view !== this.#index.view) throw new ShardChangedError();
    try {
      const reply = read(new Deadline(this.#clock, this.#clock.now() + leftMs, this.#isHurried));
      if (view !== this.#index.view) throw new ShardChangedError();
      return reply;
    } catch (error) {
      if (!(error instanceof DamagedSegmentError)) throw error;
      this.#index.leaveOut(error.segment, error);
      throw new ShardChangedError();
    }
  }

  #workOn(words: QueryWork['terms'], deadline: Deadline): QueryWork {
    const view = this.#index.view;
    const known = this.#recent.find((work) => work.terms === words && work.view === view);
    if (known) return known;
    const searched = lookUp(this.#index.segments, words, deadline);
    const work: QueryWork = { terms: words, view, searched, evidence: [] };
    this.#recent = [work, ...this.#recent.slice(0, RECENT_QUERIES - 1)];
    return work;
  }

  #stage(request: StagedRequest, deadline: Deadline): SecondStage {
    const { query, statistics } = request;
    const { searched } = this.#workOn(query.terms, deadline);
    const profile = this.#knownProfile(request.profile);
    return { query, searched, statistics, profile, kernel: this.#kernel, deadline };
  }

  /** Returns the same object for equal ranking profiles, because caches use the identity of the object as a key. */
  #knownProfile(profile: Profile): Profile {
    if (profile !== this.#profile && !isDeepStrictEqual(profile, this.#profile)) this.#profile = profile;
    return this.#profile;
  }

  #places(docs: readonly ShardDoc[]): SegmentDoc[] {
    return segmentDocsOf(this.#index.segments, docs);
  }
}

function evidenceAbout(place: SegmentDoc, known: readonly SegmentEvidence[], stage: SecondStage): Evidence {
  for (const evidence of known) {
    const found = evidence.about(place);
    if (found) return found;
  }
  return gatherPositions(stage, place);
}

type StagedRequest = ShardRequest & { query: TermQuery; statistics: GlobalStatistics; profile: Profile };

function roughOf(
  stage: SecondStage,
  matches: readonly Match[],
  { roughAbove, roughCount }: CandidatesRequest,
): CandidatesReply['rough'] {
  if (matches.length <= roughAbove || roughCount === 0) return { kind: 'not-needed' };
  try {
    return { kind: 'scores', scores: roughScores(stage, matches.slice(0, roughCount)) };
  } catch (error) {
    if (error instanceof LateError) return { kind: 'late' };
    throw error;
  }
}
