/**
 * Searches for the results of each tab, and collects the details that they show.
 *
 *   All              sorted by score; below an entry page that the query names, its most linked pages
 *   Images           the pictures of the best pages (image-results.ts)
 *   Documents        sorted by score
 *   Products         sorted by score, with price, shop and availability
 *   News             newest first, with the publisher: pages marked as articles, and pages that crawled feeds announce
 *
 * In a list sorted by date, a page with only one of many query words could precede a better page. Therefore the
 * News tab, and any tab with `sort=date`, requires all words except function words; if no page has all of them,
 * one of them is enough.
 */

import {
  type AnnouncedArticle,
  type Details,
  isNamedEntry,
  type Offer,
  readSection,
  type SectionPage,
} from '../../answer/mod.ts';
import { DAY_MS } from '../../base/mod.ts';
import { mayBeMisspelled, type SearchRequest, type SearchResponse } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { LISTING } from '../http/mod.ts';
import type { View } from '../request-context.ts';
import { IMAGE_PAGES } from './image-results.ts';
import { engineQuery, filterCount, requiredQuery, type SearchState, typedQuery } from './search-state.ts';

export interface ResultDetail {
  /** The name of the publisher of a news article. */
  paper?: string;
  offer?: Offer;
  /** The most linked pages of the site or section whose entry page the result is. */
  sitelinks?: readonly SectionPage[];
}

export interface TabAnswer {
  response: SearchResponse;
  /** The details by the URL of the result. */
  details: ReadonlyMap<string, ResultDetail>;
  /** True if there was time to read all details. */
  isComplete: boolean;
}

const MIN_SITELINKS = 2;
const NOTHING = { found: new Map<string, never>(), isComplete: true };

/** Returns the search request for one page of results, sorted by score and without details. */
export function requestOf(view: View, state: SearchState): SearchRequest {
  const { site, preferences, language, arrival } = view;
  const { pageSize } = preferences;
  return {
    query: engineQuery(state, site.clock.now()),
    offset: (state.page - 1) * pageSize,
    limit: pageSize,
    ...LISTING,
    ...searcherRules(view),
    ...(language !== '' && { preferredLanguage: language }),
    ...(state.asTyped && { asTyped: true }),
    ...arrival,
  };
}

function searcherRules({ rules, family }: View): Pick<SearchRequest, 'siteRules' | 'family'> {
  return { ...(rules.length > 0 && { siteRules: rules }), ...(family && { family }) };
}

export function searchTab(view: View, state: SearchState): Promise<TabAnswer> {
  if (state.tab === 'news') return newsOf(view, state);
  if (state.tab === 'products') return productsOf(view, state);
  if (state.tab === 'images') return picturesOf(view, state);
  return state.tab === 'all' ? withSitelinks(view, state) : plainList(view, state);
}

/**
 * Searches for the results of the All tab. If the query names the entry page that comes first, one more
 * search finds its sitelinks.
 */
async function withSitelinks(view: View, state: SearchState): Promise<TabAnswer> {
  const listed = await plainList(view, state, true);
  const [first] = listed.response.results;
  const isPlainList = state.page === 1 && state.sort === '' && filterCount(state) === 0;
  if (!isPlainList || !first || !isNamedEntry(meantQuery(view, state, listed.response), first)) return listed;
  const { site, arrival } = view;
  const { pages } = await readSection(site.searcher, first, { ...arrival, ...searcherRules(view) });
  return pages.length < MIN_SITELINKS
    ? listed
    : { ...listed, details: new Map([[first.url, { sitelinks: pages }]]) };
}

/** `isAsked` is true if a passage may answer the query. */
async function plainList(view: View, state: SearchState, isAsked = false): Promise<TabAnswer> {
  const passage = isAsked && state.page === 1 && filterCount(state) === 0 && { passage: true as const };
  const response = await (state.sort === 'date'
    ? searchNewest(view, state, NOTHING)
    : view.site.searcher.search({ ...requestOf(view, state), ...passage }));
  return { response, details: new Map(), isComplete: true };
}

/** Returns all pages with pictures at once; the page of results shows a part of their pictures. */
async function picturesOf(view: View, state: SearchState): Promise<TabAnswer> {
  const request = { ...requestOf(view, { ...state, page: 1 }), limit: IMAGE_PAGES, images: true as const };
  const { perHost: _, ...unlimited } = request;
  return { response: await view.site.searcher.search(unlimited), details: new Map(), isComplete: true };
}

async function productsOf(view: View, state: SearchState): Promise<TabAnswer> {
  const { response } = await plainList(view, state);
  const { found, isComplete } = (await view.site.details?.offers(urlsOf(response))) ?? NOTHING;
  return { response, details: mapped(found, (offer) => ({ offer })), isComplete };
}

/**
 * Searches for news: first in feeds, then for articles that have all words. These two searches are enough if
 * articles are found and no word is so rare that it may be misspelled. Otherwise the query is also searched as
 * in the All tab (this response is usually cached), to find out whether it is corrected.
 */
async function newsOf(view: View, state: SearchState): Promise<TabAnswer> {
  const { searcher, clock } = view.site;
  const feeds = await feedsOf(view, state);
  const strict = await searcher.search({
    ...newestRequest(view, { ...state, asTyped: true }, feeds),
    query: requiredQuery(state, clock.now()),
  });
  const isMeant = state.asTyped || (strict.evidence && !mayBeMisspelled(strict.evidence));
  if (strict.total > 0 && isMeant) {
    if (!state.asTyped && state.page === 1) searcher.note?.(state.query);
    return withPapers(view, feeds, strict);
  }
  const query = state.asTyped ? state.query : await correctedQuery(view, state);
  return query === state.query
    ? withPapers(view, feeds, await searchNewest(view, state, feeds))
    : correctedNews(view, state, query);
}

/** Returns the query that the All tab searches for, which may be corrected. */
async function correctedQuery(view: View, state: SearchState): Promise<string> {
  const all: SearchState = { ...state, tab: 'all', page: 1 };
  return meantQuery(view, all, await view.site.searcher.search(requestOf(view, all)));
}

async function correctedNews(view: View, state: SearchState, query: string): Promise<TabAnswer> {
  const asked = { ...state, query, asTyped: true };
  const feeds = await feedsOf(view, asked);
  const response = await searchNewest(view, asked, feeds);
  const spelling = { query, automatic: true };
  return withPapers(view, feeds, response.total > 0 ? { ...response, spelling } : response);
}

/** Returns the query that the response is for: the query as typed, or the correction that replaced it. */
export function meantQuery({ site }: View, state: SearchState, { spelling }: SearchResponse): string {
  return spelling?.automatic ? typedQuery(spelling.query, state, site.clock.now()) : state.query;
}

type Feeds = Details<AnnouncedArticle>;

async function feedsOf(view: View, { query }: SearchState): Promise<Feeds> {
  const { site, arrival } = view;
  return (await site.details?.announced(query, { ...searcherRules(view), ...arrival })) ?? NOTHING;
}

/** Adds the publishers of the results: the names that articles give, or the feeds that announce them. */
async function withPapers({ site }: View, feeds: Feeds, response: SearchResponse): Promise<TabAnswer> {
  const papers = (await site.details?.papers(urlsOf(response))) ?? NOTHING;
  const details = new Map([
    ...mapped(feeds.found, ({ paper }) => ({ paper })),
    ...mapped(papers.found, (paper) => ({ paper })),
  ]);
  return { response, details, isComplete: feeds.isComplete && papers.isComplete };
}

async function searchNewest(view: View, state: SearchState, feeds: Feeds): Promise<SearchResponse> {
  const { searcher, clock } = view.site;
  const request = newestRequest(view, state, feeds);
  const query = requiredQuery(state, clock.now());
  const strict = await searcher.search({ ...request, query });
  return strict.total > 0 || query === request.query ? strict : searcher.search(request);
}

function newestRequest(view: View, state: SearchState, { found }: Feeds): SearchRequest {
  const announced = [...found].map(([url, { publishedAt }]) => ({
    url: url as CanonicalUrl,
    day: Math.floor(publishedAt / DAY_MS),
  }));
  return { ...requestOf(view, state), order: 'newest', announced };
}

function urlsOf({ results }: SearchResponse): string[] {
  return results.map(({ url }) => url);
}

function mapped<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): Map<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
