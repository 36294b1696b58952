/**
 * Reads the parameters of a search request. A value out of bounds throws a `RequestProblem` with status 400.
 */
import { type CanonicalUrl, canonicalize } from '../../url/mod.ts';
import { problemInWords, RequestProblem } from '../errors.ts';

/** Query parameters as the router parses them: a repeated parameter is an array. */
export type QueryParameters = Record<string, string | string[] | undefined>;

interface ResultRange {
  offset: number;
  limit: number;
}

/** The maximum length of a query in Unicode characters. */
const MAX_QUERY_LENGTH = 2000;
const MAX_LIMIT = 100;
/** The maximum of offset + limit of a search request. */
export const MAX_RESULT_DEPTH = 1000;
const PRESET_LIMIT = 10;
/**
 * The options of every list of results, on pages and in the API: at most two results per host on a page, and
 * duplicates are joined.
 */
export const LISTING = { perHost: 2, collapse: true } as const;
const MAX_CURSOR_LENGTH = 200;
/** Matches operators such as `AND` that join a clause with the one before it. */
const LEADING_OPERATORS = /^(?:(?:AND|OR|NEAR\/\d+)(?=\s)\s*)+/;

/** Returns the query with white space normalized; empty if there is none. */
export function readQueryParameter(parameters: QueryParameters): string {
  const query = readText(parameters, 'q');
  const length = Array.from(query).length;
  if (length > MAX_QUERY_LENGTH)
    throw problemInWords(400, 'query-too-long', 'detail.queryTooLong', { length, limit: MAX_QUERY_LENGTH });
  return query
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Returns the query. Throws if it is empty. */
export function requireQuery(parameters: QueryParameters): string {
  const query = readQueryParameter(parameters);
  if (query === '') throw noQuery();
  return query;
}

export function noQuery(): RequestProblem {
  return problemInWords(400, 'query-missing', 'detail.noQuery', { name: 'q' });
}

/** Reads the parameter `lang`, a language tag; empty if it is not given. */
export function readLanguage(parameters: QueryParameters): string {
  const tag = readText(parameters, 'lang').toLowerCase();
  if (tag === '' || /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/.test(tag)) return tag;
  throw problemInWords(400, 'bad-parameter', 'detail.language', { name: 'lang', example: 'de' });
}

/**
 * Returns a query with filters, which are operators of the query language. The filters come first: at the end, an unclosed
 * quote, an operator or too many words could make them ineffective. An operator at the beginning of the typed query is made
 * a plain word, because without filters it would be a plain word too.
 */
export function withFilters(filters: string, query: string): string {
  if (filters === '') return query;
  return `${filters} ${query.replace(LEADING_OPERATORS, (words) => words.toLowerCase())}`;
}

/**
 * Reads the parameter `spelling`. `off` means that the searcher rejects the correction and wants the query as
 * typed.
 */
export function readSpelling(parameters: QueryParameters): { asTyped?: true } {
  return readText(parameters, 'spelling') === 'off' ? { asTyped: true } : {};
}

/**
 * Returns the beginning of a query for suggestions. A trailing space is kept, because it means that the last
 * word is complete.
 */
export function readTyped(parameters: QueryParameters): string {
  const query = readQueryParameter(parameters);
  return query !== '' && /\s$/.test(readText(parameters, 'q')) ? `${query} ` : query;
}

export function readRange(parameters: QueryParameters): ResultRange {
  const offset = wholeNumber(parameters, 'offset', 0, 0, MAX_RESULT_DEPTH);
  const limit = wholeNumber(parameters, 'limit', PRESET_LIMIT, 1, MAX_LIMIT);
  if (offset + limit > MAX_RESULT_DEPTH) {
    const message = `offset + limit is ${offset + limit} and may be up to ${MAX_RESULT_DEPTH}.`;
    throw new RequestProblem(400, 'bad-parameter', message);
  }
  return { offset, limit };
}

/**
 * Returns the cursor of an earlier response, by which the next page is requested; absent on the first page.
 */
export function readCursorParameter(parameters: QueryParameters): { cursor?: string } {
  const cursor = readText(parameters, 'cursor');
  if (/^[\w-]*$/.test(cursor) && cursor.length <= MAX_CURSOR_LENGTH) return cursor === '' ? {} : { cursor };
  throw new RequestProblem(400, 'bad-parameter', 'cursor must be one that an earlier answer gave.');
}

/** Returns a parameter that must be one of `choices`; the empty string if it is not given. */
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

/** Returns a parameter unchanged; the empty string if it is not given. */
export function readText(parameters: QueryParameters, name: string): string {
  const value = parameters[name] ?? '';
  if (Array.isArray(value)) throw problemInWords(400, 'bad-parameter', 'detail.repeated', { name });
  return value;
}

/** Reads the parameter `url` and returns its canonical form. Throws if the parameter is not a URL. */
export function readAddress(parameters: QueryParameters): CanonicalUrl {
  const url = canonicalize(readText(parameters, 'url'));
  if (url) return url;
  throw problemInWords(400, 'bad-url', 'detail.url', { name: 'url', example: 'https://example.org/' });
}
