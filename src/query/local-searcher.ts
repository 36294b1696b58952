/**
 * A searcher over the index in a directory of this machine.
 *
 *   parse -> terms -> look up -> evaluate (every match) -> rerank (the best 1,000) -> snippets (one page)
 *
 * `total` counts the documents that meet the condition of the query; see meaning.ts. A further plain word never
 * makes it smaller; it changes the order, with documents that have all words in front.
 */
import type { Clock, Directory, Log } from '../base/mod.ts';
import { IndexReader } from '../index/mod.ts';
import { DEFAULT_PROFILE, type Profile, type ScoreBreakdown } from '../rank/mod.ts';
import { type CanonicalUrl, fingerprint } from '../url/mod.ts';
import { AnswerCache, cacheKey } from './answer-cache.ts';
import { allOf, anyOf } from './condition.ts';
import { encodeCursor } from './cursor.ts';
import { DamagedSegmentError, reading } from './errors.ts';
import { type Evaluation, type EvaluationLimits, evaluate, type Match } from './evaluate.ts';
import { KernelSearch } from './kernel-search.ts';
import { mostTelling } from './long-query.ts';
import type { LinkLookup } from './lookups.ts';
import { type AnnouncedDays, announcedDays, datedAs, newestFirst, withAnnounced } from './newest-first.ts';
import { parseQuery } from './parse.ts';
import { readQuery } from './read-query.ts';
import { explainRank, type RankedMatch, rerank, type SecondStage } from './rerank.ts';
import { kindsAmong } from './result-kinds.ts';
import { nextCursor, pageOf, readCursor, shownResults } from './results-page.ts';
import type { IndexStats, Searcher, SearchRequest, SearchResponse } from './searcher.ts';
import { orderByRules, SiteJudge } from './site-rules.ts';
import { lookUp, statisticsOf } from './statistics.ts';
import type { Synonyms } from './synonyms/synonyms.ts';
import type { TermQuery } from './term-query.ts';
import { usesOf } from './word-use.ts';

export interface LocalSearcherOptions {
  log: Log;
  clock: Clock;
  /** After this long a query answers with what it has; default 5 s. */
  timeLimitMs?: number;
  /** Asked while a query runs; true ends it early, as the time limit does. */
  isHurried?: () => boolean;
  /** How much memory lists of postings may take between queries; default 256 MiB. */
  cacheBytes?: number;
  /** How much memory remembered answers may take; none are remembered by default. */
  answerBytes?: number;
  /** The link graph, for `link:` and the ranks of hosts; asked for with every query, as a newer one may come. */
  links?: () => LinkLookup | null;
  /** Words that count for others, with a version that changes when they do; asked for with every query. */
  synonyms?: () => { known: Synonyms; version: string } | null;
  /** How documents are ranked; the default profile if there is none. */
  profile?: Profile;
}

/** A document of a ranking, without what it takes to show it. */
export interface RankedUrl {
  url: string;
  score: number;
  /** Of the second stage, in the order of the model's features; empty beyond its candidates. */
  features: readonly number[];
}

const DAY_MS = 86_400_000;
const DEFAULT_TIME_LIMIT_MS = 5000;
const DEFAULT_CACHE_BYTES = 256 * 1024 * 1024;
/** Results further down are counted but cannot be listed. */
const MAX_LISTED = 10_000;

/** An index that was never built gives empty answers. */
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

  /** Goes over to the newest index; false if nothing changed. */
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
    const { query, answer } = this.#withoutDamage(() => {
      const announced = announcedDays(request.announced ?? []);
      const query = withoutBlocked(widened(this.#read(request.query, links), announced), judge);
      return { query, answer: this.#answer({ query, request, judge, announced, startedAt }) };
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

  /** Why a document has its score among the best; null if it is not in the index or not among them. */
  explain(query: string, url: CanonicalUrl): ScoreBreakdown | null {
    return this.#withoutDamage(() => {
      const wanted = this.#find(url);
      const parsed = this.#read(query, this.#links());
      if (!wanted || !parsed.condition) return null;
      const stage = this.#secondStage(parsed, parsed.text);
      return explainRank(stage, this.#candidates(parsed, stage, this.#profile.candidates), wanted);
    });
  }

  /**
   * The first `depth` documents for a text, all of whose words are plain words: no operators, no limits on how
   * results are shown. For whoever measures rankings.
   */
  ranking(text: string, depth: number): RankedUrl[] {
    return this.#withoutDamage(() => {
      const parsed = this.#read(mostTelling(text, this.#index).join(' '), null);
      if (!parsed.condition) return [];
      const stage = this.#secondStage(parsed, text);
      const { candidates } = this.#profile;
      const matches = this.#candidates(parsed, stage, Math.max(depth, candidates));
      const best: (Match | RankedMatch)[] = [...rerank(stage, matches), ...matches.slice(candidates)];
      const urls = urlsOf(best.slice(0, depth));
      return best.slice(0, depth).map((match, at) => ({
        url: urls[at]!,
        score: match.score,
        features: 'features' in match ? match.features : [],
      }));
    });
  }

  /** Addresses and titles of at most `limit` documents, spread evenly over the index. */
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

  #read(text: string, links: LinkLookup | null): TermQuery {
    return readQuery(text, this.#index, links, this.#synonyms()?.known ?? null);
  }

  /** Runs `read`, again without a segment that proves to be damaged. */
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

  #answer({ query, request, judge, announced, startedAt }: Asked): Answer {
    if (!query.condition) return { total: 0, partial: false, notes: [], results: [] };
    const { generation } = this.#index;
    const { cursor, notes } = readCursor(request, query.text, generation);
    const stage = this.#secondStage(query, query.text);
    const { candidates } = this.#profile;
    const end = Math.min(cursor.offset + request.limit, MAX_LISTED);
    const limits = {
      keep: cursor.after ? request.limit : Math.max(end, candidates),
      count: true,
      isLate: () => this.#isHurried() || this.#clock.now() - startedAt > this.#timeLimitMs,
      after: cursor.after,
    };
    const { total, partial, matches } = this.#evaluate(query, stage, limits);
    const close = cursor.after ? [] : matches.slice(0, candidates);
    const best = rerank(stage, close);
    const ruled = judge && close.length > 0 ? this.#ruled(best, judge, stage, limits) : best;
    const listed = request.order === 'newest' ? this.#newest(ruled, announced, judge) : ruled;
    const page = pageOf(listed, matches.slice(close.length), cursor, request, query);
    const results = datedAs(announced, shownResults(page, stage, request.collapse ?? false));
    const next = nextCursor(page, close.at(-1), total);
    if (!request.cursor) notes.push(...notesOn(request, total));
    const kinds = !cursor.after && { kinds: kindsAmong(close, this.#index.segments) };
    const answer = { total, partial, notes, results, ...kinds };
    return next ? { ...answer, cursor: encodeCursor({ ...next, generation }, query.text) } : answer;
  }

  /** As the searcher's rules want it. Pinned sites may stand far down, so they are searched on their own. */
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
          );
    const hostOf = ({ segment, doc }: Match) => segment.reader.host(doc);
    const isSame = (a: Match, b: Match) => a.segment === b.segment && a.doc === b.doc;
    return orderByRules(best, pinned, candidates, judge, hostOf, isSame);
  }

  #newest(ranked: RankedMatch[], announced: AnnouncedDays, judge: SiteJudge | null): RankedMatch[] {
    const tomorrow = Math.floor(this.#clock.now() / DAY_MS) + 1;
    const isPinned = ({ segment, doc }: Match) => judge?.effectOn(segment.reader.host(doc)) === 'pin';
    return newestFirst(ranked, announced, tomorrow, isPinned);
  }

  /** What both stages need; `text` is what the words were read from. */
  #secondStage(query: TermQuery, text: string): SecondStage {
    const searched = lookUp(this.#index.segments, query.terms);
    const uses = usesOf(text, query);
    const statistics = statisticsOf(searched, query.words.length, uses, this.#profile.functionWords);
    return {
      query,
      searched,
      statistics,
      profile: this.#profile,
      kernel: this.#kernel,
    };
  }

  #evaluate(query: TermQuery, stage: SecondStage, limits: EvaluationLimits): Evaluation {
    return evaluate(query, stage.searched, stage.statistics, stage.profile, limits, this.#kernel);
  }

  /** The best matches of the first stage, however long it takes. */
  #candidates(query: TermQuery, stage: SecondStage, keep: number): Match[] {
    return this.#evaluate(query, stage, { keep, count: false, isLate: () => false }).matches;
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

/** Read in the order of the documents, as neighbours are stored together. */
function urlsOf(matches: readonly Match[]): string[] {
  const urls: string[] = [];
  const order = [...matches.keys()].sort((a, b) => matches[a]!.doc - matches[b]!.doc);
  for (const at of order) {
    const { segment, doc } = matches[at]!;
    urls[at] = reading(segment, () => segment.reader.document(doc).url);
  }
  return urls;
}

/** Blocked sites are left out before anything is counted. */
function withoutBlocked(query: TermQuery, judge: SiteJudge | null): TermQuery {
  if (!judge || !query.condition || judge.sites('block').length === 0) return query;
  const isWanted = (host: string) => !judge.blocks(host);
  return { ...query, condition: allOf([query.condition, { kind: 'hosts', isWanted }]), isPlain: false };
}

/** Pages that are announced as news are some; see newest-first.ts. */
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
  startedAt: number;
}

type Answer = Pick<SearchResponse, 'total' | 'partial' | 'notes' | 'results' | 'kinds' | 'cursor'>;

function notesOn({ offset, limit }: SearchRequest, total: number): string[] {
  const isCut = Math.min(offset + limit, total) > MAX_LISTED;
  return isCut ? [`Only the first ${MAX_LISTED} results can be listed so; a cursor goes further.`] : [];
}
