/**
 * The gateway: a search engine over one or more shards.
 *
 *   read the query -> global statistics -> candidates of each shard, merged -> second stage -> page -> details
 *
 * The shards score documents. The gateway does everything that needs the whole list: parsing, statistics, the order,
 * site rules, limits per host, near duplicates, cursors. The response does not depend on the number of shards.
 *
 * `total` is the number of documents that meet the condition of the query; see language/interpret-query.ts. Adding a
 * plain word to a query never makes `total` smaller. It changes the order: documents that have all words come first.
 */
import type { Clock } from '../../base/mod.ts';
import { DEFAULT_PROFILE, type Profile, type ScoreBreakdown } from '../../scoring/mod.ts';
import { STEMMINGS } from '../../text/mod.ts';
import { type CanonicalUrl, fingerprint, SiteJudge } from '../../url/mod.ts';
import { AnswerCache, cacheKey } from '../answer-cache.ts';
import type { Synonyms } from '../assistance/mod.ts';
import { Deadline, LateError, NO_DEADLINE } from '../deadline.ts';
import { type LinkLookup, type QueryNote, readTokens } from '../language/mod.ts';
import { type AnnouncedDays, announcedDays, fingerprintOfRanked, withAnnounced } from '../results/mod.ts';
import type {
  Arrival,
  ExplainOptions,
  IndexStats,
  Searcher,
  SearchRequest,
  SearchResponse,
} from '../searcher.ts';
import { type InspectedUrl, type SearchShard, ShardChangedError, type ShardState } from '../shard/mod.ts';
import {
  FUNCTION_WORDS,
  meaningTextOf,
  type QueryVector,
  type TermQuery,
  withRequirement,
} from '../terms/mod.ts';
import { countHidden, familyOf, withFamily } from './family-choice.ts';
import {
  findAllCandidates,
  findContentWords,
  findFurtherDocuments,
  type GlobalQuery,
  gatherStatistics,
} from './first-stage.ts';
import type { QuerySources } from './gather-lookups.ts';
import { type FoundResults, rankResults, showResults } from './list-results.ts';
import { type CorrectQuery, type RankedAnswer, rankMeant } from './rank-meant.ts';
import { readQuery } from './read-query.ts';
import { type GlobalRanking, idsOf, rankCandidates } from './second-stage.ts';
import { ShardGroup } from './shard-group.ts';

export interface GatewayOptions {
  clock: Clock;
  /**
   * The time limit of a query, counted from its arrival. At the limit it returns the results found so far. The
   * default is 5 s.
   */
  timeLimitMs?: number;
  /** Called repeatedly while a query runs. If it returns true, the query ends at once with the results found so far. */
  isHurried?: () => boolean;
  /** The memory limit of the response cache, in bytes. The default is 0: no response is cached. */
  answerBytes?: number;
  /**
   * Returns the current link graph, for `link:` and the ranks of hosts. It is called for every query, because the
   * graph may be replaced at any time.
   */
  links?: () => LinkLookup | null;
  /** Returns the current synonyms, and a version that changes when they change. It is called for every query. */
  synonyms?: () => { known: Synonyms; version: string } | null;
  /** The ranking profile; DEFAULT_PROFILE if absent. */
  profile?: Profile;
  /**
   * Computes the vector of a query. If absent, documents are found by their words only. `languages` are names of
   * STEMMINGS. Returns null if the model does not support one of the languages.
   */
  embedQuery?: (text: string, languages: readonly string[]) => QueryVector | null;
  /** Corrects the spelling of a query whose results are poor. If absent, queries are searched as typed. */
  correct?: CorrectQuery;
}

/** A document of a ranking: URL, score and features, without a snippet. */
interface RankedPage {
  url: string;
  score: number;
  /**
   * The second-stage features of the document, in the order of the model's features; empty if it has only a rough
   * score.
   */
  features: readonly number[];
}

const DEFAULT_TIME_LIMIT_MS = 5000;
const NOTHING: FoundResults = { total: 0, partial: false, notes: [], results: [] };

export class Gateway implements Searcher {
  readonly #shards: readonly SearchShard[];
  readonly #clock: Clock;
  readonly #timeLimitMs: number;
  readonly #isHurried: () => boolean;
  readonly #links: () => LinkLookup | null;
  readonly #answers: AnswerCache;
  #profile: Profile;
  /** The number of times that the profile has changed. Cached responses of an earlier profile are not used. */
  #profileChanges = 0;
  readonly #synonyms: NonNullable<GatewayOptions['synonyms']>;
  readonly #embedQuery: GatewayOptions['embedQuery'];
  readonly #correct: CorrectQuery | null;

  /** `shards` must not be empty. */
  constructor(shards: readonly SearchShard[], options: GatewayOptions) {
    this.#shards = shards;
    this.#clock = options.clock;
    this.#timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS;
    this.#isHurried = options.isHurried ?? (() => false);
    this.#links = options.links ?? (() => null);
    this.#answers = new AnswerCache(options.answerBytes ?? 0);
    this.#profile = options.profile ?? DEFAULT_PROFILE;
    this.#synonyms = options.synonyms ?? (() => null);
    this.#embedQuery = options.embedQuery;
    this.#correct = options.correct ?? null;
  }

  /** Ranks the results of the next queries with another profile. */
  useProfile(profile: Profile): void {
    this.#profile = profile;
    this.#profileChanges++;
  }

  async search(request: SearchRequest): Promise<SearchResponse> {
    const startedAt = this.#clock.now();
    const links = this.#links();
    const synonyms = this.#synonyms();
    const version = `${this.#generations()} ${links?.generation ?? ''} ${synonyms?.version ?? ''} ${this.#profileChanges}`;
    const key = this.#answers.isOn ? cacheKey(request, this.#profile.name) : '';
    const known = this.#answers.find(version, key);
    if (known) return { ...known, tookMs: this.#clock.now() - startedAt };
    const sources = { links, synonyms: synonyms?.known ?? null };
    const { query, found, spelling, gaps } = await this.#inTime(request, async (group) => ({
      ...(await this.#find(request, group, sources)),
      gaps: gapsIn(group),
    }));
    const response: SearchResponse = {
      query: query.text,
      tookMs: this.#clock.now() - startedAt,
      ...found,
      partial: found.partial || gaps.length > 0,
      notes: [...query.notes, ...found.notes, ...gaps],
      ...(spelling && { spelling }),
    };
    this.#answers.keep(version, key, response);
    return response;
  }

  /**
   * Explains the score of a document for a query. Returns null if the document is not in the index or not among the
   * candidates of the second stage. Throws a LateError at the time limit, because a partial explanation would be
   * wrong.
   */
  explain(query: string, url: CanonicalUrl, request: ExplainOptions = {}): Promise<ScoreBreakdown | null> {
    return this.#onOneView(this.#deadline(request), async (group) => {
      const sources = this.#sources(this.#links());
      const read = await readQuery(readTokens(query), group, sources, request.preferredLanguage);
      if (!read.condition) return null;
      const search = this.#withMeaning(await gatherStatistics(read, read.text, group, this.#profile));
      const further = findFurtherDocuments(search);
      const list = await findAllCandidates(search, search.profile.candidates);
      const ranking = await rankCandidates(search, list, await further.besides(list));
      const key = fingerprint(url);
      const place = ranking.documents.findIndex((document) => fingerprintOfRanked(document) === key);
      return place < 0 ? null : explainPlace(search, ranking, place);
    });
  }

  /**
   * Returns the first `depth` documents for a text, for measuring rankings. All words of the text are plain words:
   * there are no operators, and no limits per host.
   */
  ranking(text: string, depth: number): Promise<RankedPage[]> {
    return this.#onOneView(NO_DEADLINE, async (group) => {
      const words = await findContentWords(text, group);
      const read = await readQuery(readTokens(words.join(' ')), group, this.#sources(null));
      if (!read.condition) return [];
      const search = this.#withMeaning(await gatherStatistics(read, text, group, this.#profile), text);
      const { candidates } = search.profile;
      const further = findFurtherDocuments(search);
      const list = await findAllCandidates(search, Math.max(depth, candidates));
      const { documents } = await rankCandidates(search, list, await further.besides(list));
      const best = [...documents, ...list.between(candidates, depth)].slice(0, depth);
      const urls = await group.askFor(idsOf(best), (shard, asked) => shard.urls(asked));
      return best.map(({ score, features }, at) => ({ url: urls[at]!, score, features }));
    });
  }

  /** Returns what the index has of a URL, for operators. Compares all documents if the URL has one. */
  inspect(url: CanonicalUrl): Promise<InspectedUrl> {
    return this.#onOneView(NO_DEADLINE, async (group) => {
      const replies = await group.ask((shard, request) => shard.inspect({ ...request, url }));
      const found = replies.find(({ document }) => document !== null);
      const { document = null, signature = null } = found ?? {};
      const deletedIn = replies.flatMap((reply) => reply.deletedIn);
      if (!signature) return { document, deletedIn, nearDuplicates: [] };
      const similar = await group.ask((shard, request) => shard.similar({ ...request, url, signature }));
      const nearDuplicates = similar.flat().sort((a, b) => b.similarity - a.similarity);
      return { document, deletedIn, nearDuplicates };
    });
  }

  stats(): IndexStats {
    const stats: IndexStats = { docCount: 0, segmentCount: 0, sizeBytes: 0, generation: 0 };
    for (const { state } of this.#shards) {
      stats.docCount += state.docCount;
      if (state.embeddedDocs > 0) stats.embeddedDocs = (stats.embeddedDocs ?? 0) + state.embeddedDocs;
      stats.segmentCount += state.segmentCount;
      stats.sizeBytes += state.sizeBytes;
      stats.generation += state.generation;
    }
    return this.#answers.isOn ? { ...stats, cache: this.#answers.stats } : stats;
  }

  close(): void {
    for (const shard of this.#shards) shard.close();
  }

  /** Adds the vector of the query, if the query is also searched by its meaning. */
  #withMeaning(search: GlobalQuery, text = meaningTextOf(search.query, search.statistics)): GlobalQuery {
    const { query, group } = search;
    const total = (of: (state: ShardState) => number) =>
      group.states.reduce((sum, state) => sum + of(state), 0);
    const embeddedDocs = total((state) => state.embeddedDocs);
    if (!search.profile.weights.meaning || embeddedDocs === 0) return search;
    const embedded = () => (text === null ? null : this.#embedQuery?.(text, languageNamesOf(query)));
    const meaning = query.relatedTo ?? embedded();
    if (!meaning) return search;
    const knownMeanings = embeddedDocs / total((state) => state.embeddableDocs);
    return { ...search, query: { ...query, meaning: { ...meaning, knownMeanings } } };
  }

  #sources(links: LinkLookup | null): QuerySources {
    return { links, synonyms: this.#synonyms()?.known ?? null };
  }

  #generations(): string {
    return this.#shards.map(({ state }) => state.generation).join(' ');
  }

  #deadline({ arrivedAt }: Arrival): Deadline {
    const now = this.#clock.now();
    return new Deadline(this.#clock, Math.min(arrivedAt ?? now, now) + this.#timeLimitMs, this.#isHurried);
  }

  /**
   * Runs a search. If the time limit passes before the first document is evaluated, returns an empty partial
   * response.
   */
  async #inTime(
    request: SearchRequest,
    read: (group: ShardGroup) => Promise<SearchedView>,
  ): Promise<SearchedView> {
    try {
      return await this.#onOneView(this.#deadline(request), read);
    } catch (error) {
      if (!(error instanceof LateError)) throw error;
      const query = { text: request.query, notes: [] };
      return { query, found: { ...NOTHING, partial: true }, spelling: null, gaps: [] };
    }
  }

  async #find(request: SearchRequest, group: ShardGroup, sources: QuerySources): Promise<SearchedQuery> {
    const rank = (asked: SearchRequest) => this.#rank(asked, group, sources);
    const { ranked, spelling } = await rankMeant(request, rank, this.#correct);
    const { query, results } = ranked;
    if (!results) return { query, found: NOTHING, spelling };
    const { level } = familyOf(request, group);
    const [found, familyHidden] = await Promise.all([
      showResults(results),
      request.cursor === undefined ? countHidden(results.search, level) : 0,
    ]);
    return { query, found: familyHidden > 0 ? { ...found, familyHidden } : found, spelling };
  }

  async #rank(request: SearchRequest, group: ShardGroup, sources: QuerySources): Promise<RankedAnswer> {
    const judge = request.siteRules?.length ? new SiteJudge(request.siteRules) : null;
    const announced = announcedDays(request.announced ?? []);
    const tokens = readTokens(request.query, request.everyWord && isContentWord);
    const read = await readQuery(tokens, group, sources, request.preferredLanguage);
    const query = withFamily(withoutBlocked(widened(read, announced), judge), familyOf(request, group));
    if (!query.condition) return { query, results: null, total: 0, partial: false, evidence: null };
    const search = this.#withMeaning(await gatherStatistics(query, query.text, group, this.#profile));
    const languages = languageNamesOf(query);
    const embed = (text: string) => this.#embedQuery?.(text, languages)?.vector ?? null;
    const asked = { request, judge, announced, nowMs: this.#clock.now(), embed };
    const results = await rankResults(search, asked);
    const { total, partial, evidence } = results;
    return { query, results, total, partial, evidence };
  }

  /** Runs `read` on one view of all shards. If a shard changes meanwhile, runs `read` again. */
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
}

function isContentWord(word: string): boolean {
  return !FUNCTION_WORDS.has(word);
}

function languageNamesOf({ languages }: TermQuery): string[] {
  return languages.map((stemming) => STEMMINGS[stemming]!);
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

/** Adds a condition that excludes the sites that the visitor blocked, so that `total` does not count their documents. */
function withoutBlocked(query: TermQuery, judge: SiteJudge | null): TermQuery {
  const blocked = judge?.sites('block') ?? [];
  if (!judge || !query.condition || blocked.length === 0) return query;
  const allowed = (['lower', 'raise', 'pin', 'normal'] as const).flatMap((effect) => judge.sites(effect));
  return withRequirement(query, { kind: 'unblocked', blocked, allowed });
}

/** Changes the condition `kind:news` so that it also matches pages that a feed announced; see newest-first.ts. */
function widened(query: TermQuery, announced: AnnouncedDays): TermQuery {
  const { condition, requirement } = query;
  if (!condition || announced.size === 0) return query;
  return {
    ...query,
    condition: withAnnounced(condition, announced),
    requirement: withAnnounced(requirement, announced),
  };
}

/** Returns a note for each reason why a part of the index is not searched. */
function gapsIn({ states, isIncomplete }: ShardGroup): QueryNote[] {
  const notes: QueryNote[] = [];
  if (states.some(({ isDamaged }) => isDamaged)) notes.push({ code: 'damaged-index', values: {} });
  if (isIncomplete) notes.push({ code: 'absent-shard', values: {} });
  return notes;
}

interface SearchedQuery {
  /** The text and the notes of the parsed query, which the response repeats. */
  query: Pick<TermQuery, 'text' | 'notes'>;
  found: FoundResults;
  /** The correction of the query; null if there is none. */
  spelling: SearchResponse['spelling'] | null;
}

interface SearchedView extends SearchedQuery {
  /** Notes about the parts of the index that were not searched. */
  gaps: readonly QueryNote[];
}
