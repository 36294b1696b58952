/** Renders the measures of two profiles over all judged queries. */
import { type Html, html } from '../../html.ts';
import type { DeskEvaluation, DeskMeasure } from './relevance-desk.ts';
import { judgeAddress } from './query-list.ts';

const SIGNIFICANT = 0.05;

interface ShownEvaluation {
  first: string;
  second: string;
  /** The number of judged queries. */
  judged: number;
  state: DeskEvaluation;
}

export function evaluationCard({ first, second, judged, state }: ShownEvaluation, forms: Html): Html {
  const body = html`<h2>All judged queries</h2>
${judged === 0 ? html`<p>No query is judged yet. <a href="/admin/relevance">Judge results</a> to compare profiles.</p>` : null}
${state.kind === 'running' ? running(state.done, state.total) : null}
${state.kind === 'failed' ? html`<p class="alert" role="alert">${state.problem}</p>` : null}
${state.kind === 'done' ? measureTable(first, second, state) : null}
${forms}`;
  // Scripts load the card again until the evaluation has ended.
  return state.kind === 'running'
    ? html`<section class="card" id="evaluation" aria-label="Evaluation" data-refresh>${body}</section>`
    : html`<section class="card" id="evaluation" aria-label="Evaluation">${body}</section>`;
}

function running(done: number, total: number): Html {
  return html`<p role="status"><label>${done} of ${total} searches <progress max="${total}" value="${done}"></progress></label></p>
<p class="soft">Load the page again to see the progress.</p>`;
}

function measureTable(
  first: string,
  second: string,
  { queries, measures, changed }: Extract<DeskEvaluation, { kind: 'done' }>,
): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of measures"><table><caption class="unseen">Measures over ${queries} queries</caption>
<thead><tr><th scope="col">Measure</th><th scope="col" class="number">${first}</th><th scope="col" class="number">${second}</th><th scope="col" class="number">Difference</th><th scope="col" class="number">p</th><th scope="col">Verdict</th></tr></thead>
<tbody>${measures.map(measureRow)}</tbody></table></div>
<p class="soft">Means over ${queries} judged ${queries === 1 ? 'query' : 'queries'}; p by a paired randomisation test. A profile that loses nDCG@10 is not published if
the loss is significant or fewer than ten queries are judged.</p>
${changed.length === 0 ? html`<p>No query has another nDCG@10.</p>` : changedTable(first, second, changed)}`;
}

function measureRow({ name, first, second, p }: DeskMeasure): Html {
  const difference = second - first;
  return html`<tr><th scope="row">${name}</th><td class="number">${first.toFixed(4)}</td><td class="number">${second.toFixed(4)}</td>
<td class="number">${signed(difference)}</td><td class="number">${p.toFixed(4)}</td><td>${verdict(difference, p)}</td></tr>`;
}

function verdict(difference: number, p: number): string {
  if (p >= SIGNIFICANT) return 'no significant difference';
  return difference > 0 ? 'significantly better' : 'significantly worse';
}

function changedTable(
  first: string,
  second: string,
  changed: Extract<DeskEvaluation, { kind: 'done' }>['changed'],
): Html {
  const rows = changed.map(({ query, first: before, second: after }) => {
    const pair = new URLSearchParams({ first, second, q: query });
    return html`<tr><th scope="row"><a href="/admin/relevance/profiles?${String(pair)}">${query}</a></th><td class="number">${before.toFixed(4)}</td>
<td class="number">${after.toFixed(4)}</td><td class="number">${signed(after - before)}</td><td><a href="${judgeAddress(query)}" aria-label="Judge: ${query}">Judge</a></td></tr>`;
  });
  return html`<h3>Queries that change most (nDCG@10)</h3>
<div class="scroll" tabindex="0" role="region" aria-label="Table of changed queries"><table><caption class="unseen">Queries that change most</caption>
<thead><tr><th scope="col">Query</th><th scope="col" class="number">${first}</th><th scope="col" class="number">${second}</th><th scope="col" class="number">Difference</th><th scope="col">Judge</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`;
}
