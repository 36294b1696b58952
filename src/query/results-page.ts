/**
 * One page out of the ranked list, and the results on it as they are shown.
 *
 *   the best, looked at closely    spread over hosts; a place is a number
 *   all others                     in the order of the first stage; a place is a score and a fingerprint
 *
 * Both parts follow each other, and neither depends on how the reader came to the page.
 */
import { Field, type StoredDocument } from '../index/mod.ts';
import type { WordEvidence } from '../rank/mod.ts';
import { bestStretch, type QuotedPhrase } from './best-stretch.ts';
import type { Condition } from './condition.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { reading } from './errors.ts';
import { fingerprintOf, type Match } from './evaluate.ts';
import { HitFinder, type WordForms } from './hit-finder.ts';
import type { RankedMatch, SecondStage } from './rerank.ts';
import { spreadHosts, waitingAfter } from './result-list.ts';
import type { SearchRequest, SearchResult } from './searcher.ts';
import { firstAlike } from './similar.ts';
import { type Snippet, snippetOf } from './snippet.ts';
import type { ListEntry, SearchedSegment } from './statistics.ts';
import { formsOf, type TermQuery } from './term-query.ts';

const DAY_MS = 86_400_000;

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
    return { shown: between(best, rest, offset, end), waiting: new Map(), offset, closeCount };
  }
  const list = spreadHosts(best, end, { pageSize: request.limit, perHost, hostOf });
  const waiting = waitingAfter(list, offset, end, hostOf);
  return { shown: between(list, rest, offset, end), waiting, offset, closeCount };
}

/** Of both lists, one behind the other. */
function between(first: readonly Match[], second: readonly Match[], start: number, end: number): Match[] {
  const behind = (place: number) => Math.max(0, place - first.length);
  return [...first.slice(start, end), ...second.slice(behind(start), behind(end))];
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
  { query, searched, statistics }: Pick<SecondStage, 'query' | 'searched' | 'statistics'>,
  collapse: boolean,
): SearchResult[] {
  const finders = new Map(searched.map((one) => [one.segment, new HitFinder(writtenForms(query, one))]));
  const weights = statistics.idfs;
  const phrases = quotedPhrases(query, weights);
  const items = shown.map((match) => {
    const finder = finders.get(match.segment)!;
    const snippet = (document: StoredDocument) =>
      snippetOf(document, { finder, weights, phrases, best: bestShown(match, weights, phrases) });
    return itemOf(match, waiting.get(match) ?? 0, query, snippet);
  });
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

/** Those of several words; each is worth as much as its words are. */
function quotedPhrases({ phrases, words }: TermQuery, weights: readonly number[]): QuotedPhrase[] {
  return phrases
    .filter((phrase) => phrase.length > 1)
    .map((phrase) => {
      const numbers = phrase.map(({ term }) => words.indexOf(term));
      const weight = numbers.reduce((sum, word) => sum + (weights[word] ?? 0), 0);
      return { words: numbers, exact: phrase.map(({ exact }) => exact), weight };
    });
}

/** What the best stretch of its text weighs, if somebody has looked. */
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

/** The words of the address come behind the text. */
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

/** `day` is that of the fetch where the page does not say; what a page says of the future is no date of its text. */
function ownDate(day: number, fetchedAt: number): string | null {
  const isOwn = day > 0 && day < Math.floor(fetchedAt / DAY_MS);
  return isOwn ? new Date(day * DAY_MS).toISOString().slice(0, 10) : null;
}

/** The words of documents that count for words of the query; those that count for several, for the first. */
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
