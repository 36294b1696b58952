/**
 * Serves the feeds of standing queries, /standing/SECRET.atom (RFC 4287) and /standing/SECRET.json (JSON Feed 1.1).
 * Anybody who knows the address may read them. An entry never changes its id; a page that changes is a new entry.
 */
import type { FastifyInstance } from 'fastify';
import { ATOM_TYPE, type AtomFeed, feedText, renderAtom } from '../atom-feed.ts';
import { problemInWords } from '../errors.ts';
import { requestOriginOf } from '../guards/mod.ts';
import { sendTagged } from '../http/mod.ts';
import type { ServerContext } from '../server-context.ts';
import type { StandingFeed, StandingTools } from './standing-tools.ts';

const FORMATS = {
  atom: { type: ATOM_TYPE, render: renderAtom },
  json: { type: 'application/feed+json; charset=utf-8', render: renderJson },
};

/** Returns the path of the feed of a format. */
export function feedAddressOf(secret: string, format: keyof typeof FORMATS): string {
  return `/standing/${secret}.${format}`;
}

export function standingFeedRoutes(server: FastifyInstance, site: ServerContext, tools: StandingTools): void {
  for (const format of ['atom', 'json'] as const) {
    const { type, render } = FORMATS[format];
    server.get<{ Params: { secret: string } }>(feedAddressOf(':secret', format), (request, reply) => {
      const { secret } = request.params;
      const found = tools.readFeed(secret);
      if (!found) throw noSavedSearch();
      const origin = requestOriginOf(site, request);
      const feedUrl = `${origin}${feedAddressOf(secret, format)}`;
      const feed = feedOf(found, { name: site.brand.name, origin, feedUrl });
      return sendTagged(request, reply.type(type).header('x-robots-tag', 'noindex'), render(feed));
    });
  }
}

export function noSavedSearch(): Error {
  return problemInWords(404, 'no-saved-search', 'detail.noSavedSearch');
}

function feedOf(
  { query, createdAt, pages }: StandingFeed,
  { name, origin, feedUrl }: { name: string; origin: string; feedUrl: string },
): AtomFeed {
  return {
    id: feedUrl,
    title: `${feedText(query)} · ${name}`,
    author: name,
    pageUrl: `${origin}/search?q=${encodeURIComponent(query)}`,
    feedUrl,
    updatedAt: new Date(pages[0]?.foundAt ?? createdAt).toISOString(),
    entries: pages.map(({ id, url, title, snippet, foundAt, change }) => ({
      ...{ id: `urn:uuid:${id}`, url, title: feedText(title), summary: feedText(snippet) },
      ...{ updatedAt: new Date(foundAt).toISOString(), category: change },
    })),
  };
}

function renderJson({ title, pageUrl, feedUrl, entries }: AtomFeed): string {
  const items = entries.map(({ id, url, title: name, summary, updatedAt, category }) => ({
    ...{ id, url, title: name || url, content_text: summary, date_published: updatedAt },
    tags: category === undefined ? [] : [category],
  }));
  const version = 'https://jsonfeed.org/version/1.1';
  return JSON.stringify({ version, title, home_page_url: pageUrl, feed_url: feedUrl, items });
}
