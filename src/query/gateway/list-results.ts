/**
 * Makes one page of results from the candidates of a query.
 *
 *   rankResults   candidates -> second stage -> site rules -> by date -> near duplicates -> page
 *   showResults   page -> details
 *
 * These steps run in the gateway, because each needs the candidates of all shards.
 */
import { DAY_MS } from '../../base/mod.ts';
import type { SiteJudge } from '../../url/mod.ts';
import type { RankedQuery } from '../assistance/mod.ts';
import { LateError } from '../deadline.ts';
import { anyOf, type QueryNote } from '../language/mod.ts';
import {
  type AnnouncedDays,
  type CandidateList,
  type Cursor,
  collapseNearDuplicates,
  datedAs,
  encodeCursor,
  facetsAmong,
  factorBy,
  fingerprintOfRanked,
  foldTranslations,
  hostOfRanked,
  kindsAmong,
  newestFirst,
  nextCursor,
  type OtherPages,
  orderByRules,
  pageOf,
  queryEvidenceOf,
  type RankedDocument,
  type ResultsPage,
  readCursor,
  resultsOf,
} from '../results/mod.ts';
import type { SearchRequest, SearchResponse } from '../searcher.ts';
import type { ShownDocument } from '../shard/mod.ts';
import { type TermQuery, withRequirement } from '../terms/mod.ts';
import {
  type FurtherDocuments,
  findCandidates,
  findFurtherDocuments,
  type GlobalQuery,
} from './first-stage.ts';
import { choosePassage, isQuestion, PASSAGE_RESULTS } from './passage-answer.ts';
import { type EmbedText, withChosenPassages } from './passage-by-meaning.ts';
import { idsOf, rankCandidates } from './second-stage.ts';

interface PageRequest {
  request: SearchRequest;
  /** The visitor's site rules; null if there are none. */
  judge: SiteJudge | null;
  announced: AnnouncedDays;
  nowMs: number;
  /**
   * Computes vectors of texts, to choose snippets of pages that were found by meaning and passages that answer the
   * query.
   */
  embed: EmbedText;
}

/** The fields of a search response that are computed from replies of the shards. */
export type FoundResults = Pick<
  SearchResponse,
  | 'total'
  | 'partial'
  | 'notes'
  | 'results'
  | 'passage'
  | 'familyHidden'
  | 'evidence'
  | 'kinds'
  | 'facets'
  | 'cursor'
>;

/** The maximum number of results that a visitor can page through. `total` counts further results. */
const MAX_LISTED = 10_000;

/** The results of a query in their final order, and the page to show. Their details are not read yet. */
export interface RankedResults extends RankedQuery {
  search: GlobalQuery;
  asked: PageRequest;
  cursor: Cursor;
  notes: QueryNote[];
  list: CandidateList;
  /** The number of candidates of the second stage. */
  count: number;
  page: ResultsPage;
  similar: ReadonlyMap<RankedDocument, readonly RankedDocument[]>;
  translations: ReadonlyMap<RankedDocument, readonly RankedDocument[]>;
  /** The number of results that are not listed, because they are near duplicates or translations of listed ones. */
  collapsedCount: number;
}

/** Orders the results of a query and chooses those of the requested page. */
export async function rankResults(search: GlobalQuery, asked: PageRequest): Promise<RankedResults> {
  const { query, profile, group } = search;
  const { request, judge } = asked;
  const { cursor, notes } = readCursor(request, query.text, group.generation);
  const { candidates } = profile;
  const end = Math.min(cursor.offset + request.limit, MAX_LISTED);
  const keep = cursor.after ? request.limit : Math.max(end, candidates);
  const further = cursor.after ? null : findFurtherDocuments(search);
  const list = await findCandidates(search, { keep, count: true, after: cursor.after ?? null });
  const count = cursor.after ? 0 : Math.min(candidates, list.count);
  const best = await rankInTime(search, { list, count, further }, judge);
  const isRuled = judge && count > 0;
  const ruled = isRuled ? await applySiteRules(best.documents, judge, search, keep) : best.documents;
  const listed = request.order === 'newest' ? newestOf(ruled, asked) : ruled;
  const { documents, similar, translations } = request.collapse
    ? collapsed(listed, search)
    : notCollapsed(listed);
  return {
    ...{ search, asked, cursor, notes, list, count, similar, translations },
    total: list.total + foundByMeaning(list, best.documents),
    partial: list.isPartial || best.isCut,
    evidence: queryEvidenceOf(query, search.statistics, profile, best.documents),
    page: pageOf(documents, list, count, cursor, request, query),
    collapsedCount: listed.length - documents.length,
  };
}

/** Reads the details of the ranked page, and returns the response without the fields that depend on the query's text. */
export async function showResults(ranked: RankedResults): Promise<FoundResults> {
  const { search, asked, cursor, notes, list, count, page, total, evidence } = ranked;
  const { query, group } = search;
  const { request, announced, nowMs } = asked;
  const [found, others] = await Promise.all([
    detailsOf(search, page, request),
    othersOf(search, page, ranked),
  ]);
  const details = withChosenPassages(found, query, asked.embed);
  const results = datedAs(announced, resultsOf(page, details, query.text, others));
  const lastClose = count > 0 ? list.placeOf(count - 1) : null;
  const next = nextCursor(page, details.length, lastClose, total - ranked.collapsedCount);
  const answer = choosePassage(query, results, details, asked.embed);
  if (!request.cursor) notes.push(...notesOn(request, total));
  const response = {
    total,
    partial: ranked.partial || details.length < page.shown.length,
    notes,
    results,
    ...(answer && { passage: answer }),
    ...(!cursor.after && overviewOf(search, list, count, nowMs)),
    ...(evidence && { evidence }),
  };
  const { generation } = group;
  return next ? { ...response, cursor: encodeCursor({ ...next, generation }, query.text) } : response;
}

/** Returns true if two queries have the same number of results, and the same documents on their first pages. */
export function haveSameResults(one: RankedResults, other: RankedResults): boolean {
  const shown = other.page.shown.map(fingerprintOfRanked);
  return (
    one.total === other.total &&
    one.page.shown.every((document, at) => fingerprintOfRanked(document) === shown[at])
  );
}

interface FirstStageMatches {
  list: CandidateList;
  count: number;
  /** Null if `count` is 0. */
  further: FurtherDocuments | null;
}

/**
 * Runs the second stage. If there is no time for it, returns the first `count` matches in the order of the first stage.
 */
async function rankInTime(
  search: GlobalQuery,
  { list, count, further }: FirstStageMatches,
  judge: SiteJudge | null,
): Promise<{ documents: RankedDocument[]; isCut: boolean }> {
  if (count === 0 || !further) return { documents: [], isCut: false };
  try {
    const others = await further.besides(list);
    const { documents } = await rankCandidates(search, list, others, judge && factorBy(judge));
    return { documents, isCut: false };
  } catch (error) {
    if (!(error instanceof LateError)) throw error;
    return { documents: list.between(0, count), isCut: true };
  }
}

/**
 * Returns the number of documents that were found by meaning and have none of the query's words, which `total` does
 * not count. Returns 0 if `list` does not have all matches, because the number is then unknown.
 */
function foundByMeaning(list: CandidateList, documents: readonly RankedDocument[]): number {
  if (list.total > list.count) return 0;
  const others = documents.filter((document) => document.list !== list);
  if (others.length === 0) return 0;
  const matching = new Set(list.between(0, list.count).map(fingerprintOfRanked));
  return others.filter((document) => !matching.has(fingerprintOfRanked(document))).length;
}

/**
 * Applies the visitor's site rules to the order of results. Documents of pinned sites may be too far down for the
 * list of candidates, so a separate search finds them.
 */
async function applySiteRules(
  best: RankedDocument[],
  judge: SiteJudge,
  search: GlobalQuery,
  keep: number,
): Promise<RankedDocument[]> {
  const { candidates } = search.profile;
  const sites = judge.sites('pin');
  const isSame = (a: RankedDocument, b: RankedDocument) => fingerprintOfRanked(a) === fingerprintOfRanked(b);
  if (sites.length === 0) return orderByRules(best, best, candidates, judge, hostOfRanked, isSame);
  const onPinned = { ...search, query: onSites(search.query, sites) };
  const further = findFurtherDocuments(onPinned);
  const list = await findCandidates(onPinned, { keep, count: false, after: null });
  const count = Math.min(candidates, list.count);
  const pinned = await rankInTime(onPinned, { list, count, further }, null);
  return orderByRules(best, pinned.documents, candidates, judge, hostOfRanked, isSame);
}

function newestOf(ranked: RankedDocument[], { announced, judge, nowMs }: PageRequest): RankedDocument[] {
  const tomorrow = Math.floor(nowMs / DAY_MS) + 1;
  const dayOf = (document: RankedDocument) =>
    announced.get(fingerprintOfRanked(document)) ?? document.list.dayOf(document.at);
  const isPinned = (document: RankedDocument) => judge?.effectOn(hostOfRanked(document)) === 'pin';
  return newestFirst(ranked, dayOf, tomorrow, isPinned);
}

/** Returns the kinds and the facets of the best `count` documents, for the tabs and filters of the results page. */
function overviewOf(
  { group }: GlobalQuery,
  list: CandidateList,
  count: number,
  nowMs: number,
): Pick<FoundResults, 'kinds' | 'facets'> {
  const hasFeeds = group.states.some((state) => state.hasFeeds);
  const today = Math.floor(nowMs / DAY_MS);
  return { kinds: kindsAmong(list, count, hasFeeds), facets: facetsAmong(list, count, today) };
}

/**
 * Returns the snippets and other details of the documents on the page. If the query is late, returns the
 * details of the first documents only.
 */
async function detailsOf(
  { group, ...query }: GlobalQuery,
  { shown, offset }: ResultsPage,
  { passage, images }: SearchRequest,
): Promise<ShownDocument[]> {
  const isAsked = passage && offset === 0 && isQuestion(query.query);
  const found = await group.askFor(idsOf(shown), (shard, request, places) => {
    const close = new Set(request.docs.filter((_, at) => shown[places[at]!]!.features.length > 0));
    const asked = new Set(request.docs.filter((_, at) => isAsked && places[at]! < PASSAGE_RESULTS));
    return shard.details({
      ...request,
      ...query,
      close,
      ...(images && { images }),
      ...(isAsked && { asked }),
    });
  });
  const missing = found.indexOf(undefined);
  return (missing < 0 ? found : found.slice(0, missing)) as ShownDocument[];
}

type Collapsed = { documents: RankedDocument[] } & Pick<RankedResults, 'similar' | 'translations'>;

function collapsed(listed: readonly RankedDocument[], search: GlobalQuery): Collapsed {
  const { documents, similar } = collapseNearDuplicates(listed);
  return { similar, ...foldTranslations(documents, search) };
}

function notCollapsed(documents: RankedDocument[]): Collapsed {
  return { documents, similar: new Map(), translations: new Map() };
}

/**
 * Looks up the near duplicates and the translations of the shown documents. Returns a function from a shown document to
 * those that it stands for.
 */
async function othersOf(
  { group }: GlobalQuery,
  { shown }: ResultsPage,
  { similar, translations }: Pick<RankedResults, 'similar' | 'translations'>,
): Promise<(document: RankedDocument) => OtherPages> {
  const members = shown.flatMap((one) => [...(similar.get(one) ?? []), ...(translations.get(one) ?? [])]);
  const found = await group.askFor(idsOf(members), (shard, request) => shard.urls(request));
  const urls = new Map(members.map((member, at) => [member, found[at]]));
  const urlsOf = (others: readonly RankedDocument[] = []) => others.flatMap((one) => urls.get(one) ?? []);
  return (document) => ({
    similar: urlsOf(similar.get(document)),
    translations: (translations.get(document) ?? []).flatMap((one) =>
      urlsOf([one]).map((url) => ({ url, language: one.list.languageOf(one.at) })),
    ),
  });
}

function onSites(query: TermQuery, sites: readonly string[]): TermQuery {
  const onOne = anyOf(sites.map((host) => ({ kind: 'site', host, address: [] })));
  return withRequirement(query, onOne);
}

function notesOn({ offset, limit }: SearchRequest, total: number): QueryNote[] {
  const isCut = Math.min(offset + limit, total) > MAX_LISTED;
  return isCut ? [{ code: 'list-limit', values: { number: MAX_LISTED } }] : [];
}
