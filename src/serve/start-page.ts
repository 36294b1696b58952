/** The start page: the name, the box, and how much there is to find. */
import type { FastifyInstance } from 'fastify';
import { formatCount } from './figures.ts';
import { type Html, html } from './html.ts';
import { renderDocument, searchForm, spiral } from './layout.ts';
import { indexStats, type Site } from './site.ts';

export function startRoutes(server: FastifyInstance, site: Site): void {
  server.get('/', (_request, reply) => reply.type('text/html; charset=utf-8').send(renderStart(site)));
}

export function renderStart(site: Site): string {
  return renderDocument(
    site,
    { title: '', listed: true },
    html`<main class="start">
<h1 class="brand">${spiral()}<span>Gyre</span></h1>
${searchForm('', true)}
${invitation(indexStats(site)?.docCount ?? 0)}
</main>`,
  );
}

function invitation(docCount: number): Html {
  if (docCount === 0) {
    return html`<p class="hint">Nothing is indexed yet. Pages can be found here a few seconds after they are fetched.</p>`;
  }
  return html`<p class="hint">Search ${formatCount(docCount, 'page')}. Put <kbd>"quotes"</kbd> around an exact phrase,
a <kbd>-</kbd> before a word to leave out, <kbd>site:example.org</kbd> to stay on one site.</p>`;
}
