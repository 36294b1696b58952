/** Serves the start page: the name, the search box, and the number of indexed pages. */
import type { FastifyInstance } from 'fastify';
import { brandMark } from '../brand.ts';
import { type Html, html } from '../html.ts';
import { renderDocument, searchForm, settingsLink } from '../layout.ts';
import { type View, viewOf } from '../request-context.ts';
import { indexStats, type ServerContext } from '../server-context.ts';

export function startRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get('/', (request, reply) =>
    reply.type('text/html; charset=utf-8').send(renderStart(viewOf(site, request))),
  );
}

export function renderStart(view: View): string {
  return renderDocument(
    view,
    { title: '', listed: true },
    html`<header class="corner">${settingsLink(view)}</header>
<main class="start">
<h1 class="brand">${brandMark(view.site)}<span>${view.site.brand.name}</span></h1>
${searchForm(view, '', { focused: true })}
${invitation(view)}
</main>`,
  );
}

function invitation({ site, words }: View): Html {
  const count = indexStats(site)?.docCount ?? 0;
  if (count === 0) return html`<p class="hint">${words.text('start.empty')}</p>`;
  if (site.brand.startText !== '') return html`<p class="hint" dir="auto">${site.brand.startText}</p>`;
  const hint = words.markup('start.hint', {
    count,
    quotes: html`<kbd dir="ltr">"…"</kbd>`,
    minus: html`<kbd>-</kbd>`,
    site: html`<kbd dir="ltr">site:example.org</kbd>`,
  });
  return html`<p class="hint">${hint}</p>`;
}
