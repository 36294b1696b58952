/** Serves `/admin/seeds`: the URLs at which the crawl begins. */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../../html.ts';
import type { ServerContext } from '../../server-context.ts';
import { type Session, sessionOf } from '../../sign-in/mod.ts';
import { formRoute } from '../form-action.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import { effectNote } from './effect-note.ts';
import type { CrawlDesk, ShownSeed } from './dashboard.ts';
import { grouped } from './numbers.ts';

const PAGE = '/admin/seeds';

export function seedsRoutes(server: FastifyInstance, site: ServerContext, crawl: CrawlDesk): void {
  server.get(PAGE, (request, reply) => {
    const session = sessionOf(request);
    const seeds = crawl.seeds();
    const main = html`${effectNote(crawl)}
${session.role === 'operator' ? addForm(session) : null}
<section class="card" aria-labelledby="seeds"><h2 id="seeds">${grouped(seeds.length)} ${seeds.length === 1 ? 'seed' : 'seeds'}</h2>
${seeds.length === 0 ? html`<p>The crawl has no seed. Add one above.</p>` : seedTable(seeds, session)}</section>`;
    return sendPage(site, request, reply, { title: 'Seeds', main });
  });
  formRoute(server, `${PAGE}/add`, PAGE, ({ seeds = '' }, who) => crawl.addSeeds(seeds, who));
  formRoute(server, `${PAGE}/remove`, PAGE, ({ url = '' }, who) => crawl.removeSeed(url, who));
}

function addForm(session: Session): Html {
  return html`<section class="card" aria-labelledby="add"><h2 id="add">Add seeds</h2>
<form method="post" action="/admin/seeds/add">${hiddenSecret(session)}
<label for="new-seeds">One URL per line. <code>collection=NAME</code> after a URL puts its pages into a collection.</label>
<textarea id="new-seeds" name="seeds" rows="3" required autocapitalize="none" spellcheck="false" placeholder="https://example.org/"></textarea>
<p><button class="primary">Add</button></p></form></section>`;
}

function seedTable(seeds: readonly ShownSeed[], session: Session): Html {
  const mayChange = session.role === 'operator';
  return html`<table><caption class="unseen">Seeds</caption>
<thead><tr><th scope="col">URL</th><th scope="col">Collections</th>${mayChange ? html`<th scope="col">Action</th>` : null}</tr></thead>
<tbody>${seeds.map(
    ({ url, collections }) =>
      html`<tr><th scope="row"><a href="${url}" rel="noreferrer">${url}</a></th><td>${
        collections.length === 0 ? '–' : collections.join(', ')
      }</td>${mayChange ? html`<td>${removeForm(url, session)}</td>` : null}</tr>`,
  )}</tbody></table>`;
}

function removeForm(url: string, session: Session): Html {
  return html`<form method="post" action="/admin/seeds/remove">${hiddenSecret(session)}<input type="hidden" name="url" value="${url}">
<button class="danger" aria-label="Remove the seed ${url}">Remove</button></form>`;
}
