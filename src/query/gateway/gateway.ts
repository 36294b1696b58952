/**
 * The gateway: a search engine over one or more shards.
 *
 *   read the query -> global statistics -> candidates of each shard, merged -> second stage -> page -> details
 *
 * The shards score documents; everything that must see the whole list is done here: parsing, statistics, the
 * order, site rules, limits per host, near duplicates, cursors. The response does not depend on the number of
 * shards.
 *
 * `total` counts the documents that meet the condition of the query; see language/interpret-query.ts. Adding
 * a plain word never makes `total` smaller; it changes the order, and documents that have all words come
 * first.
 */
import { type Clock, DAY_MS } from '../../base/mod.ts';
import { DEFAULT_PROFILE, type Profile, type ScoreBreakdown } from '../../scoring/mod.ts';
import { DEFAULT_STEMMING } from '../../text/mod.ts';
import { type CanonicalUrl, fingerprint, SiteJudge } from '../../url/mod.ts';
import { AnswerCache, cacheKey } from '../answer-cache.ts';
import type { Synonyms } from '../assistance/mod.ts';
import { Deadline, LateError, NO_DEADLINE } from '../deadline.ts';
import { allOf, anyOf, type LinkLookup, type QueryNote, readTokens } from '../language/mod.ts';
import {
  type AnnouncedDays,
  announcedDays,
  CandidateList,
  collapseNearDuplicates,
  datedAs,
  encodeCursor,
  facetsAmong,
  factorBy,
  fingerprintOfRanked,
  hostOfRanked,
  kindsAmong,
  newestFirst,
  nextCursor,
  orderByRules,
  pageOf,
  queryEvidenceOf,
  type RankedDocument,
  type ResultsPage,
  readCursor,
  resultsOf,
  withAnnounced,
} from '../results/mod.ts';
import type {
  Arrival,
  ExplainOptions,
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
} from '../searcher.ts';
import { type SearchShard, ShardChangedError, type ShownDocument } from '../shard/mod.ts';
import {
  contentWordsOf,
  joinStatistics,
  readLongText,
  type TermQuery,
  usesOf,
  writtenForms,
} from '../terms/mod.ts';
import { readQuery } from './read-query.ts';
import { type GlobalQuery, type GlobalRanking, idsOf, rankCandidates } from './second-stage.ts';
import { ShardGroup } from './shard-group.ts';

export interface GatewayOptions {
  clock: Clock;
  /** A query returns its results so far when this much time has passed since its arrival; default 5 s. */
  timeLimitMs?: number;
  /** Called while a query runs; true ends the query early, as the time limit does. */
  isHurried?: () => boolean;
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
interface RankedPage {
  url: string;
  score: number;
  /** The second-stage features, in the order of the model's features; empty for documents without them. */
  features: readonly number[];
}

const DEFAULT_TIME_LIMIT_MS = 5000;
/** Results after this many are counted but cannot be listed. */
const MAX_LISTED = 10_000;

export class Gateway implements Searcher {
  readonly #shards: readonly SearchShard[];
  readonly #clock: Clock;
  readonly #timeLimitMs: number;
  readonly #isHurried: () => boolean;
  readonly #links: () => LinkLookup | null;
  readonly #answers: AnswerCache;
  readonly #profile: Profile;
  readonly #synonyms: NonNullable<GatewayOptions['synonyms']>;

  /** There is at least one shard. */
  constructor(shards: readonly SearchShard[], options: GatewayOptions) {
    this.#shards = shards;
    this.#clock = options.clock;
    this.#timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    this.#isHurried = options.isHurried ?? (() => false);
    this.#links = options.links ?? (() => null);
    this.#answers = new AnswerCache(options.answerBytes ?? 0);
    this.#profile = options.profile ?? DEFAULT_PROFILE;
    this.#synonyms = options.synonyms ?? (() => null);
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const startedAt = this.#clock.now();
    const links = this.#links();
    const synonyms = this.#synonyms();
    const version = `${this.#generations()} ${links?.generation ?? ''} ${synonyms?.version ?? ''}`;
    const key = this.#answers.isOn ? cacheKey(request, this.#profile.name) : '';
    const known = this.#answers.find(version, key);
    if (known) return { ...known, tookMs: this.#clock.now() - startedAt };
    const judge = request.siteRules?.length ? new SiteJudge(request.siteRules) : null;
    const { query, answer } = await this.#inTime(request, async (group) => {
      const announced = announcedDays(request.announced ?? []);
      const sources = { links, synonyms: synonyms?.known ?? null };
      const tokens = readTokens(request.query);
      const read = await readQuery(tokens, group, sources, request.preferredLanguage);
      const query = withoutBlocked(widened(read, announced), judge);
      return { query, answer: await this.#answer({ query, request, judge, announced, group }) };
    });
    const isDamaged = this.#shards.some(({ state }) => state.isDamaged);
    const notes = [...query.notes, ...answer.notes];
    if (isDamaged) notes.push({ code: 'damaged-index', values: {} });
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
  explain(query: string, url: CanonicalUrl, request: ExplainOptions = {}): Promise<ScoreBreakdown | null> {
    return this.#onOneView(this.#deadline(request), async (group) => {
      const sources = this.#sources(this.#links());
      const parsed = await readQuery(readTokens(query), group, sources, request.preferredLanguage);
      if (!parsed.condition) return null;
      const search = await this.#globalQuery(parsed, parsed.text, group);
      const list = await this.#allCandidates(search, this.#profile.candidates);
      const ranking = await rankCandidates(search, list);
      const key = fingerprint(url);
      const place = ranking.documents.findIndex((document) => fingerprintOfRanked(document) === key);
      return place < 0 ? null : explainPlace(search, ranking, place);
    });
  }

  /**
   * Returns the first `depth` documents for a text whose words are all read as plain words: no operators, no
   * limits per host. For measuring rankings.
   */
  ranking(text: string, depth: number): Promise<RankedPage[]> {
    return this.#onOneView(NO_DEADLINE, async (group) => {
      const words = await this.#contentWords(text, group);
      const parsed = await readQuery(readTokens(words.join(' ')), group, this.#sources(null));
      if (!parsed.condition) return [];
      const search = await this.#globalQuery(parsed, text, group);
      const { candidates } = this.#profile;
      const list = await this.#allCandidates(search, Math.max(depth, candidates));
      const { documents } = await rankCandidates(search, list);
      const best = [...documents, ...list.between(candidates, depth)].slice(0, depth);
      const urls = await group.askFor(idsOf(best), (shard, asked) => shard.urls(asked));
      return best.map(({ score, features }, at) => ({ url: urls[at]!, score, features }));
    });
  }

  stats(): IndexStats {
    const stats = { docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 };
    for (const { state } of this.#shards) {
      stats.docCount += state.docCount;
      stats.segmentCount += state.segmentCount;
      stats.sizeBytes += state.sizeBytes;
      stats.generation += state.generation;
    }
    return this.#answers.isOn ? { ...stats, cache: this.#answers.stats } : stats;
  }

  close(): void {
    for (const shard of this.#shards) shard.close();
  }

  #sources(links: LinkLookup | null) {
    return { links, synonyms: this.#synonyms()?.known ?? null };
  }

  #generations(): string {
    return this.#shards.map(({ state }) => state.generation).join(' ');
  }

  #deadline({ arrivedAt }: Arrival): Deadline {
    const now = this.#clock.now();
    return new Deadline(this.#clock, Math.min(arrivedAt ?? now, now) + this.#timeLimitMs, this.#isHurried);
  }

  /** Returns an empty partial response for a query that is late before the first document is evaluated. */
  async #inTime(
    request: SearchRequest,
    read: (group: ShardGroup) => Promise<{ query: Noted; answer: Answer }>,
  ): Promise<{ query: Noted; answer: Answer }> {
    try {
      return await this.#onOneView(this.#deadline(request), read);
    } catch (error) {
      if (!(error instanceof LateError)) throw error;
      const query = { text: request.query, notes: [] };
      return { query, answer: { total: 0, partial: true, notes: [], results: [] } };
    }
  }

  /** Runs `read`, and runs it again each time a shard changes in the meantime. */
  async #onOneView<T>(deadline: Deadline, read: (group: ShardGroup) => Promise<T>): Promise<T> {
    for (;;) {
      deadline.requireNow();
      try {
        return await read(new ShardGroup(this.#shards, deadline));
      } catch (error) {
        if (!(error instanceof ShardChangedError)) throw error;
      }
    }
  }

  async #answer(asked: Asked): Promise<Answer> {
    const { query, request, judge, announced, group } = asked;
    if (!query.condition) return { total: 0, partial: false, notes: [], results: [] };
    const { generation } = this.stats();
    const { cursor, notes } = readCursor(request, query.text, generation);
    const search = await this.#globalQuery(query, query.text, group);
    const { candidates } = this.#profile;
    const end = Math.min(cursor.offset + request.limit, MAX_LISTED);
    const keep = cursor.after ? request.limit : Math.max(end, candidates);
    const list = await this.#candidates(search, { keep, count: true, after: cursor.after ?? null });
    const { total } = list;
    const count = cursor.after ? 0 : Math.min(candidates, list.count);
    const best = await this.#ranked(search, list, count, judge);
    const ruled =
      judge && count > 0 ? await this.#ruled(best.documents, judge, search, keep) : best.documents;
    const listed = request.order === 'newest' ? this.#newest(ruled, announced, judge) : ruled;
    const { documents, similar } = request.collapse ? collapseNearDuplicates(listed) : notCollapsed(listed);
    const page = pageOf(documents, list, count, cursor, request, query);
    const details = await detailsOf(search, page);
    const similarUrls = await similarUrlsOf(search, page, similar);
    const results = datedAs(announced, resultsOf(page, details, query.text, similarUrls));
    const lastClose = count > 0 ? list.placeOf(count - 1) : null;
    const next = nextCursor(page, details.length, lastClose, total - (listed.length - documents.length));
    const partial = list.isPartial || best.isCut || details.length < page.shown.length;
    if (!request.cursor) notes.push(...notesOn(request, total));
    const hasFeeds = group.states.some((state) => state.hasFeeds);
    const today = Math.floor(this.#clock.now() / DAY_MS);
    const kinds = !cursor.after && {
      kinds: kindsAmong(list, count, hasFeeds),
      facets: facetsAmong(list, count, today),
    };
    const features = best.documents.map((document) => document.features);
    const evidence = queryEvidenceOf(query, search.statistics, this.#profile, features);
    const answer = { total, partial, notes, results, ...kinds, ...(evidence && { evidence }) };
    return next ? { ...answer, cursor: encodeCursor({ ...next, generation }, query.text) } : answer;
  }

  /** Without time for the second stage, the first `count` matches stay in the order of the first stage. */
  async #ranked(
    search: GlobalQuery,
    list: CandidateList,
    count: number,
    judge: SiteJudge | null,
  ): Promise<{ documents: RankedDocument[]; isCut: boolean }> {
    if (count === 0) return { documents: [], isCut: false };
    try {
      const { documents } = await rankCandidates(search, list, judge && factorBy(judge));
      return { documents, isCut: false };
    } catch (error) {
      if (!(error instanceof LateError)) throw error;
      return { documents: list.between(0, count), isCut: true };
    }
  }

  /**
   * Applies the visitor's site rules. Documents of pinned sites may rank far down, so a separate search finds
   * them.
   */
  async #ruled(
    best: RankedDocument[],
    judge: SiteJudge,
    search: GlobalQuery,
    keep: number,
  ): Promise<RankedDocument[]> {
    const { candidates } = this.#profile;
    const sites = judge.sites('pin');
    const isSame = (a: RankedDocument, b: RankedDocument) =>
      fingerprintOfRanked(a) === fingerprintOfRanked(b);
    if (sites.length === 0) return orderByRules(best, best, candidates, judge, hostOfRanked, isSame);
    const onPinned = { ...search, query: onSites(search.query, sites) };
    const list = await this.#candidates(onPinned, { keep, count: false, after: null });
    const pinned = await this.#ranked(onPinned, list, Math.min(candidates, list.count), null);
    return orderByRules(best, pinned.documents, candidates, judge, hostOfRanked, isSame);
  }

  #newest(ranked: RankedDocument[], announced: AnnouncedDays, judge: SiteJudge | null): RankedDocument[] {
    const tomorrow = Math.floor(this.#clock.now() / DAY_MS) + 1;
    const dayOf = (document: RankedDocument) =>
      announced.get(fingerprintOfRanked(document)) ?? document.list.dayOf(document.at);
    const isPinned = (document: RankedDocument) => judge?.effectOn(hostOfRanked(document)) === 'pin';
    return newestFirst(ranked, dayOf, tomorrow, isPinned);
  }

  /** Gathers the statistics of the query's words; `text` is the text from which the words were read. */
  async #globalQuery(query: TermQuery, text: string, group: ShardGroup): Promise<GlobalQuery> {
    const words = query.terms;
    const withForms = group.count > 1;
    const parts = await group.ask((shard, request) => shard.statistics({ ...request, words, withForms }));
    const statistics = joinStatistics(parts, words, usesOf(text, query), this.#profile.functionWords);
    const forms = withForms
      ? writtenForms(
          query,
          parts.map((part) => part.forms!),
        )
      : null;
    return { group, query, statistics, profile: this.#profile, forms };
  }

  async #contentWords(text: string, group: ShardGroup): Promise<readonly string[]> {
    const long = readLongText(text, group.stemmings[0] ?? DEFAULT_STEMMING);
    if (long.terms.length === 0) return long.words;
    const words = long.terms;
    const parts = await group.ask((shard, request) =>
      shard.statistics({ ...request, words, withForms: false }),
    );
    return contentWordsOf(long, parts);
  }

  async #candidates(
    { group, ...query }: GlobalQuery,
    limits: { keep: number; count: boolean; after: { score: number; fingerprint: bigint } | null },
  ): Promise<CandidateList> {
    const { candidates, close } = this.#profile;
    const rough = {
      roughCount: limits.after ? 0 : candidates,
      roughAbove: group.count === 1 ? close : 0,
    };
    const replies = await group.ask((shard, request) =>
      shard.candidates({ ...request, ...query, ...limits, ...rough }),
    );
    return new CandidateList(replies, limits.keep);
  }

  /** Returns the best matches of the first stage; throws a LateError if there is no time to find them all. */
  async #allCandidates(search: GlobalQuery, keep: number): Promise<CandidateList> {
    const list = await this.#candidates(search, { keep, count: false, after: null });
    if (list.isPartial) throw new LateError();
    return list;
  }
}

function explainPlace(
  { group, ...query }: GlobalQuery,
  { documents, closeCount, expansion, rarities }: GlobalRanking,
  place: number,
): Promise<ScoreBreakdown | null> {
  const isClose = place < closeCount;
  const expansionScore = isClose ? (expansion?.[place] ?? null) : null;
  return group
    .askFor(idsOf([documents[place]!]), async (shard, { docs, ...request }) => [
      await shard.explain({ ...request, ...query, doc: docs[0]!, isClose, expansionScore, rarities }),
    ])
    .then(([explanation]) => explanation ?? null);
}

/** Returns the details of the first documents of the page: of all, unless the query is late. */
async function detailsOf({ group, ...query }: GlobalQuery, { shown }: ResultsPage): Promise<ShownDocument[]> {
  const found = await group.askFor(idsOf(shown), (shard, request, places) => {
    const close = new Set(request.docs.filter((_, at) => shown[places[at]!]!.features.length > 0));
    return shard.details({ ...request, ...query, close });
  });
  const missing = found.indexOf(undefined);
  return (missing < 0 ? found : found.slice(0, missing)) as ShownDocument[];
}

function notCollapsed(documents: RankedDocument[]): ReturnType<typeof collapseNearDuplicates> {
  return { documents, similar: new Map() };
}

/** Returns a function that returns the URLs of the near duplicates of a shown document. */
async function similarUrlsOf(
  { group }: GlobalQuery,
  { shown }: ResultsPage,
  similar: ReadonlyMap<RankedDocument, readonly RankedDocument[]>,
): Promise<(document: RankedDocument) => string[]> {
  const members = shown.flatMap((document) => similar.get(document) ?? []);
  const found = await group.askFor(idsOf(members), (shard, request) => shard.urls(request));
  const urls = new Map(members.map((member, at) => [member, found[at]]));
  return (document) => (similar.get(document) ?? []).flatMap((member) => urls.get(member) ?? []);
}

/** Excludes blocked sites in the condition, so that `total` does not count them. */
function withoutBlocked(query: TermQuery, judge: SiteJudge | null): TermQuery {
  const blocked = judge?.sites('block') ?? [];
  if (!judge || !query.condition || blocked.length === 0) return query;
  const allowed = (['lower', 'raise', 'pin', 'normal'] as const).flatMap((effect) => judge.sites(effect));
  const unblocked = { kind: 'unblocked', blocked, allowed } as const;
  return { ...query, condition: allOf([query.condition, unblocked]), isPlain: false };
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
  group: ShardGroup;
}

/** The parts of the parsed query that the response repeats. */
type Noted = Pick<TermQuery, 'text' | 'notes'>;

type Answer = Pick<
  SearchResponse,
  'total' | 'partial' | 'notes' | 'results' | 'evidence' | 'kinds' | 'facets' | 'cursor'
>;

function notesOn({ offset, limit }: SearchRequest, total: number): QueryNote[] {
  const isCut = Math.min(offset + limit, total) > MAX_LISTED;
  return isCut ? [{ code: 'list-limit', values: { number: MAX_LISTED } }] : [];
}
