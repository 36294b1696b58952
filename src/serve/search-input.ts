/** Reads the parameters of a search. Whatever is out of bounds is a `RequestProblem` with status 400. */
import { problemInWords, RequestProblem } from './errors.ts';

/** As the router gives them: a parameter that was repeated is an array. */
export type QueryParameters = Record<string, string | string[] | undefined>;

export interface ResultRange {
  offset: number;
  limit: number;
}

/** In Unicode characters, as a person counts them. */
const MAX_QUERY_LENGTH = 2000;
const MAX_LIMIT = 100;
/** How deep into the list anyone may look: offset + limit. */
export const MAX_DEPTH = 1000;
const PRESET_LIMIT = 10;
/** How results are listed for people and programs alike: two of a host on a page, and nothing twice. */
export const LISTING = { perHost: 2, collapse: true } as const;
const MAX_CURSOR_LENGTH = 200;

/** The query with white space folded; empty when there is none. */
export function readQuery(parameters: QueryParameters): string {
  const query = readText(parameters, 'q');
  const length = Array.from(query).length;
  if (length > MAX_QUERY_LENGTH)
    throw problemInWords(400, 'query-too-long', 'detail.queryTooLong', { length, limit: MAX_QUERY_LENGTH });
  return query
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** The query, where there is nothing to do without one. */
export function requireQuery(parameters: QueryParameters): string {
  const query = readQuery(parameters);
  if (query === '') throw noQuery();
  return query;
}

export function noQuery(): RequestProblem {
  return problemInWords(400, 'query-missing', 'detail.noQuery', { name: 'q' });
}

/** `spelling=off`: the searcher has seen the correction and wants the query as it is. */
export function readSpelling(parameters: QueryParameters): { asTyped?: true } {
  return readText(parameters, 'spelling') === 'off' ? { asTyped: true } : {};
}

/** What is being typed: as a query, but a space at the end says that the last word is whole. */
export function readTyped(parameters: QueryParameters): string {
  const query = readQuery(parameters);
  return query !== '' && /\s$/.test(readText(parameters, 'q')) ? `${query} ` : query;
}

export function readRange(parameters: QueryParameters): ResultRange {
  const offset = wholeNumber(parameters, 'offset', 0, 0, MAX_DEPTH);
  const limit = wholeNumber(parameters, 'limit', PRESET_LIMIT, 1, MAX_LIMIT);
  if (offset + limit > MAX_DEPTH) {
    const message = `offset + limit is ${offset + limit} and may be up to ${MAX_DEPTH}.`;
    throw new RequestProblem(400, 'bad-parameter', message);
  }
  return { offset, limit };
}

/** Where to go on, as an earlier answer said; absent at the beginning. */
export function readCursor(parameters: QueryParameters): { cursor?: string } {
  const cursor = readText(parameters, 'cursor');
  if (/^[\w-]*$/.test(cursor) && cursor.length <= MAX_CURSOR_LENGTH) return cursor === '' ? {} : { cursor };
  throw new RequestProblem(400, 'bad-parameter', 'cursor must be one that an earlier answer gave.');
}

/** One of `choices`, or empty when it is not given. */
export function readChoice<Choice extends string>(
  parameters: QueryParameters,
  name: string,
  choices: readonly Choice[],
): Choice | '' {
  const text = readText(parameters, name);
  const choice = choices.find((each) => each === text);
  if (choice !== undefined || text === '') return choice ?? '';
  throw problemInWords(400, 'bad-parameter', 'detail.choice', { name, choices: choices.join(', ') });
}

export function wholeNumber(
  parameters: QueryParameters,
  name: string,
  preset: number,
  low: number,
  high: number,
): number {
  const text = readText(parameters, name);
  if (text === '') return preset;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= low && value <= high) return value;
  throw problemInWords(400, 'bad-parameter', 'detail.number', { name, low, high });
}

/** The parameter as it is; empty when it is not given. */
export function readText(parameters: QueryParameters, name: string): string {
  const value = parameters[name] ?? '';
  if (Array.isArray(value)) throw problemInWords(400, 'bad-parameter', 'detail.repeated', { name });
  return value;
}
