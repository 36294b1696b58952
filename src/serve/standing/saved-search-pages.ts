/**
 * Serves the pages on which a searcher saves a search, if the operator allows it:
 *
 *   /standing                    the form
 *   /standing/own/SECRET         the saved search: its feeds, what it found, and the form that removes it
 *
 * There are no accounts: the person who knows the address of the page is the owner. The feeds have another secret in their
 * address, so they can be shared.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { type RateLimit, requestOriginOf } from '../guards/mod.ts';
import { type Html, html } from '../html.ts';
import { ownForm } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { feedAddressOf, noSavedSearch } from './standing-feeds.ts';
import type { FeedPage, StandingTools } from './standing-tools.ts';

type Own = { Params: { secret: string } };

/** Renders the link below results to the form that saves their query; null if searchers may not save queries. */
export function followLink({ site, words }: View, query: string): Html | null {
  if (!site.standing?.isOpen) return null;
  const address = `/standing?q=${encodeURIComponent(query)}`;
  return html`<p class="follow"><a href="${address}" rel="nofollow">${words.text('saved.follow')}</a></p>`;
}

/** `limit` counts the forms of a client. */
export function savedSearchRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: StandingTools,
  limit: RateLimit,
): void {
  server.get('/standing', (request, reply) => {
    const { q = '' } = request.query as { q?: string };
    return send(site, request, reply, formPage(viewOf(site, request), String(q), null));
  });
  server.post('/standing', (request, reply) => {
    const { q = '' } = ownForm(request);
    const refusal = limit.take(request, reply);
    if (refusal) throw refusal;
    try {
      return reply.redirect(`/standing/own/${tools.saveOwn(q)}`, 303);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return send(site, request, reply.code(400), formPage(viewOf(site, request), q, error.message));
    }
  });
  server.get<Own>('/standing/own/:secret', (request, reply) => {
    const found = tools.readOwn(request.params.secret);
    if (!found) throw noSavedSearch();
    const view = viewOf(site, request);
    const origin = requestOriginOf(site, request);
    return send(site, request, reply, ownPage(view, request.params.secret, origin, found));
  });
  server.post<Own>('/standing/own/:secret/remove', (request, reply) => {
    ownForm(request);
    tools.removeOwn(request.params.secret);
    const { words } = viewOf(site, request);
    const main = html`<p role="status"><strong>${words.text('saved.removed')}</strong></p>`;
    return send(site, request, reply, { title: words.text('saved.title'), main });
  });
}

interface Page {
  title: string;
  main: Html;
}

function send(
  site: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, main }: Page,
): FastifyReply {
  const article = html`<article class="prose"><h1>${title}</h1>
${main}</article>`;
  reply.header('cache-control', 'no-store').type('text/html; charset=utf-8');
  return reply.send(renderPage(viewOf(site, request), { title, query: '', main: article }));
}

function formPage({ words }: View, query: string, problem: string | null): Page {
  const main = html`${
    problem === null
      ? null
      : html`<p role="alert"><strong>${words.text('saved.refused')}</strong> <span lang="en" dir="ltr">${problem}</span></p>
`
  }<p>${words.text('saved.explain')}</p>
<form method="post" action="/standing" class="ask stacked">
<label for="saved-query">${words.text('saved.query')}</label>
<input id="saved-query" name="q" value="${query}" required dir="auto" autocapitalize="none" spellcheck="false" maxlength="1000">
<p><button>${words.text('saved.save')}</button></p></form>`;
  return { title: words.text('saved.title'), main };
}

function ownPage(
  { words }: View,
  secret: string,
  origin: string,
  { query, feed, pages }: { query: string; feed: string; pages: readonly FeedPage[] },
): Page {
  const feeds = (['atom', 'json'] as const).map((format) => {
    const address = `${origin}${feedAddressOf(feed, format)}`;
    return html`<li><a href="${address}" dir="ltr">${address}</a></li>\n`;
  });
  const main = html`<p><b dir="auto">${query}</b></p>
<p>${words.text('saved.keep')}</p>
<h2>${words.text('saved.feeds')}</h2>
<ul>
${feeds}</ul>
<h2>${words.text('saved.pages')}</h2>
${pages.length === 0 ? html`<p>${words.text('saved.none')}</p>` : html`<ul>${pages.map(itemOf)}</ul>`}
<form method="post" action="/standing/own/${secret}/remove"><p><button>${words.text('saved.remove')}</button></p></form>`;
  return { title: words.text('saved.yours'), main };

  function itemOf({ url, title, snippet, foundAt, change }: FeedPage): Html {
    const day = new Date(foundAt).toISOString().slice(0, 10);
    return html`<li><a href="${url}" dir="auto">${title || url}</a> (${words.text(`saved.${change}`)}, <time datetime="${day}">${day}</time>)<br><span dir="auto">${snippet}</span></li>
`;
  }
}
