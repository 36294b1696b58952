/** The page of results. */
import type { FastifyInstance } from 'fastify';
import type { SearchResponse } from '../query/mod.ts';
import { formatCount, formatNumber, formatTook } from './figures.ts';
import { type Html, html } from './html.ts';
import { renderPage } from './layout.ts';
import { renderPages } from './page-numbers.ts';
import { renderResult } from './result-view.ts';
import { type Advice, searchAdvice } from './search-advice.ts';
import {
  LISTING,
  MAX_PAGE,
  PAGE_SIZE,
  type QueryParameters,
  readPage,
  readQuery,
  readSpelling,
} from './search-input.ts';
import { indexStats, type Site } from './site.ts';
import { renderStart } from './start-page.ts';

export function searchRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/search', async (request, reply) => {
    reply.type('text/html; charset=utf-8');
    const query = readQuery(request.query);
    if (query === '') return renderStart(site);
    const page = readPage(request.query);
    const range = { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
    const how = { ...range, ...LISTING, ...readSpelling(request.query) };
    const response = await site.searcher.search({ query, ...how });
    const docCount = indexStats(site)?.docCount ?? 0;
    return renderPage(site, { title: query, query, main: renderResults(query, page, response, docCount) });
  });
}

function renderResults(query: string, page: number, response: SearchResponse, docCount: number): Html {
  const notes = response.partial
    ? [...response.notes, 'Part of the index did not answer in time: there may be more than is shown.']
    : response.notes;
  return html`<h1 class="unseen">Results for ${query}</h1>
${notes.map((note) => html`<p class="note" dir="auto">${note}</p>`)}
${renderSpelling(query, response)}
${response.results.length > 0 ? resultList(query, page, response) : nothingFound(query, page, response, docCount)}`;
}

/** "Did you mean", or what was done about it already, with the way back. */
function renderSpelling(query: string, { spelling }: SearchResponse): Html | null {
  if (!spelling) return null;
  const address = `/search?q=${encodeURIComponent(spelling.automatic ? query : spelling.query)}`;
  if (!spelling.automatic)
    return html`<p class="note">Did you mean <a href="${address}" dir="auto">${spelling.query}</a>?</p>`;
  return html`<p class="note">Nothing was found; these are results for <b dir="auto">${spelling.query}</b>.
Search for <a href="${address}&spelling=off" dir="auto">${query}</a> as typed.</p>`;
}

function resultList(query: string, page: number, response: SearchResponse): Html {
  const pageCount = Math.min(Math.ceil(response.total / PAGE_SIZE), MAX_PAGE);
  return html`<p class="summary">${summary(page, response)}</p>
<ol class="results" role="list" start="${(page - 1) * PAGE_SIZE + 1}">
${response.results.map(renderResult)}</ol>
${renderPages(query, page, pageCount)}`;
}

function summary(page: number, response: SearchResponse): string {
  const found = formatCount(response.total, 'result');
  const count = response.partial ? `At least ${found}` : found;
  return `${count} in ${formatTook(response.tookMs)}${page > 1 ? `, page ${formatNumber(page)}` : ''}`;
}

function nothingFound(query: string, page: number, response: SearchResponse, docCount: number): Html {
  if (page > 1 && response.total > 0) {
    return html`<section class="notice"><h2>The list ends before page ${page}</h2>
<p>There are ${formatCount(response.total, 'result')}.
<a href="/search?q=${encodeURIComponent(query)}">Go to the first page</a></p></section>`;
  }
  return html`<section class="notice"><h2>Nothing was found</h2>
<ul>
${searchAdvice(query, docCount).map(renderAdvice)}
</ul></section>`;
}

function renderAdvice({ text, query }: Advice): Html {
  if (query === undefined) return html`<li>${text}</li>`;
  return html`<li>${text}: <a href="/search?q=${encodeURIComponent(query)}" dir="auto">${query}</a></li>`;
}
