/**
 * The list behind each tab, and what its results show besides.
 *
 *   All, Documents   the best first
 *   Products         the best first, with price, shop and availability
 *   News             the newest first, with the paper: articles that say so, and those that crawled feeds announce
 *
 * By date a page with one word of many would stand before a better one, so that news have all words that tell
 * something; any of them will do if there is no such page.
 */
import type { AnnouncedArticle, Details, Offer } from '../answer/mod.ts';
import { type Announced, type SearchRequest, type SearchResponse, tellingWords } from '../query/mod.ts';
import type { CanonicalUrl } from '../url/mod.ts';
import { LISTING } from './search-input.ts';
import { engineQuery, requiredQuery, type SearchState, typedQuery } from './search-state.ts';
import type { View } from './view.ts';

/** What a result shows besides. */
export interface ResultDetail {
  /** Who reports it. */
  paper?: string;
  offer?: Offer;
}

export interface TabAnswer {
  response: SearchResponse;
  /** Of the list without the tab; absent where nobody knows. */
  kinds: readonly string[] | undefined;
  /** By the addresses of results. */
  details: ReadonlyMap<string, ResultDetail>;
  /** There was time for all details. */
  isWhole: boolean;
}

const DAY_MS = 86_400_000;
const NOTHING = { found: new Map<string, never>(), isWhole: true };

export async function searchTab(view: View, state: SearchState): Promise<TabAnswer> {
  const [listed, kinds] = await Promise.all([listOf(view, state), kindsBeside(view, state)]);
  const shownKinds = kinds ?? (await withAnnouncedNews(view, state, listed.response));
  return { ...listed, kinds: shownKinds };
}

/** The same list for whoever shows no details. */
export function requestOf(view: View, state: SearchState): SearchRequest {
  const { site, preferences, rules } = view;
  const { pageSize } = preferences;
  return {
    query: engineQuery(state, site.clock.now()),
    offset: (state.page - 1) * pageSize,
    limit: pageSize,
    ...LISTING,
    ...(rules.length > 0 && { siteRules: rules }),
    ...(state.asTyped && { asTyped: true }),
  };
}

/** Without what the other tabs have. */
export function listOf(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  if (state.tab === 'news') return newsOf(view, state);
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

/** Feeds are asked by the words alone, so that what was corrected on the way is asked for once more as it was meant. */
async function newsOf(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  const asTyped = await newsFor(view, state);
  const isFound = asTyped.response.total > 0;
  const query = isFound ? meantQuery(view, state, asTyped.response) : await meantAmongAll(view, state);
  if (query === state.query) return asTyped;
  const news = await newsFor(view, { ...state, query, asTyped: true });
  if (news.response.total === 0) return asTyped;
  return { ...news, response: { ...news.response, spelling: { query, automatic: true } } };
}

async function meantAmongAll(view: View, state: SearchState): Promise<string> {
  const all = amongAll(state);
  return meantQuery(view, all, await view.site.searcher.search(requestOf(view, all)));
}

/** What the answer is about: the query, or the spelling that was put in its place. */
export function meantQuery({ site }: View, state: SearchState, { spelling }: SearchResponse): string {
  return spelling?.automatic ? typedQuery(spelling.query, state, site.clock.now()) : state.query;
}

async function newsFor(view: View, state: SearchState): Promise<Omit<TabAnswer, 'kinds'>> {
  const { site, rules } = view;
  const feeds: Details<AnnouncedArticle> =
    (await site.details?.announced(state.query, { siteRules: rules })) ?? NOTHING;
  const response = await searchNews(view, state, announcedBy(feeds.found));
  const papers = (await site.details?.papers(urlsOf(response))) ?? NOTHING;
  const details = new Map([
    ...mapped(feeds.found, ({ paper }) => ({ paper })),
    ...mapped(papers.found, (paper) => ({ paper })),
  ]);
  return { response, details, isWhole: feeds.isWhole && papers.isWhole };
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
 * What other tabs would show: the answer behind a tab knows only its own kind. The searcher has just come from the list
 * that is asked for here, so it is mostly remembered. Undefined on that list itself.
 */
async function kindsBeside(view: View, state: SearchState): Promise<readonly string[] | undefined> {
  if (state.tab === 'all') return undefined;
  const all = amongAll(state);
  return withAnnouncedNews(view, all, await view.site.searcher.search(requestOf(view, all)));
}

function amongAll(state: SearchState): SearchState {
  return { ...state, tab: 'all', page: 1 };
}

/** There are news, too, if a feed has all the words, as it announces pages. */
async function withAnnouncedNews(
  view: View,
  state: SearchState,
  response: SearchResponse,
): Promise<readonly string[] | undefined> {
  const { site, rules } = view;
  const { site: only, language, type } = state;
  const { kinds } = response;
  const isFiltered = only !== '' || language !== '' || type !== '';
  if (!kinds?.includes('feed') || kinds.includes('news') || isFiltered || !site.details) return kinds;
  const words = tellingWords(meantQuery(view, state, response)).map((word) => `+${word}`);
  if (words.length === 0) return kinds;
  const asked = { query: `${words.join(' ')} kind:feed`, offset: 0, limit: 1, asTyped: true };
  const { total } = await site.searcher.search({ ...asked, ...(rules.length > 0 && { siteRules: rules }) });
  return total > 0 ? [...kinds, 'news'] : kinds;
}

function urlsOf({ results }: SearchResponse): string[] {
  return results.map(({ url }) => url);
}

function mapped<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
