/**
 * Serves feeds of results, by which people subscribe to new results: /search.atom (RFC 4287) and /search.rss
 * (RSS 2.0), with the same parameters as /search, including tabs and filters, and the same rules for sites. The
 * time of an entry is the time at which the page was fetched.
 */

import type { FastifyInstance } from 'fastify';
import type { SearchResponse, SearchResult } from '../../query/mod.ts';
import { ATOM_TYPE, feedText, renderAtom } from '../atom-feed.ts';
import { requestOriginOf } from '../guards/mod.ts';
import { html } from '../html.ts';
import { noQuery, type QueryParameters, sendTagged, varyBy } from '../http/mod.ts';
import { viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { readSearch, type SearchState, searchAddress } from './search-state.ts';
import { searchTab } from './tab-results.ts';

const LISTED = 20;

export function feedRoutes(server: FastifyInstance, site: ServerContext): void {
  route('/search.atom', ATOM_TYPE, atomOf);
  route('/search.rss', 'application/rss+xml; charset=utf-8', renderRss);

  function route(path: string, type: string, render: (feed: Feed) => string): void {
    server.get<{ Querystring: QueryParameters }>(path, async (request, reply) => {
      const state = readSearch(request.query, LISTED);
      if (state.query === '') throw noQuery();
      const view = viewOf(site, request);
      const asked = { ...view, preferences: { ...view.preferences, pageSize: LISTED } };
      const { response } = await searchTab(asked, { ...state, page: 1 });
      const feed = render(
        feedOf(state, response, { name: site.brand.name, origin: requestOriginOf(site, request), path }),
      );
      return sendTagged(request, varyBy(reply, 'accept-language, cookie').type(type), feed);
    });
  }
}

interface Feed {
  title: string;
  /** The name of the engine. */
  author: string;
  /** The URL of the list of results as a page, and the URL of this feed. */
  pageUrl: string;
  feedUrl: string;
  updatedAt: string;
  results: SearchResult[];
}

/** Makes the feed of a list of results, from newest to oldest, as feed readers expect. */
function feedOf(
  state: SearchState,
  { results }: SearchResponse,
  { name, origin, path }: { name: string; origin: string; path: string },
): Feed {
  const sorted = results
    .map((result) => ({ ...result, title: feedText(result.title), snippet: feedText(result.snippet) }))
    .sort((a, b) => (a.fetchedAt < b.fetchedAt ? 1 : -1));
  const address = searchAddress(state);
  return {
    title: `${feedText(state.query)} · ${name}`,
    author: name,
    pageUrl: `${origin}${address}`,
    feedUrl: `${origin}${address.replace('/search', path)}`,
    updatedAt: sorted[0]?.fetchedAt ?? new Date(0).toISOString(),
    results: sorted,
  };
}

function atomOf({ pageUrl, results, ...feed }: Feed): string {
  const entries = results.map(({ url, title, snippet, fetchedAt, date }) => ({
    ...{ id: url, url, title, summary: snippet, updatedAt: fetchedAt },
    ...(date !== undefined && { publishedAt: `${date}T00:00:00Z` }),
  }));
  return renderAtom({ id: pageUrl, pageUrl, ...feed, entries });
}

function renderRss({ title, pageUrl, feedUrl, updatedAt, results }: Feed): string {
  return String(html`<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${title}</title>
<description>${title}</description>
<link>${pageUrl}</link>
<atom:link rel="self" type="application/rss+xml" href="${feedUrl}"/>
<lastBuildDate>${new Date(updatedAt).toUTCString()}</lastBuildDate>
${results.map(
  ({ url, title: name, snippet, fetchedAt, date }) => html`<item>
<title>${name || url}</title>
<link>${url}</link>
<guid isPermaLink="true">${url}</guid>
<pubDate>${new Date(date ?? fetchedAt).toUTCString()}</pubDate>
<description>${snippet}</description>
</item>
`,
)}</channel>
</rss>
`);
}
