/**
 * The state of a search: a query, a page of its results, and filters. The whole state is in the URL of the
 * page, so that every state can be linked to. The filters reach the searcher as operators of the query
 * language.
 */

import { DAY_MS } from '../../base/mod.ts';
import { contentWords, PERIOD_DAYS } from '../../query/mod.ts';
import { readSite } from '../../url/mod.ts';
import { problemInWords } from '../errors.ts';
import {
  MAX_RESULT_DEPTH,
  type QueryParameters,
  readChoice,
  readLanguage,
  readQueryParameter,
  readText,
  wholeNumber,
  withFilters,
} from '../http/mod.ts';

export const TABS = ['all', 'images', 'news', 'documents', 'products'] as const;
export const PERIODS = ['day', 'week', 'month', 'year'] as const;
export const TYPES = ['html', 'pdf', 'text', 'docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'epub'] as const;

export interface SearchState {
  query: string;
  page: number;
  tab: (typeof TABS)[number];
  /**
   * The host to which results are limited; empty for all sites. The other filters are also empty if they are
   * not used.
   */
  site: string;
  language: string;
  period: (typeof PERIODS)[number] | '';
  type: (typeof TYPES)[number] | '';
  /**
   * `date` sorts by date, newest first; the empty string sorts by score. The News tab is always sorted by
   * date.
   */
  sort: 'date' | '';
  /** True if the query is searched as typed, without correction. */
  asTyped: boolean;
}

const TAB_WORDS: Readonly<Record<(typeof TABS)[number], string>> = {
  all: '',
  images: 'filetype:image',
  news: 'kind:news',
  documents: 'filetype:document',
  products: 'kind:product',
};
/** Matches queries of words only, without operators of the query language. */
const PLAIN =
  /^(?!.*\b(?:AND|OR|NOT)\b)[\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,-]*(?: [\p{L}\p{N}][\p{L}\p{M}\p{N}'’.,-]*)*$/u;

/** Returns the name that a type of the filter has in the query language. */
export function formatOfType(type: (typeof TYPES)[number]): string {
  return type === 'text' ? 'txt' : type;
}

/** Returns the type whose name a result shows; null for the formats of ordinary pages. */
export function shownType(format: string): (typeof TYPES)[number] | null {
  return TYPES.find((type) => type === format && type !== 'html') ?? null;
}

export function readSearch(parameters: QueryParameters, pageSize: number): SearchState {
  return {
    query: readQueryParameter(parameters),
    page: readPage(parameters, maxPage(pageSize)),
    tab: readChoice(parameters, 'tab', TABS) || 'all',
    site: readHost(parameters),
    language: readLanguage(parameters),
    period: readChoice(parameters, 'period', PERIODS),
    type: readChoice(parameters, 'type', TYPES),
    sort: readChoice(parameters, 'sort', ['date']),
    asTyped: readChoice(parameters, 'spelling', ['off']) === 'off',
  };
}

export function maxPage(pageSize: number): number {
  return MAX_RESULT_DEPTH / pageSize;
}

/**
 * Returns the URL of a state. If anything except the page number changes, the URL leads to the first page.
 */
export function searchAddress(state: SearchState, change: Partial<SearchState> = {}): string {
  const { query, page, tab, site, language, period, type, sort, asTyped } = { ...state, page: 1, ...change };
  return (
    `/search?q=${encodeURIComponent(query)}` +
    parameter('tab', tab === 'all' ? '' : tab) +
    parameter('site', site) +
    parameter('lang', language) +
    parameter('period', period) +
    parameter('type', type) +
    parameter('sort', sort) +
    parameter('spelling', asTyped ? 'off' : '') +
    parameter('page', page === 1 ? '' : String(page))
  );
}

function parameter(name: string, value: string): string {
  return value === '' ? '' : `&${name}=${encodeURIComponent(value)}`;
}

export function withoutFilters(state: SearchState): SearchState {
  return { ...state, site: '', language: '', period: '', type: '' };
}

export function filterCount({ site, language, period, type }: SearchState): number {
  return [site, language, period, type].filter((value) => value !== '').length;
}

/**
 * Returns the query for the searcher: the filters as operators, followed by the query as typed.
 */
export function engineQuery(state: SearchState, now: number): string {
  return withFilters(filterWords(state, now), state.query);
}

/** Returns the query for the searcher that finds pages with pictures. */
export function imageQuery(query: string): string {
  return withFilters(TAB_WORDS.images, query);
}

function filterWords({ tab, site, language, period, type }: SearchState, now: number): string {
  const since = period === '' ? '' : new Date(now - PERIOD_DAYS[period] * DAY_MS).toISOString().slice(0, 10);
  // Several formats in a query mean any of them, so a chosen format replaces the formats of the tab.
  const isNarrowed = tab === 'documents' && type !== '';
  return [
    isNarrowed ? '' : TAB_WORDS[tab],
    site && `site:${site}`,
    language && `lang:${language}`,
    since && `after:${since}`,
    type && `filetype:${formatOfType(type)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/**
 * Returns the same as `engineQuery`, but requires every word except function words. A query with operators
 * stays unchanged.
 */
export function requiredQuery(state: SearchState, now: number): string {
  const query = PLAIN.test(state.query)
    ? contentWords(state.query)
        .map((word) => `+${word}`)
        .join(' ')
    : state.query;
  return engineQuery({ ...state, query }, now);
}

/** Returns a corrected query as the searcher would have typed it: without the filters that the state added. */
export function typedQuery(corrected: string, state: SearchState, now: number): string {
  const added = filterWords(state, now);
  const typed = corrected.startsWith(added) ? corrected.slice(added.length).trimStart() : corrected;
  return PLAIN.test(state.query) ? typed.replaceAll(/(?<=^| )\+/g, '') : typed;
}

/** Reads the page number. A number above the last possible page stands for that page. */
function readPage(parameters: QueryParameters, last: number): number {
  const isBeyond = /^\d+$/.test(readText(parameters, 'page')) && Number(readText(parameters, 'page')) > last;
  return isBeyond ? last : wholeNumber(parameters, 'page', 1, 1, last);
}

function readHost(parameters: QueryParameters): string {
  const text = readText(parameters, 'site').trim();
  if (text === '') return '';
  const site = readSite(text);
  if (site) return site;
  throw problemInWords(400, 'bad-parameter', 'detail.host', { name: 'site', example: 'example.org' });
}
