/** Renders the list of queries of the relevance desk: progress, asked queries without results, import and export. */
import { type Html, html } from '../../html.ts';
import type { Session } from '../../sign-in/mod.ts';
import { hiddenSecret } from '../frame.ts';
import type { DeskQuery, RelevanceDesk } from './relevance-desk.ts';

export const PAGE = '/admin/relevance';
const MAX_LISTED = 500;

/** Returns the address at which a query is judged. */
export function judgeAddress(query: string): string {
  return `${PAGE}?q=${encodeURIComponent(query)}#results`;
}

export function listPage(desk: RelevanceDesk, session: Session): Html {
  const isOperator = session.role === 'operator';
  return html`${askForm('')}
${progress(desk.queries())}
${unanswered(desk.withoutResults())}
${isOperator ? addForm(session) : null}
${files(isOperator ? session : null)}`;
}

export function askForm(query: string): Html {
  return html`<form method="get" action="${PAGE}#results" class="card"><div class="row">
<label class="wide">Query <input type="search" name="q" value="${query}" required maxlength="200"></label>
<button class="primary">Show results</button></div></form>`;
}

function progress(queries: readonly DeskQuery[]): Html {
  const done = queries.filter(({ judged }) => judged > 0).length;
  const next = queries.find(({ judged }) => judged === 0);
  const rows = queries
    .slice(0, MAX_LISTED)
    .map(
      ({ text, judged, relevant }) =>
        html`<tr><th scope="row"><a href="${judgeAddress(text)}">${text}</a></th><td class="number">${judged}</td><td class="number">${relevant}</td></tr>`,
    );
  return html`<section class="card" aria-labelledby="queries"><h2 id="queries">Queries</h2>
${
  queries.length === 0
    ? html`<p>The list is empty. Type a query above and judge its results, or add queries below.</p>`
    : html`<p><label>${done} of ${queries.length} queries are judged <progress max="${queries.length}" value="${done}"></progress></label></p>
${next ? html`<p><a class="button primary" href="${judgeAddress(next.text)}">Judge the next query</a></p>` : null}
${queries.length > MAX_LISTED ? html`<p class="soft">The first ${MAX_LISTED} queries; the export has all of them.</p>` : null}
<div class="scroll" tabindex="0" role="region" aria-label="Table of queries"><table><caption class="unseen">Queries with their judgements</caption>
<thead><tr><th scope="col">Query</th><th scope="col" class="number">Judged results</th><th scope="col" class="number">Relevant</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}</section>`;
}

function unanswered(queries: readonly [query: string, count: number][] | null): Html {
  return html`<section class="card" aria-labelledby="unanswered"><h2 id="unanswered">Asked queries without results</h2>
${
  queries === null
    ? html`<p class="soft">Queries are not counted. The setting <code>suggest.queries</code> turns this on.</p>`
    : queries.length === 0
      ? html`<p>There were none since the start.</p>`
      : html`<ul class="plain-list">${queries.map(([text, count]) => html`<li><a href="${judgeAddress(text)}">${text}</a> <span class="soft">${count} ×</span></li>`)}</ul>`
}</section>`;
}

function addForm(session: Session): Html {
  return html`<section class="card" aria-labelledby="add"><h2 id="add">Add queries</h2>
<form method="post" action="${PAGE}/queries">${hiddenSecret(session)}
<label for="new-queries">Queries, one per line</label><textarea id="new-queries" name="queries" rows="4" required></textarea>
<p class="row"><button>Add to the list</button></p></form></section>`;
}

/** `session` is null for people who may not import. */
function files(session: Session | null): Html {
  return html`<section class="card" aria-labelledby="files"><h2 id="files">Files</h2>
<p class="soft">In the formats of TREC, which <code>gyre eval</code> and other tools read.</p>
<p class="row"><a class="button" href="${PAGE}/export?file=queries">Export queries</a> <a class="button" href="${PAGE}/export?file=qrels">Export judgements (qrels)</a></p>
${
  session &&
  html`<form method="post" action="${PAGE}/import" enctype="multipart/form-data" class="row">${hiddenSecret(session)}
<label>Queries file <input type="file" name="queries" required></label>
<label>Judgements file (qrels) <input type="file" name="qrels" required></label>
<button>Import</button></form>`
}</section>`;
}
