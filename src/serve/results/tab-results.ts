/**
 * The list of results on each tab, and the details that its results show.
 *
 *   All, Documents   the best first
 *   Products         the best first, with price, shop and availability
 *   News             the newest first, with the paper: articles that say so, and those that crawled feeds announce
 *
 * Sorted by date, a page with one of many words could precede a better one. Therefore the News tab requires
 * all words except function words; if no page has them all, any of them is enough.
 */

import type { AnnouncedArticle, Details, Offer } from '../../answer/mod.ts';
import { DAY_MS } from '../../base/mod.ts';
import { type Announced, contentWords, type SearchRequest, type SearchResponse } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import type { View } from '../request-context.ts';
import { LISTING } from './search-input.ts';
import { engineQuery, requiredQuery, type SearchState, typedQuery } from './search-state.ts';

/** Additional details of a result. */
export interface ResultDetail {
  /** Name of the publisher. */
  paper?: string;
  offer?: Offer;
}

export interface TabAnswer {
  response: SearchResponse;
  /** Kinds of results in the list without the tab; absent if unknown. */
  kinds: readonly string[] | undefined;
  /** Keyed by the URLs of results. */
  details: ReadonlyMap<string, ResultDetail>;
  /** True if there was time to read all details. */
  isWhole: boolean;
}

const NOTHING = { found: new Map<string, never>(), isWhole: true };

export async function searchTab(view: View, state: SearchState): Promise<TabAnswer> {
  if (state.tab === 'news') return newsOf(view, state);
  const [listed, kinds] = await Promise.all([listOf(view, state), kindsBeside(view, state)]);
  const shownKinds = kinds ?? (await withAnnouncedNews(view, state, listed.response));
  return { ...listed, kinds: shownKinds };
}

/** Returns the request for one page of the list, ranked by score and without details. */
export function requestOf(view: View, state: SearchState): SearchRequest {
  const { site, preferences, rules, arrival } = view;
  const { pageSize } = preferences;
  return {
    query: engineQuery(state, site.clock.now()),
    offset: (state.page - 1) * pageSize,
    limit: pageSize,
    ...LISTING,
    ...(rules.length > 0 && { siteRules: rules }),
    ...(state.asTyped && { asTyped: true }),
    ...arrival,
  };
}

/** Returns the results and details of one tab, without the kinds of the other tabs. */
export function listOf(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  if (state.tab === 'news') return newsAlone(view, state);
  return state.tab === 'products' ? productsOf(view, state) : plainList(view, state);
}

async function plainList(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  const response = await view.site.searcher.search(requestOf(view, state));
  return { response, details: new Map(), isWhole: true };
}

async function productsOf(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  const { response } = await plainList(view, state);
  const { found, isWhole } = (await view.site.details?.offers(urlsOf(response))) ?? NOTHING;
  return { response, details: mapped(found, (offer) => ({ offer })), isWhole };
}

/**
 * The list of the All tab, which is usually cached, tells if the query was corrected, which other tabs there are
 * and if there are feeds. So there are two searches without feeds and three with them; one more if no article has
 * all words.
 */
async function newsOf(view: View, state: SearchState): Promise<TabAnswer> {
  const all = amongAll(state);
  const beside = await view.site.searcher.search(requestOf(view, all));
  const query = meantQuery(view, all, beside);
  const isCorrected = query !== state.query;
  const asked = isCorrected ? { ...state, query, asTyped: true } : state;
  const { feeds, ...news } = await newsFor(view, asked, beside.kinds?.includes('feed') ?? true);
  const { response } = news;
  const isAnnounced = feeds.found.size > 0 && !beside.kinds?.includes('news');
  const kinds = isAnnounced && beside.kinds ? [...beside.kinds, 'news'] : beside.kinds;
  if (!isCorrected || response.total === 0) return { ...news, kinds };
  return { ...news, kinds, response: { ...response, spelling: { query, automatic: true } } };
}

/** Returns the query that the response answers: the query as typed, or the correction that replaced it. */
export function meantQuery({ site }: View, state: SearchState, { spelling }: SearchResponse): string {
  return spelling?.automatic ? typedQuery(spelling.query, state, site.clock.now()) : state.query;
}

/** Searches the All tab only if there are no articles for the query as it was typed. */
async function newsAlone(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  const { feeds: _, ...news } = await newsFor(view, state, true);
  const isFound = news.response.total > 0 && meantQuery(view, state, news.response) === state.query;
  return isFound ? news : newsOf(view, state);
}

interface NewsList extends Omit<TabAnswer, 'kinds'> {
  feeds: Details<AnnouncedArticle>;
}

async function newsFor(view: View, state: SearchState, hasFeeds: boolean): Promise<NewsList> {
  const { site, rules, arrival } = view;
  const feeds: Details<AnnouncedArticle> =
    (hasFeeds && (await site.details?.announced(state.query, { siteRules: rules, ...arrival }))) || NOTHING;
  const response = await searchNews(view, state, announcedBy(feeds.found));
  const papers = (await site.details?.papers(urlsOf(response))) ?? NOTHING;
  const details = new Map([
    ...mapped(feeds.found, ({ paper }) => ({ paper })),
    ...mapped(papers.found, (paper) => ({ paper })),
  ]);
  return { response, details, isWhole: feeds.isWhole && papers.isWhole, feeds };
}

async function searchNews(
  view: View,
  state: SearchState,
  announced: readonly Announced[],
): Promise<SearchResponse> {
  const { searcher, clock } = view.site;
  const request = { ...requestOf(view, state), order: 'newest' as const, announced };
  const query = requiredQuery(state, clock.now());
  const strict = await searcher.search({ ...request, query });
  return strict.total > 0 || query === request.query ? strict : searcher.search(request);
}

function announcedBy(found: ReadonlyMap<string, AnnouncedArticle>): Announced[] {
  return [...found].map(([url, { publishedAt }]) => ({
    url: url as CanonicalUrl,
    day: Math.floor(publishedAt / DAY_MS),
  }));
}

/**
 * Returns the kinds of results on the other tabs, because the response for a tab contains only its own kind.
 * The searcher usually comes from the list that is requested here, so it is usually cached. Undefined on the
 * All tab itself.
 */
async function kindsBeside(view: View, state: SearchState): Promise<readonly string[] | undefined> {
  if (state.tab === 'all') return undefined;
  const all = amongAll(state);
  return withAnnouncedNews(view, all, await view.site.searcher.search(requestOf(view, all)));
}

function amongAll(state: SearchState): SearchState {
  return { ...state, tab: 'all', page: 1 };
}

/** Adds `news` to the kinds if a feed has all words of the query, because feeds announce articles. */
async function withAnnouncedNews(
  view: View,
  state: SearchState,
  response: SearchResponse,
): Promise<readonly string[] | undefined> {
  const { site, rules, arrival } = view;
  const { site: only, language, type } = state;
  const { kinds } = response;
  const isFiltered = only !== '' || language !== '' || type !== '';
  if (!kinds?.includes('feed') || kinds.includes('news') || isFiltered || !site.details) return kinds;
  const words = contentWords(meantQuery(view, state, response)).map((word) => `+${word}`);
  if (words.length === 0) return kinds;
  const asked = { query: `${words.join(' ')} kind:feed`, offset: 0, limit: 1, asTyped: true, ...arrival };
  const { total } = await site.searcher.search({ ...asked, ...(rules.length > 0 && { siteRules: rules }) });
  return total > 0 ? [...kinds, 'news'] : kinds;
}

function urlsOf({ results }: SearchResponse): string[] {
  return results.map(({ url }) => url);
}

function mapped<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
