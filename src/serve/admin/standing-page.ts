/** Serves `/admin/standing`: the standing queries with their feeds and webhooks, and the forms that change them. */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { type Html, html } from '../html.ts';
import { type FormFields, ownForm } from '../http/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { type Session, sessionOf, whoOf } from '../sign-in/mod.ts';
import type { ListedQuery, QueryForm, StandingTools } from '../standing/mod.ts';
import { formRoute } from './form-action.ts';
import { hiddenSecret, sendPage } from './frame.ts';
import { day } from './shown.ts';

const PAGE = '/admin/standing';
const NO_FORM: QueryForm = { name: '', query: '', newOnly: false, webhook: '', secret: '' };

export function standingRoutes(server: FastifyInstance, site: ServerContext, tools: StandingTools): void {
  const title = 'Standing queries';
  server.get(PAGE, (request, reply) => {
    const { query = '' } = request.query as { query?: string };
    const form = { ...NO_FORM, query: String(query) };
    const main = page(tools, sessionOf(request), form, null);
    return sendPage(site, request, reply, { title, main });
  });
  server.post(`${PAGE}/add`, (request, reply) => {
    const form = formIn(ownForm(request));
    const session = sessionOf(request);
    let [shown, secret]: [QueryForm, string | null] = [NO_FORM, null];
    try {
      secret = tools.add(form, whoOf(request));
      session.notice = {
        kind: 'done',
        text: `The query ${form.name} is saved. Pages that are indexed from now on count.`,
      };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      session.notice = { kind: 'problem', text: error.message };
      shown = { ...form, secret: '' };
    }
    // The secret of the webhook is in the response itself, because no other page shows it.
    const main = page(tools, session, shown, secret);
    return sendPage(site, request, reply, { title, main });
  });
  formRoute(server, `${PAGE}/remove`, PAGE, ({ name = '' }, who) => {
    tools.remove(name, who);
    return `The query ${name} and its feeds are removed.`;
  });
  formRoute(server, `${PAGE}/test`, PAGE, async ({ name = '' }, who) => {
    const problem = await tools.test(name, who);
    if (problem === null) return `The webhook of ${name} accepted the test message.`;
    throw new UsageError(
      'webhook-failed',
      `The webhook of ${name} did not accept the test message: ${problem}.`,
    );
  });
  formRoute(server, `${PAGE}/retry`, PAGE, ({ name = '' }, who) => {
    const count = tools.resume(name, who);
    return `The webhook of ${name} is called again; ${count} parked ${count === 1 ? 'message waits' : 'messages wait'}.`;
  });
}

function formIn({ name = '', query = '', webhook = '', secret = '', newOnly }: FormFields): QueryForm {
  return { name, query, webhook, secret, newOnly: newOnly === 'on' };
}

function page(tools: StandingTools, session: Session, form: QueryForm, secret: string | null): Html {
  const queries = tools.list();
  const isOperator = session.role === 'operator';
  return html`${secret === null ? null : shownSecret(secret)}
${isOperator ? addForm(session, form) : null}
<section class="card" aria-labelledby="queries"><h2 id="queries">Queries</h2>
<p class="soft">Whoever knows the address of a feed can read it.</p>
${
  queries.length === 0
    ? html`<p>There are none.</p>`
    : html`<div class="scroll roomy" tabindex="0" role="region" aria-label="Table of standing queries"><table><caption class="unseen">Standing queries</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Query</th><th scope="col" class="number">Pages</th><th scope="col">Last page</th><th scope="col">Feeds</th><th scope="col">Webhook</th><th scope="col">Action</th></tr></thead>
<tbody>${queries.map((query) => rowOf(query, session))}</tbody></table></div>`
}</section>`;
}

function shownSecret(secret: string): Html {
  return html`<div class="done" role="status"><p>The secret that signs the messages of the webhook, which is shown only now:</p><p><code class="secret">${secret}</code></p></div>`;
}

function addForm(session: Session, { name, query, webhook, newOnly }: QueryForm): Html {
  const checkbox = newOnly
    ? html`<input type="checkbox" name="newOnly" value="on" checked>`
    : html`<input type="checkbox" name="newOnly" value="on">`;
  return html`<section class="card" aria-labelledby="add"><h2 id="add">Save a query</h2>
<p class="soft">Pages that are new or have changed, and that have all words of the query, arrive in its feeds and at its webhook.</p>
<form method="post" action="${PAGE}/add">${hiddenSecret(session)}
<div class="row"><label>Name <input name="name" value="${name}" required autocapitalize="none" spellcheck="false" placeholder="node-news"></label>
<label class="wide">Query <input name="query" value="${query}" required autocapitalize="none" spellcheck="false" placeholder="&quot;event loop&quot; site:example.org"></label></div>
<div class="row"><label class="wide">Webhook <input name="webhook" value="${webhook}" type="url" placeholder="https://example.org/hook"></label>
<label>Secret, or empty to make one <input name="secret" type="password" autocomplete="off"></label></div>
<div class="row"><label class="beside">${checkbox} Only new pages, no changes</label><button class="primary">Save</button></div></form></section>`;
}

function rowOf(listed: ListedQuery, session: Session): Html {
  const { name, query, newOnly, isSearchers, pages, lastAt, atom, json } = listed;
  const kind = isSearchers ? 'saved by a searcher' : newOnly ? 'only new pages' : null;
  return html`<tr><th scope="row">${name}${kind === null ? null : html`<br><span class="soft">${kind}</span>`}</th><td>${query}</td>
<td class="number">${pages}</td><td>${lastAt === 0 ? 'none' : day(lastAt)}</td>
<td><a href="${atom}" aria-label="Atom feed of ${name}">Atom</a> <a href="${json}" aria-label="JSON feed of ${name}">JSON</a></td>
<td>${webhookOf(listed)}</td><td>${session.role === 'operator' ? actionsOf(listed, session) : null}</td></tr>`;
}

function webhookOf({ webhook }: ListedQuery): Html {
  if (!webhook) return html`none`;
  const { url, waiting, parked, problem, stopped } = webhook;
  const state =
    stopped === null ? `${waiting} waiting, ${parked} parked` : `stopped (${stopped}), ${parked} parked`;
  return html`${url}<br><span class="soft">${state}</span>${problem === null ? null : html`<br>last problem: ${problem}`}`;
}

function actionsOf({ name, webhook }: ListedQuery, session: Session): Html {
  const button = (action: string, text: string, kind = '') =>
    html`<form method="post" action="${PAGE}/${action}">${hiddenSecret(session)}<input type="hidden" name="name" value="${name}">
<button class="${kind}" aria-label="${text}: ${name}">${text}</button></form>`;
  const needsHelp = webhook !== null && (webhook.parked > 0 || webhook.stopped !== null);
  return html`${webhook ? button('test', 'Test webhook') : null}${needsHelp ? button('retry', 'Send again') : null}${button('remove', 'Remove', 'danger')}`;
}
