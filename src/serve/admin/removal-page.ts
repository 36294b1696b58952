/**
 * Serves `/admin/removals`: the removed pages, and the forms that remove pages and allow them again. A removal is
 * confirmed on a page that shows how many pages it concerns.
 */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { type Html, html } from '../html.ts';
import type { AdminTools, ListedRemovals, RemovalPreview } from '../operations/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { type Session, sessionOf } from '../sign-in/mod.ts';
import type { SiteTools } from '../sites/mod.ts';
import { formRoute } from './form-action.ts';
import { hiddenSecret, sendPage } from './frame.ts';
import { day } from './shown.ts';

const PAGE = '/admin/removals';
const MAX_LISTED = 500;

/** `sites` has the requests of site owners; undefined if the server has no pages for them. */
export function removalRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: AdminTools,
  sites: SiteTools | undefined,
): void {
  server.get(PAGE, async (request, reply) => {
    const { target = '', purge = '' } = request.query as { target?: string; purge?: string };
    const session = sessionOf(request);
    const main =
      String(target).trim() === ''
        ? html`${await optOuts(sites, session)}${overview(await tools.listRemovals(), session)}`
        : await confirmation(tools, String(target).trim(), purge === 'on', session);
    return sendPage(site, request, reply, { title: 'Removals', main });
  });
  formRoute(server, `${PAGE}/remove`, PAGE, async ({ target = '', purge }, who) => {
    await tools.change({ action: 'remove', targets: [target], purge: purge === 'on', who });
    return `${target} is removed. Searches no longer find it within seconds.`;
  });
  if (sites)
    formRoute(server, `${PAGE}/opt-out`, PAGE, async ({ host = '', decision: chosen }, who) => {
      await sites.decideOptOut(host, chosen === 'remove', who);
      return chosen === 'remove' ? `${host} is removed.` : `The request for ${host} is dismissed.`;
    });
  formRoute(server, `${PAGE}/allow`, PAGE, async ({ target = '' }, who) => {
    await tools.change({ action: 'allow', targets: [target], purge: false, who });
    return `${target} is allowed again. The next crawl fetches it.`;
  });
}

async function optOuts(sites: SiteTools | undefined, session: Session): Promise<Html | null> {
  const waiting = (await sites?.listOptOuts()) ?? [];
  if (waiting.length === 0) return null;
  const rows = waiting.map(
    ({ host, reason, at }) => html`<tr><th scope="row">${host}</th><td>${reason}</td><td>${day(at)}</td>
<td>${session.role === 'operator' ? decision(host, session) : null}</td></tr>`,
  );
  return html`<section class="card" aria-labelledby="asked"><h2 id="asked">Requests of site owners</h2>
<p class="soft">They asked for the removal of a host without a proof that it is theirs.</p>
<div class="scroll roomy" tabindex="0" role="region" aria-label="Table of requests"><table><caption class="unseen">Requests to remove a host</caption>
<thead><tr><th scope="col">Host</th><th scope="col">Reason</th><th scope="col">Since</th><th scope="col">Decision</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}

function decision(host: string, session: Session): Html {
  return html`<form method="post" action="/admin/removals/opt-out">${hiddenSecret(session)}<input type="hidden" name="host" value="${host}">
<button class="danger" name="decision" value="remove" aria-label="Remove: ${host}">Remove</button>
<button name="decision" value="dismiss" aria-label="Dismiss: ${host}">Dismiss</button></form>`;
}

async function confirmation(
  tools: AdminTools,
  target: string,
  purge: boolean,
  session: Session,
): Promise<Html> {
  let preview: RemovalPreview;
  try {
    preview = await tools.previewRemoval([target]);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return html`<p class="alert" role="alert">${error.message}</p>${targetForm(target)}`;
  }
  const { documents, urls, examples, rules } = preview;
  return html`<section class="card" aria-labelledby="confirm"><h2 id="confirm">Remove ${target}?</h2>
<p><strong>${counted(documents, 'page')}</strong> would no longer be found, and <strong>${counted(urls, 'known URL')}</strong>
would not be crawled again until you allow it.</p>
${purge ? html`<p><strong>Purge:</strong> every byte of these pages is deleted from the archive and from all other files. This cannot be undone.</p>` : null}
${rules.length > 1 ? html`<p>Other URLs of the same document are removed too:</p>${listOf(rules.slice(1))}` : null}
${examples.length > 0 ? html`<p>Among these pages:</p>${listOf(examples)}` : null}
${
  session.role === 'operator'
    ? html`<form method="post" action="/admin/removals/remove" class="row">${hiddenSecret(session)}
<input type="hidden" name="target" value="${target}">${purge ? html`<input type="hidden" name="purge" value="on">` : null}
<button class="danger">${purge ? 'Remove and purge' : 'Remove'} ${counted(documents, 'page')}</button>
<a class="button" href="/admin/removals">Cancel</a></form>`
    : null
}</section>
${alternatives(target, purge)}`;
}

/** Links to the confirmation of larger targets: the folder, the host, and the same target with a purge. */
function alternatives(target: string, purge: boolean): Html | null {
  const url = URL.parse(target.replace(/\*$/, ''));
  const others = new Set<string>();
  if (url) {
    others.add(`${url.origin}${url.pathname}`);
    others.add(`${url.origin}${url.pathname.replace(/[^/]*$/, '')}*`);
    others.add(url.host);
  }
  others.delete(target);
  const option = (to: string, withPurge: boolean) =>
    html`<li><a href="/admin/removals?target=${encodeURIComponent(to)}${withPurge ? '&purge=on' : ''}">${to}${withPurge ? ', and delete every byte (purge)' : ''}</a></li>`;
  return html`<section class="card" aria-labelledby="instead"><h2 id="instead">Instead</h2>
<ul>${option(target, !purge)}${[...others].map((to) => option(to, purge))}</ul></section>`;
}

function overview({ removed, isSettled }: ListedRemovals, session: Session): Html {
  const shown = removed.slice(-MAX_LISTED).reverse();
  return html`${session.role === 'operator' ? targetForm('') : null}
<section class="card" aria-labelledby="removed"><h2 id="removed">Removed pages</h2>
${isSettled ? null : html`<p class="soft" role="status">The last change is still being carried out; searches reflect it within seconds.</p>`}
${
  shown.length === 0
    ? html`<p>Nothing is removed.</p>`
    : html`<div class="scroll roomy" tabindex="0" role="region" aria-label="Table of removed pages"><table><caption class="unseen">Removed pages, the newest first</caption>
<thead><tr><th scope="col">Target</th><th scope="col">Since</th><th scope="col">Purge</th><th scope="col">Action</th></tr></thead>
<tbody>${shown.map((each) => rowOf(each, session))}</tbody></table></div>`
}</section>`;
}

function targetForm(target: string): Html {
  return html`<form method="get" action="/admin/removals" class="card">
<div class="row"><label class="wide">URL, prefix or host <input name="target" required value="${target}" placeholder="https://example.org/private/*"></label></div>
<p class="soft">A prefix ends with a star. A host is a name such as <code>example.org</code>.</p>
<div class="row"><label class="beside"><input type="checkbox" name="purge" value="on"> Also delete every byte of the pages</label>
<button>Show what would be removed</button></div></form>`;
}

const PURGES = { no: 'no', pending: 'under way', done: 'done' } as const;

function rowOf(
  { target, removedAt, purge, because }: ListedRemovals['removed'][number],
  session: Session,
): Html {
  const allow = html`<form method="post" action="/admin/removals/allow">${hiddenSecret(session)}<input type="hidden" name="target" value="${target}">
<button aria-label="Allow again: ${target}">Allow again</button></form>`;
  return html`<tr><th scope="row">${target}${because === undefined ? null : html`<br><span class="soft">same document as ${because}</span>`}</th>
<td>${day(removedAt)}</td><td>${PURGES[purge]}</td><td>${session.role === 'operator' ? allow : null}</td></tr>`;
}

function listOf(items: readonly string[]): Html {
  return html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
