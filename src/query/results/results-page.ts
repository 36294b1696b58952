/**
 * Takes one page out of the ranked list and builds its results.
 *
 *   candidates of the second stage   spread over hosts; a place in the list is a number
 *   all other matches                in first-stage order; a place is a score and a fingerprint
 *
 * The other matches follow the candidates. A page has the same results whichever pages the visitor saw before.
 */
import { formatOf } from '../../index/mod.ts';
import type { Condition, QueryNote } from '../language/mod.ts';
import type { ListPlace } from '../matching/mod.ts';
import type { SearchRequest, SearchResult, Translation } from '../searcher.ts';
import type { ShownDocument } from '../shard/mod.ts';
import type { TermQuery } from '../terms/mod.ts';
import { type CandidateList, hostOfRanked as hostOf, type RankedDocument } from './candidate-list.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { spreadHosts, waitingAfter } from './result-list.ts';

export interface ResultsPage {
  shown: readonly RankedDocument[];
  /** For the last result of each host on the page, how many results of that host are known to follow. */
  waiting: ReadonlyMap<RankedDocument, number>;
  /** The number of results on the previous pages. */
  offset: number;
  /** The number of candidates of the second stage, which are the first results of the list. */
  closeCount: number;
}

/** Returns the place at which the requested page starts. An invalid cursor gives the first page, and a note. */
export function readCursor(
  { cursor, offset }: SearchRequest,
  query: string,
  generation: number,
): { cursor: Cursor; notes: QueryNote[] } {
  if (cursor === undefined) return { cursor: { generation, offset }, notes: [] };
  const read = decodeCursor(cursor, query);
  if (!read) {
    return { cursor: { generation, offset: 0 }, notes: [{ code: 'foreign-cursor', values: {} }] };
  }
  const isSame = read.generation === generation;
  return { cursor: read, notes: isSame ? [] : [{ code: 'index-changed', values: {} }] };
}

/**
 * Returns one page of the list. The list begins with `best`, the candidates of the second stage in their final
 * order; the matches of `list` from index `candidates` on follow. If `cursor.after` is set, `list` has only the
 * matches of this page.
 */
export function pageOf(
  best: readonly RankedDocument[],
  list: CandidateList,
  candidates: number,
  cursor: Cursor,
  request: SearchRequest,
  query: Pick<TermQuery, 'condition'>,
): ResultsPage {
  const { offset } = cursor;
  if (cursor.after) return { shown: list.between(0, list.count), waiting: new Map(), offset, closeCount: 0 };
  const closeCount = best.length;
  const end = offset + request.limit;
  const after = candidates - closeCount;
  const rest = list.between(Math.max(offset, closeCount) + after, end + after);
  const { perHost = request.limit } = request;
  if (perHost >= request.limit || asksForSite(query.condition)) {
    return { shown: [...best.slice(offset, end), ...rest], waiting: new Map(), offset, closeCount };
  }
  const spread = spreadHosts(best, end, {
    pageSize: request.limit,
    perHost,
    hostOf,
    scoreOf: ({ score }) => score,
  });
  const waiting = waitingAfter(spread, offset, end, hostOf);
  return { shown: [...spread.slice(offset, end), ...rest], waiting, offset, closeCount };
}

/**
 * Returns the place at which the next page starts, or null at the end of the list. `count` is the number of results
 * that this page shows. `lastClose` is the place of the last candidate of the second stage in first-stage order.
 */
export function nextCursor(
  { shown, offset, closeCount }: ResultsPage,
  count: number,
  lastClose: ListPlace | null,
  total: number,
): Omit<Cursor, 'generation'> | null {
  const next = offset + count;
  if (count === 0 || next >= total) return null;
  if (next < closeCount) return { offset: next };
  const { list, at } = shown[count - 1]!;
  return { offset: next, after: next === closeCount ? lastClose! : list.placeOf(at) };
}

/** Returns true if the query contains `site:`. Such a query has no limit per host. */
function asksForSite(condition: Condition | null): boolean {
  if (!condition) return false;
  if ('parts' in condition) return condition.parts.some(asksForSite);
  return condition.kind === 'site';
}

/** The pages that a result stands for: the URLs of its near duplicates, and its translations. */
export interface OtherPages {
  similar: string[];
  translations: Translation[];
}

/** Builds the results of a page. `othersOf` returns the pages that the result of a document stands for. */
export function resultsOf(
  { shown, waiting }: ResultsPage,
  details: readonly ShownDocument[],
  query: string,
  othersOf: (document: RankedDocument) => OtherPages,
): SearchResult[] {
  return details.map((document, at) => {
    const match = shown[at]!;
    const result = resultOf(match, document, waiting.get(match) ?? 0, query);
    const { similar, translations } = othersOf(match);
    if (similar.length > 0) result.similar = similar;
    if (translations.length > 0) result.translations = translations;
    return result;
  });
}

function resultOf(match: RankedDocument, document: ShownDocument, more: number, query: string): SearchResult {
  const host = hostOf(match);
  const result: SearchResult = {
    url: document.url,
    title: document.title,
    snippet: document.snippet,
    highlights: document.highlights,
    host,
    score: match.score,
    fetchedAt: new Date(document.fetchedAt).toISOString(),
  };
  if (document.date !== null) result.date = document.date;
  if (document.language !== '') result.language = document.language;
  const format = formatOf(match.list.typeOf(match.at));
  if (format !== '' && format !== 'html') result.format = format;
  if (document.isPassage) result.isPassage = true;
  if (document.isEntry) result.isEntry = true;
  if (document.images) result.images = document.images;
  if (document.noCopy) result.noCopy = true;
  if (more > 0) result.moreFromSite = { count: more, query: `${query} site:${host}` };
  return result;
}
