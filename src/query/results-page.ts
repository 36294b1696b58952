/**
 * One page out of the ranked list, and the results on it as they are shown.
 *
 *   the best, looked at closely    spread over hosts; a place is a number
 *   all others                     in the order of the first stage; a place is a score and a fingerprint
 *
 * Both parts follow each other, and neither depends on how the reader came to the page.
 */
import type { QueryStatistics } from '../rank/mod.ts';
import type { Condition } from './condition.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { reading } from './errors.ts';
import { fingerprintOf, type Match } from './evaluate.ts';
import { spreadHosts, waitingAfter } from './result-list.ts';
import type { SearchRequest, SearchResult } from './searcher.ts';
import { firstAlike } from './similar.ts';
import { snippetOf } from './snippet.ts';
import type { TermQuery } from './term-query.ts';

export interface ResultsPage {
  shown: readonly Match[];
  /** For the last result of a host, how many more of it are known to follow. */
  waiting: ReadonlyMap<Match, number>;
  /** Where the page begins in the list. */
  offset: number;
  /** How many of the list were looked at closely, and come first. */
  closeCount: number;
}

/** Where the page begins; a cursor that says nothing of use gives the first page, with a note. */
export function readCursor(
  { cursor, offset }: SearchRequest,
  query: string,
  generation: number,
): { cursor: Cursor; notes: string[] } {
  if (cursor === undefined) return { cursor: { generation, offset }, notes: [] };
  const read = decodeCursor(cursor, query);
  if (!read) {
    const notes = ['The cursor does not belong to this query: these are its first results.'];
    return { cursor: { generation, offset: 0 }, notes };
  }
  const isSame = read.generation === generation;
  const notes = isSame
    ? []
    : ['The index has changed since the last page: results may be missing or come twice.'];
  return { cursor: read, notes };
}

/** `best` were looked at closely, `rest` were not. Behind a cursor's place there are only others. */
export function pageOf(
  best: readonly Match[],
  rest: readonly Match[],
  cursor: Cursor,
  request: SearchRequest,
  query: TermQuery,
): ResultsPage {
  const { offset } = cursor;
  const closeCount = best.length;
  if (cursor.after) return { shown: rest, waiting: new Map(), offset, closeCount };
  const end = offset + request.limit;
  const { perHost = request.limit } = request;
  if (perHost >= request.limit || asksForSite(query.condition)) {
    return { shown: [...best, ...rest].slice(offset, end), waiting: new Map(), offset, closeCount };
  }
  const list = spreadHosts(best, end, { pageSize: request.limit, perHost, hostOf });
  const waiting = waitingAfter(list, offset, end, hostOf);
  return { shown: [...list, ...rest].slice(offset, end), waiting, offset, closeCount };
}

/** Where the next page begins, or null at the end. `lastClose` is the last that the first stage gave to the second. */
export function nextCursor(
  { shown, offset, closeCount }: ResultsPage,
  lastClose: Match | undefined,
  total: number,
): Omit<Cursor, 'generation'> | null {
  const next = offset + shown.length;
  if (shown.length === 0 || next >= total) return null;
  if (next < closeCount) return { offset: next };
  const last = next === closeCount ? lastClose! : shown.at(-1)!;
  return { offset: next, after: { score: last.score, fingerprint: fingerprintOf(last) } };
}

function hostOf({ segment, doc }: Match): string {
  return segment.reader.host(doc);
}

/** Who asks for a site wants all of it. */
function asksForSite(condition: Condition | null): boolean {
  if (!condition) return false;
  if ('parts' in condition) return condition.parts.some(asksForSite);
  return condition.kind === 'site';
}

/** The results of a page; of those that say nearly the same the first. */
export function shownResults(
  { shown, waiting }: ResultsPage,
  query: TermQuery,
  statistics: QueryStatistics,
  collapse: boolean,
): SearchResult[] {
  const items = shown.map((match) => itemOf(match, waiting.get(match) ?? 0, query, statistics));
  if (!collapse) return items.map(({ result }) => result);
  const leaders = firstAlike(items.map(({ result, text }) => ({ ...result, text })));
  return items.flatMap(({ result }, at) => {
    if (leaders[at] !== at) return [];
    const similar = items
      .filter((_, other) => other !== at && leaders[other] === at)
      .map((item) => item.result.url);
    return [similar.length > 0 ? { ...result, similar } : result];
  });
}

interface ShownItem {
  result: SearchResult;
  text: string;
}

function itemOf(match: Match, more: number, query: TermQuery, statistics: QueryStatistics): ShownItem {
  const { segment, doc, score } = match;
  const document = reading(segment, () => segment.reader.document(doc));
  const snippet = snippetOf(document, query.words, statistics.idfs, query.alternatives);
  const host = hostOf(match);
  const result: SearchResult = {
    url: document.url,
    title: document.title,
    snippet: snippet.text,
    highlights: snippet.highlights,
    host,
    score,
    fetchedAt: new Date(document.fetchedAt).toISOString(),
  };
  if (document.noCopy) result.noCopy = true;
  if (more > 0) result.moreFromSite = { count: more, query: `${query.text} site:${host}` };
  return { result, text: document.text };
}
