/** Serves the page of results. */

import type { FastifyInstance } from 'fastify';
import type { Answer } from '../../answer/mod.ts';
import type { SearchResponse } from '../../query/mod.ts';
import { readBang } from '../../url/mod.ts';
import { renderBeside } from '../answers/mod.ts';
import { type Html, html } from '../html.ts';
import { codingOf, compressPage, contentPolicy, type QueryParameters, sendCoded } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { renderNote } from '../messages/mod.ts';
import { renderBang, renderStart } from '../pages/mod.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { plain } from '../shown-text.ts';
import { renderFilters, renderTabs } from './filters-view.ts';
import { imageFacets, imagesOf, renderImages } from './image-results.ts';
import { nothingFound } from './nothing-found.ts';
import { PageCache, pageKey, pagesVersion } from './page-cache.ts';
import { renderPages } from './page-numbers.ts';
import { renderPassage } from './passage-view.ts';
import { findRelated, renderRelated } from './related-searches.ts';
import { renderRuleForm } from './result-menu.ts';
import { renderResult } from './result-view.ts';
import { readNewRule, renderNewRule } from './rule-note.ts';
import { followLink } from '../standing/mod.ts';
import {
  engineQuery,
  filterCount,
  maxPage,
  readSearch,
  type SearchState,
  searchAddress,
  typedQuery,
} from './search-state.ts';
import { meantQuery, requestOf, searchTab, type TabAnswer } from './tab-results.ts';

/**
 * The content security policy of pages that load pictures from other sites. All pages of results have this
 * policy, because a script may add results with pictures without loading a new page.
 */
const POLICY_WITH_PICTURES = contentPolicy('https:', 'http:');

export function searchRoutes(server: FastifyInstance, site: ServerContext): void {
  const pages = new PageCache(site.pageCacheBytes, site.clock);
  server.get<{ Querystring: QueryParameters }>('/search', async (request, reply) => {
    if (site.showsPictures) reply.header('content-security-policy', POLICY_WITH_PICTURES);
    reply.type('text/html; charset=utf-8').header('vary', 'accept-language, cookie, accept-encoding');
    const view = viewOf(site, request);
    const state = readSearch(request.query, view.preferences.pageSize);
    if (state.query === '') return renderStart(view);
    const bang = readBang(state.query, site.elsewhere);
    if (bang) return renderBang(view, bang.engine, bang.query);
    const version = pagesVersion(site);
    const coding = codingOf(request);
    const key = `${coding} ${pageKey(view, state)}`;
    const newRule = readNewRule(view, request.query.ruled);
    const known = newRule ? null : pages.find(version, key);
    if (known) {
      if (known.counted !== null) site.searcher.note?.(known.counted);
      return sendCoded(reply, known.bytes, coding);
    }
    const { query } = state;
    const computed = site.answerer?.computed(query, view.words.tag) ?? [];
    // A query with a computed answer is correct as typed, so it is not corrected.
    const asked = computed.length > 0 ? { ...state, asTyped: true } : state;
    const [answer, related] = await Promise.all([searchTab(view, asked), findRelated(view, state)]);
    const { response, isComplete } = answer;
    const main = renderResults(view, state, { ...answer, computed, related, newRule });
    const title = titleOf(view, state);
    const parts = { title, query, main, wide: true, links: feedLinks(state) };
    const bytes = compressPage(Buffer.from(renderPage(view, parts)), coding);
    const isLasting = isComplete && computed.every(({ kind }) => kind !== 'time');
    if (response.total > 0 && !response.partial && isLasting && !newRule)
      pages.keep(version, key, { bytes, counted: countedQuery(view, asked, response) });
    return sendCoded(reply, bytes, coding);
  });
}

/**
 * Returns the query to add to the counts of popular queries; null if it is not counted. The rule is the same as
 * in the searcher: only the first page counts, and only if the query had results without being corrected.
 */
function countedQuery(view: View, asked: SearchState, { spelling }: SearchResponse): string | null {
  const isCounted = asked.page === 1 && !asked.asTyped && !spelling?.automatic;
  return isCounted ? requestOf(view, asked).query : null;
}

/**
 * Returns the title of the page. Titles of later pages contain the page number, to distinguish them in
 * browser tabs and in the history.
 */
function titleOf({ words }: View, { query, page }: SearchState): string {
  return page === 1 ? query : words.text('results.onPage', { summary: query, page });
}

/** Renders links in the head, by which feed readers find the feeds of this list of results. */
function feedLinks(state: SearchState): Html {
  const feed = (format: string) => searchAddress(state).replace('/search', `/search.${format}`);
  return html`<link rel="alternate" type="application/atom+xml" title="Atom" href="${feed('atom')}">
<link rel="alternate" type="application/rss+xml" title="RSS" href="${feed('rss')}">
`;
}

interface PageContent extends TabAnswer {
  computed: readonly Answer[];
  related: readonly string[];
  newRule: ReturnType<typeof readNewRule>;
}

function renderResults(view: View, state: SearchState, content: PageContent): Html {
  const { words } = view;
  const { response, computed, related, newRule } = content;
  const isBeside = state.page === 1 && state.tab === 'all';
  const isAnswered = isBeside && computed.length > 0 && filterCount(state) === 0;
  return html`<h1 class="unseen">${words.text('results.title', { query: plain(state.query) })}</h1>
<div class="narrowing">${renderTabs(view, state)}</div>
${renderFilters(view, state, countedFor(state, response))}
${newRule ? renderNewRule(view, newRule, searchAddress(state, { page: state.page })) : null}
${response.notes.map((note) => renderNote(note, words))}
${response.partial ? html`<p class="note">${words.text('results.partial')}</p>` : null}
${hiddenNote(view, response)}${spelling(view, state, response)}
${isBeside ? renderBeside(view, meantQuery(view, state, response), computed) : null}
${isBeside && response.passage && computed.length === 0 ? renderPassage(view, response.passage) : null}${listOrNothing(view, state, content, isAnswered)}
${response.results.length > 0 ? renderRelated(view, state, related) : null}
${followLink(view, engineQuery({ ...state, period: '' }, view.site.clock.now()))}`;
}

/**
 * Renders the results, or advice if there are none. A query with a computed answer gets no advice, unless a tab
 * or a filter is active: the advice is then to remove the tab or filter.
 */
function listOrNothing(view: View, state: SearchState, answer: TabAnswer, isAnswered: boolean): Html {
  const { response } = answer;
  if (state.tab === 'images') return pictureList(view, state, response);
  if (response.results.length > 0) return resultList(view, state, answer);
  if (isAnswered && response.total === 0)
    return html`<p class="summary" role="status">${view.words.text('nothing.answered')}</p>`;
  return nothingFound(view, state, response);
}

/** The filters of the Images tab count pictures, those of other tabs count pages. */
function countedFor({ tab }: SearchState, response: SearchResponse): SearchResponse {
  if (tab !== 'images') return response;
  const images = imagesOf(response);
  return { ...response, total: images.length, facets: imageFacets(images) };
}

function pictureList(view: View, state: SearchState, response: SearchResponse): Html {
  const images = imagesOf(response);
  if (images.length > 0) return renderImages(view, state, images);
  return html`${nothingFound(view, state, { ...response, total: 0 })}
<p>${view.words.text('images.none')}</p>`;
}

function resultList(view: View, state: SearchState, { response, details }: TabAnswer): Html {
  const { words, preferences } = view;
  const { pageSize, rules } = preferences;
  const pageCount = Math.min(Math.ceil(response.total / pageSize), maxPage(pageSize));
  // The links to the explanation of a result and to its copy must have the query that found the result.
  const found = { ...state, query: meantQuery(view, state, response) };
  const ruled = rules.length > 0 && html` · <a href="/preferences#rules">${words.text('results.ruled')}</a>`;
  return html`<p class="summary" role="status">${summary(view, state.page, response)}${ruled}</p>
<ol class="results" role="list" start="${(state.page - 1) * pageSize + 1}">
${response.results.map((result) => renderResult(view, found, result, details.get(result.url)))}</ol>
${renderRuleForm(searchAddress(state, { page: state.page }))}
${renderPages(state, pageCount, words)}`;
}

function summary({ words }: View, page: number, response: SearchResponse): string {
  const key = response.partial ? 'results.atLeast' : 'results.count';
  const found = words.text(key, { count: response.total, time: words.duration(response.tookMs) });
  return page > 1 ? words.text('results.onPage', { summary: found, page }) : found;
}

/** Renders the note that says how many results the family filter hides. */
function hiddenNote({ words }: View, { familyHidden = 0 }: SearchResponse): Html | null {
  if (familyHidden === 0) return null;
  const preferences = html`<a href="/preferences">${words.text('foot.preferences')}</a>`;
  return html`<p class="note">${words.markup('family.hidden', { count: familyHidden, preferences })}</p>
`;
}

/** Renders "Did you mean", or the applied correction with a link to the query as typed. */
function spelling(
  { site, words }: View,
  state: SearchState,
  { spelling: found }: SearchResponse,
): Html | null {
  if (!found) return null;
  const meant = typedQuery(found.query, state, site.clock.now());
  const linkTo = (change: Partial<SearchState>, query: string) =>
    html`<a href="${searchAddress(state, change)}"><b dir="auto">${query}</b></a>`;
  if (!found.automatic) {
    return html`<p class="spelling">${words.markup('spelling.maybe', { query: linkTo({ query: meant }, meant) })}</p>`;
  }
  return html`<p class="spelling">${words.markup('spelling.shown', { query: html`<b dir="auto">${meant}</b>` })}
${words.markup('spelling.asTyped', { query: linkTo({ asTyped: true }, state.query) })}</p>`;
}
