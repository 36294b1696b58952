/**
 * Cuts one page out of the ranked list and builds its results.
 *
 *   candidates of the second stage   spread over hosts; a place is a number
 *   all others                       in first-stage order; a place is a score and a fingerprint
 *
 * The second part follows the first. Neither depends on the way in which the visitor reached the page.
 */
import { DAY_MS } from '../../base/mod.ts';
import { Field, type StoredDocument } from '../../index/mod.ts';
import type { WordEvidence } from '../../scoring/mod.ts';
import { reading } from '../errors.ts';
import type { Condition } from '../language/mod.ts';
import { fingerprintOf, type Match } from '../matching/mod.ts';
import { bestStretch, type QuotedPhrase, type RankedMatch, type SecondStage } from '../reranking/mod.ts';
import type { SearchRequest, SearchResult } from '../searcher.ts';
import { HitFinder, type Snippet, snippetOf, type WordForms } from '../snippets/mod.ts';
import { formsOf, type ListEntry, type SearchedSegment, type TermQuery } from '../terms/mod.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { spreadHosts, waitingAfter } from './result-list.ts';
import { firstAlike } from './similar.ts';

interface ResultsPage {
  shown: readonly Match[];
  /** For the last result of a host, the number of further results of this host that are known to follow. */
  waiting: ReadonlyMap<Match, number>;
  /** The offset of the page in the list. */
  offset: number;
  /** The number of candidates of the second stage, which come first in the list. */
  closeCount: number;
}

/** Returns the start of the page; an invalid cursor gives the first page, with a note. */
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

/**
 * `best` are the candidates of the second stage, `rest` the other matches. With `cursor.after`, only `rest`
 * is used.
 */
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
    return { shown: between(best, rest, offset, end), waiting: new Map(), offset, closeCount };
  }
  const list = spreadHosts(best, end, { pageSize: request.limit, perHost, hostOf });
  const waiting = waitingAfter(list, offset, end, hostOf);
  return { shown: between(list, rest, offset, end), waiting, offset, closeCount };
}

/** Returns the slice of the concatenation of both lists. */
function between(first: readonly Match[], second: readonly Match[], start: number, end: number): Match[] {
  const behind = (place: number) => Math.max(0, place - first.length);
  return [...first.slice(start, end), ...second.slice(behind(start), behind(end))];
}

/**
 * Returns the start of the next page, or null at the end. `lastClose` is the last match that the first stage
 * passed to the second.
 */
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

/** A query with `site:` has no limit per host. */
function asksForSite(condition: Condition | null): boolean {
  if (!condition) return false;
  if ('parts' in condition) return condition.parts.some(asksForSite);
  return condition.kind === 'site';
}

/**
 * Returns the results of a page; with `collapse`, only the first of near-duplicate results. At the end of the
 * grace period the page ends early, with at least one result. `count` is the number of matches of the page
 * that were processed.
 */
export function shownResults(
  { shown, waiting }: ResultsPage,
  { query, searched, statistics, deadline }: ShownBy,
  collapse: boolean,
): { results: SearchResult[]; count: number } {
  const finders = new Map(searched.map((one) => [one.segment, new HitFinder(writtenForms(query, one))]));
  const weights = statistics.idfs;
  const phrases = quotedPhrases(query, weights);
  const items: ShownItem[] = [];
  for (const match of shown) {
    if (items.length > 0 && deadline.isOver()) break;
    const finder = finders.get(match.segment)!;
    const snippet = (document: StoredDocument) =>
      snippetOf(document, { finder, weights, phrases, best: bestShown(match, weights, phrases) });
    items.push(itemOf(match, waiting.get(match) ?? 0, query, snippet));
  }
  const results = collapse ? collapsed(items) : items.map(({ result }) => result);
  return { results, count: items.length };
}

type ShownBy = Pick<SecondStage, 'query' | 'searched' | 'statistics' | 'deadline'>;

function collapsed(items: readonly ShownItem[]): SearchResult[] {
  const leaders = firstAlike(items.map(({ result, text }) => ({ ...result, text })));
  return items.flatMap(({ result }, at) => {
    if (leaders[at] !== at) return [];
    const similar = items
      .filter((_, other) => other !== at && leaders[other] === at)
      .map((item) => item.result.url);
    return [similar.length > 0 ? { ...result, similar } : result];
  });
}

/** Returns the phrases of several words; the weight of each is the sum of its words' weights. */
function quotedPhrases({ phrases, words }: TermQuery, weights: readonly number[]): QuotedPhrase[] {
  return phrases
    .filter((phrase) => phrase.length > 1)
    .map((phrase) => {
      const numbers = phrase.map(({ term }) => words.indexOf(term));
      const weight = numbers.reduce((sum, word) => sum + (weights[word] ?? 0), 0);
      return { words: numbers, exact: phrase.map(({ exact }) => exact), weight };
    });
}

/** Returns the weight of the best stretch of the text; null if the second stage did not look up positions. */
function bestShown(
  match: Match & Partial<RankedMatch>,
  weights: readonly number[],
  phrases: readonly QuotedPhrase[],
): number | null {
  if (!match.evidence) return null;
  const { words, titleLength } = match.evidence;
  const places = words.map((word) => word && placesInText(word));
  return bestStretch(places, weights, titleLength, phrases);
}

/** Removes the positions in the URL, which come after the text. */
function placesInText({ positions, counts }: WordEvidence): ArrayLike<number> {
  const inAddress = Math.ceil(counts[Field.url]!);
  return inAddress === 0 ? positions : Array.from(positions).slice(0, -inAddress);
}

interface ShownItem {
  result: SearchResult;
  text: string;
}

function itemOf(
  match: Match,
  more: number,
  query: TermQuery,
  snippetFrom: (document: StoredDocument) => Snippet,
): ShownItem {
  const { segment, doc, score } = match;
  const document = reading(segment, () => segment.reader.document(doc));
  const snippet = snippetFrom(document);
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
  const date = ownDate(segment.reader.table.days[doc]!, document.fetchedAt);
  if (date !== null) result.date = date;
  if (document.language !== '') result.language = document.language;
  if (document.noCopy) result.noCopy = true;
  if (more > 0) result.moreFromSite = { count: more, query: `${query.text} site:${host}` };
  return { result, text: document.text };
}

/**
 * `day` is the day of the fetch if the page states no date. A stated date after the fetch is not a credible
 * date either.
 */
function ownDate(day: number, fetchedAt: number): string | null {
  const isOwn = day > 0 && day < Math.floor(fetchedAt / DAY_MS);
  return isOwn ? new Date(day * DAY_MS).toISOString().slice(0, 10) : null;
}

/**
 * Maps written forms to the query words that they match; a form that matches several words belongs to the
 * first.
 */
function writtenForms({ typed }: TermQuery, { lists }: SearchedSegment): WordForms {
  const forms = new Map<string, number>();
  const add = (word: number, written: readonly string[]) => {
    for (const form of written) if (form !== '' && !forms.has(form)) forms.set(form, word);
  };
  const addLists = (isWanted: (list: ListEntry) => boolean) => {
    for (const [word, own] of lists.entries())
      for (const list of own) if (isWanted(list)) add(word, formsOf(list.entry));
  };
  for (const [word, words] of typed.entries()) add(word, words);
  addLists(({ role }) => role === 'own');
  addLists(({ role }) => role !== 'own');
  return forms;
}
