/**
 * A searcher over the index in a directory of this machine.
 *
 *   parse -> terms -> look up -> evaluate (every match) -> rerank (the best 1,000) -> snippets (one page)
 *
 * `total` counts the documents that meet the condition of the query; see language/interpret-query.ts. Adding
 * a plain word never makes `total` smaller; it changes the order, and documents that have all words come
 * first.
 */

import type { Clock, Directory, Log } from '../base/mod.ts';
import { DAY_MS } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { DEFAULT_PROFILE, type Profile, type ScoreBreakdown } from '../scoring/mod.ts';
import { type CanonicalUrl, fingerprint, SiteJudge } from '../url/mod.ts';
import { AnswerCache, cacheKey } from './answer-cache.ts';
import type { Synonyms } from './assistance/mod.ts';
import { Deadline, LateError, NO_DEADLINE } from './deadline.ts';
import { DamagedSegmentError, reading } from './errors.ts';
import { allOf, anyOf, type LinkLookup, parseQuery } from './language/mod.ts';
import {
  type Evaluation,
  type EvaluationLimits,
  evaluate,
  KernelSearch,
  type Match,
} from './matching/mod.ts';
import { readQuery } from './read-query.ts';
import { explainRank, type RankedMatch, rerank, type SecondStage } from './reranking/mod.ts';
import {
  type AnnouncedDays,
  announcedDays,
  datedAs,
  encodeCursor,
  kindsAmong,
  newestFirst,
  nextCursor,
  orderByRules,
  pageOf,
  readCursor,
  shownResults,
  withAnnounced,
} from './results/mod.ts';
import type { Arrival, IndexStats, Searcher, SearchRequest, SearchResponse } from './searcher.ts';
import { lookUp, mostTelling, statisticsOf, type TermQuery, usesOf } from './terms/mod.ts';

export interface LocalSearcherOptions {
  log: Log;
  clock: Clock;
  /** A query returns its results so far when this much time has passed since its arrival; default 5 s. */
  timeLimitMs?: number;
  /** Called while a query runs; true ends the query early, as the time limit does. */
  isHurried?: () => boolean;
  /** The memory limit for postings lists that are kept between queries; default 256 MiB. */
  cacheBytes?: number;
  /** The memory limit for cached responses; the default is 0, which caches none. */
  answerBytes?: number;
  /**
   * Returns the link graph, for `link:` and the ranks of hosts. Called for every query, because the graph may
   * be replaced.
   */
  links?: () => LinkLookup | null;
  /** Returns the synonyms and a version that changes when they do. Called for every query. */
  synonyms?: () => { known: Synonyms; version: string } | null;
  /** The ranking profile; DEFAULT_PROFILE if absent. */
  profile?: Profile;
}

/** A document of a ranking, without its snippet and other data for display. */
interface LinkingPage {
  url: string;
  score: number;
  /**
   * The second-stage features, in the order of the model's features; empty for documents below the
   * candidates.
   */
  features: readonly number[];
}

const DEFAULT_TIME_LIMIT_MS = 5000;
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
/** Results after this many are counted but cannot be listed. */
const MAX_LISTED = 10_000;

/** Opens a searcher. An index that was never built gives empty responses. */
export function openSearcher(index: Directory, options: LocalSearcherOptions): LocalSearcher {
  return new LocalSearcher(new IndexReader(index, options.log), options);
}

export class LocalSearcher implements Searcher {
  readonly #index: IndexReader;
  readonly #clock: Clock;
  readonly #timeLimitMs: number;
  readonly #isHurried: () => boolean;
  readonly #kernel: KernelSearch;
  readonly #links: () => LinkLookup | null;
  readonly #answers: AnswerCache;
  readonly #profile: Profile;
  readonly #synonyms: NonNullable<LocalSearcherOptions['synonyms']>;

  constructor(index: IndexReader, options: LocalSearcherOptions) {
    this.#index = index;
    this.#clock = options.clock;
    this.#timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    this.#isHurried = options.isHurried ?? (() => false);
    this.#links = options.links ?? (() => null);
    this.#answers = new AnswerCache(options.answerBytes ?? 0);
    this.#kernel = new KernelSearch(options.cacheBytes ?? DEFAULT_CACHE_BYTES);
    this.#profile = options.profile ?? DEFAULT_PROFILE;
    this.#synonyms = options.synonyms ?? (() => null);
  }

  /** Switches to the newest index; returns false if it is the same index as before. */
  refresh(): boolean {
    return this.#index.refresh();
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const startedAt = this.#clock.now();
    const links = this.#links();
    const synonyms = this.#synonyms();
    const version = `${this.#index.generation} ${links?.generation ?? ''} ${synonyms?.version ?? ''}`;
    const key = cacheKey(request, parseQuery(request.query), this.#profile.name);
    const known = this.#answers.find(version, key);
    if (known) return { ...known, tookMs: this.#clock.now() - startedAt };
    const judge = request.siteRules?.length ? new SiteJudge(request.siteRules) : null;
    const deadline = this.#deadline(request);
    const { query, answer } = this.#inTime(request, () => {
      deadline.requireNow();
      const announced = announcedDays(request.announced ?? []);
      const query = withoutBlocked(widened(this.#read(request.query, links, deadline), announced), judge);
      return { query, answer: this.#answer({ query, request, judge, announced, deadline }) };
    });
    const isDamaged = this.#index.missing.length > 0;
    const notes = [...query.notes, ...answer.notes];
    if (isDamaged) notes.push('A part of the index is damaged and was left out.');
    const response: SearchResponse = {
      query: query.text,
      tookMs: this.#clock.now() - startedAt,
      ...answer,
      partial: answer.partial || isDamaged,
      notes,
    };
    this.#answers.keep(version, key, response);
    return response;
  }

  /**
   * Explains the score of a document among the best candidates; null if the document is not in the index or
   * not among the candidates. Throws a LateError at the time limit, because a partial explanation would be
   * wrong.
   */
  explain(query: string, url: CanonicalUrl, arrival: Arrival = {}): ScoreBreakdown | null {
    const deadline = this.#deadline(arrival);
    return this.#withoutDamage(() => {
      deadline.requireNow();
      const wanted = this.#find(url);
      const parsed = this.#read(query, this.#links(), deadline);
      if (!wanted || !parsed.condition) return null;
      const stage = this.#secondStage(parsed, parsed.text, deadline);
      return explainRank(stage, this.#candidates(parsed, stage, this.#profile.candidates), wanted);
    });
  }

  /**
   * Returns the first `depth` documents for a text whose words are all read as plain words: no operators, no
   * limits per host. For measuring rankings.
   */
  ranking(text: string, depth: number): LinkingPage[] {
    return this.#withoutDamage(() => {
      const parsed = this.#read(mostTelling(text, this.#index).join(' '), null, NO_DEADLINE);
      if (!parsed.condition) return [];
      const stage = this.#secondStage(parsed, text, NO_DEADLINE);
      const { candidates } = this.#profile;
      const matches = this.#candidates(parsed, stage, Math.max(depth, candidates));
      const best: (Match | RankedMatch)[] = [...rerank(stage, matches).matches, ...matches.slice(candidates)];
      const urls = urlsOf(best.slice(0, depth));
      return best.slice(0, depth).map((match, at) => ({
        url: urls[at]!,
        score: match.score,
        features: 'features' in match ? match.features : [],
      }));
    });
  }

  /** Returns the URLs and titles of at most `limit` documents, spread evenly over the index. */
  titles(limit: number): { url: string; title: string }[] {
    return this.#withoutDamage(() =>
      this.#index.segments.flatMap((segment) => {
        const step = Math.max(1, this.stats().docCount / limit);
        const count = Math.floor(segment.reader.docCount / step);
        const docs = Array.from({ length: count }, (_, at) => Math.floor(at * step));
        const live = docs.filter((doc) => !segment.hidden.has(doc));
        return live.map((doc) => reading(segment, () => segment.reader.document(doc)));
      }),
    ).map(({ url, title }) => ({ url, title }));
  }

  stats(): IndexStats {
    const { segments, sizeBytes, generation } = this.#index;
    const docCount = segments.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
    const stats = { docCount, segmentCount: segments.length, sizeBytes, generation };
    return this.#answers.isOn ? { ...stats, cache: this.#answers.stats } : stats;
  }

  close(): void {
    this.#index.close();
  }

  #deadline({ arrivedAt }: Arrival): Deadline {
    const now = this.#clock.now();
    return new Deadline(this.#clock, Math.min(arrivedAt ?? now, now) + this.#timeLimitMs, this.#isHurried);
  }

  #read(text: string, links: LinkLookup | null, deadline: Deadline): TermQuery {
    return readQuery(text, this.#index, links, this.#synonyms()?.known ?? null, deadline);
  }

  /** Returns an empty partial response for a query that is late before the first document is evaluated. */
  #inTime(
    { query: text }: SearchRequest,
    read: () => { query: Noted; answer: Answer },
  ): ReturnType<typeof read> {
    try {
      return this.#withoutDamage(read);
    } catch (error) {
      if (!(error instanceof LateError)) throw error;
      return { query: { text, notes: [] }, answer: { total: 0, partial: true, notes: [], results: [] } };
    }
  }

  /** Runs `read`, and runs it again without the damaged segment each time it finds one. */
  #withoutDamage<T>(read: () => T): T {
    for (;;) {
      try {
        return read();
      } catch (error) {
        if (!(error instanceof DamagedSegmentError)) throw error;
        this.#index.leaveOut(error.segment, error);
      }
    }
  }

  #answer({ query, request, judge, announced, deadline }: Asked): Answer {
    if (!query.condition) return { total: 0, partial: false, notes: [], results: [] };
    const { generation } = this.#index;
    const { cursor, notes } = readCursor(request, query.text, generation);
    const stage = this.#secondStage(query, query.text, deadline);
    const { candidates } = this.#profile;
    const end = Math.min(cursor.offset + request.limit, MAX_LISTED);
    const limits = {
      keep: cursor.after ? request.limit : Math.max(end, candidates),
      count: true,
      deadline,
      after: cursor.after,
    };
    const { total, partial: isCut, matches } = this.#evaluate(query, stage, limits);
    const close = cursor.after ? [] : matches.slice(0, candidates);
    const best = rerank(stage, close);
    const ruled = judge && close.length > 0 ? this.#ruled(best.matches, judge, stage, limits) : best.matches;
    const listed = request.order === 'newest' ? this.#newest(ruled, announced, judge) : ruled;
    const page = pageOf(listed, matches.slice(close.length), cursor, request, query);
    const { results: shown, count } = shownResults(page, stage, request.collapse ?? false);
    const results = datedAs(announced, shown);
    const next = nextCursor({ ...page, shown: page.shown.slice(0, count) }, close.at(-1), total);
    const partial = isCut || best.isCut || count < page.shown.length;
    if (!request.cursor) notes.push(...notesOn(request, total));
    const kinds = !cursor.after && { kinds: kindsAmong(close, this.#index.segments) };
    const answer = { total, partial, notes, results, ...kinds };
    return next ? { ...answer, cursor: encodeCursor({ ...next, generation }, query.text) } : answer;
  }

  /**
   * Applies the visitor's site rules. Documents of pinned sites may rank far down, so a separate search finds
   * them.
   */
  #ruled(best: RankedMatch[], judge: SiteJudge, stage: SecondStage, limits: EvaluationLimits): RankedMatch[] {
    const { candidates } = this.#profile;
    const sites = judge.sites('pin');
    const pinned =
      sites.length === 0
        ? best
        : rerank(
            stage,
            this.#evaluate(onSites(stage.query, sites), stage, { ...limits, count: false }).matches.slice(
              0,
              candidates,
            ),
          ).matches;
    const hostOf = ({ segment, doc }: Match) => segment.reader.host(doc);
    const isSame = (a: Match, b: Match) => a.segment === b.segment && a.doc === b.doc;
    return orderByRules(best, pinned, candidates, judge, hostOf, isSame);
  }

  #newest(ranked: RankedMatch[], announced: AnnouncedDays, judge: SiteJudge | null): RankedMatch[] {
    const tomorrow = Math.floor(this.#clock.now() / DAY_MS) + 1;
    const isPinned = ({ segment, doc }: Match) => judge?.effectOn(segment.reader.host(doc)) === 'pin';
    return newestFirst(ranked, announced, tomorrow, isPinned);
  }

  /** Prepares the data that both stages need; `text` is the text from which the words were read. */
  #secondStage(query: TermQuery, text: string, deadline: Deadline): SecondStage {
    const searched = lookUp(this.#index.segments, query.terms, deadline);
    const uses = usesOf(text, query);
    const statistics = statisticsOf(searched, query.words.length, uses, this.#profile.functionWords);
    return {
      query,
      searched,
      statistics,
      profile: this.#profile,
      kernel: this.#kernel,
      deadline,
    };
  }

  #evaluate(query: TermQuery, stage: SecondStage, limits: EvaluationLimits): Evaluation {
    return evaluate(query, stage.searched, stage.statistics, stage.profile, limits, this.#kernel);
  }

  /** Returns the best matches of the first stage; throws a LateError if there is no time to find them all. */
  #candidates(query: TermQuery, stage: SecondStage, keep: number): Match[] {
    const { deadline } = stage;
    const { matches, partial } = this.#evaluate(query, stage, { keep, count: false, deadline });
    if (partial) throw new LateError();
    return matches;
  }

  #find(url: CanonicalUrl): Match | null {
    const key = fingerprint(url);
    for (const segment of this.#index.segments) {
      const doc = segment.reader.findDocument(key);
      if (doc >= 0 && !segment.deletes.has(doc)) return { segment, doc, score: 0 };
    }
    return null;
  }
}

/** Reads the URLs in document order, because neighbouring documents are stored together. */
function urlsOf(matches: readonly Match[]): string[] {
  const urls: string[] = [];
  const order = [...matches.keys()].sort((a, b) => matches[a]!.doc - matches[b]!.doc);
  for (const at of order) {
    const { segment, doc } = matches[at]!;
    urls[at] = reading(segment, () => segment.reader.document(doc).url);
  }
  return urls;
}

/** Excludes blocked sites in the condition, so that `total` does not count them. */
function withoutBlocked(query: TermQuery, judge: SiteJudge | null): TermQuery {
  if (!judge || !query.condition || judge.sites('block').length === 0) return query;
  const isWanted = (host: string) => !judge.blocks(host);
  return { ...query, condition: allOf([query.condition, { kind: 'hosts', isWanted }]), isPlain: false };
}

/** Makes announced pages match `kind:news`; see newest-first.ts. */
function widened(query: TermQuery, announced: AnnouncedDays): TermQuery {
  const { condition } = query;
  return condition && announced.size > 0
    ? { ...query, condition: withAnnounced(condition, announced) }
    : query;
}

function onSites(query: TermQuery, sites: readonly string[]): TermQuery {
  const onOne = anyOf(sites.map((host) => ({ kind: 'site', host, address: [] })));
  return { ...query, condition: allOf([query.condition!, onOne]), isPlain: false };
}

interface Asked {
  query: TermQuery;
  request: SearchRequest;
  judge: SiteJudge | null;
  announced: AnnouncedDays;
  deadline: Deadline;
}

/** The parts of the parsed query that the response repeats. */
type Noted = Pick<TermQuery, 'text' | 'notes'>;

type Answer = Pick<SearchResponse, 'total' | 'partial' | 'notes' | 'results' | 'kinds' | 'cursor'>;

function notesOn({ offset, limit }: SearchRequest, total: number): string[] {
  const isCut = Math.min(offset + limit, total) > MAX_LISTED;
  return isCut ? [`Only the first ${MAX_LISTED} results can be listed so; a cursor goes further.`] : [];
}
