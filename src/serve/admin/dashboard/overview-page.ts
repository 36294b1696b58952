/** Serves `/admin`: the state of crawl, index, searches and machine, and the commands for the crawl. */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../../base/mod.ts';
import type { LivePanel, LiveTable, LiveView } from '../../../web/mod.ts';
import { CRAWL_ACTIONS } from '../../api/mod.ts';
import { type Html, html } from '../../html.ts';
import type { CrawlAction } from '../../operations/mod.ts';
import type { CrawlControl, ServerContext } from '../../server-context.ts';
import { type Session, sessionOf } from '../../sign-in/mod.ts';
import type { AdminDesk } from '../desk.ts';
import { formRoute } from '../form-action.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import type { Dashboard } from './dashboard.ts';
import { viewOfSnapshot } from './panels.ts';
import type { Sampler } from './sampler.ts';

const PAGE = '/admin';
const NAMES: Readonly<Record<CrawlAction, string>> = {
  start: 'Start',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
};

interface OverviewOptions {
  desk: AdminDesk;
  control: CrawlControl | undefined;
  sampler: Sampler;
  dashboard: Dashboard;
}

export function overviewRoutes(server: FastifyInstance, site: ServerContext, options: OverviewOptions): void {
  const { desk, control, sampler, dashboard } = options;
  server.get(PAGE, async (request, reply) => {
    await dashboard.refreshFacts();
    const view = viewOfSnapshot(sampler.snapshot());
    return sendPage(site, request, reply, { title: 'Overview', main: overview(view, sessionOf(request)) });
  });
  formRoute(server, `${PAGE}/crawl`, PAGE, ({ action = '' }, who) => {
    const known = CRAWL_ACTIONS.find((each) => each === action);
    if (!known || !control) throw new UsageError('bad-action', 'There is no such command.');
    const objection = control.act(known);
    if (objection !== null) throw new UsageError('not-possible', objection);
    desk.audit(who, `${known} crawl`);
    return `${NAMES[known]}: the crawl follows within a second.`;
  });
}

function overview(view: LiveView, session: Session): Html {
  return html`<div class="strip">
<p class="state" data-state="${view.state}" role="status"><span class="dot"></span><span class="word">${view.stateText}</span></p>
${session.role === 'operator' ? commands(view, session) : null}
<p class="soft live" hidden>Live</p>
</div>
<div id="dashboard" data-live="/admin/live">
<div class="lead">${view.panels.slice(0, 1).map(panelHtml)}</div>
<div class="charts" hidden></div>
<div class="panels">${view.panels.slice(1).map(panelHtml)}</div>
</div>
<noscript><p class="soft">Without scripts, this page shows one moment. Load it again for newer figures.</p></noscript>`;
}

function commands({ actions }: LiveView, session: Session): Html {
  return html`<form method="post" action="/admin/crawl" class="commands">${hiddenSecret(session)}
${CRAWL_ACTIONS.map((action) =>
  actions.includes(action)
    ? html`<button name="action" value="${action}">${NAMES[action]}</button>`
    : html`<button name="action" value="${action}" disabled>${NAMES[action]}</button>`,
)}</form>`;
}

function panelHtml({ id, title, figures, tables, note }: LivePanel): Html {
  return html`<section class="card panel" id="panel-${id}" aria-labelledby="title-${id}"><h2 id="title-${id}">${title}</h2>
${
  figures.length === 0
    ? null
    : html`<dl class="figures">${figures.map(
        ({ name, value, hint }) =>
          html`<div><dt>${name}</dt><dd>${value}${hint === '' ? null : html`<small>${hint}</small>`}</dd></div>`,
      )}</dl>`
}
${note === '' ? null : html`<p class="soft">${note}</p>`}
${tables.length === 0 ? null : html`<div class="tables">${tables.map(tableHtml)}</div>`}
</section>`;
}

function tableHtml({ caption, columns, rows, empty }: LiveTable): Html {
  if (rows.length === 0) return html`<div><h3>${caption}</h3><p class="soft">${empty}</p></div>`;
  const [first, ...others] = columns;
  return html`<table><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${first}</th>${others.map((name) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ({
      cells: [name, ...numbers],
      share,
    }) => html`<tr><th scope="row">${name}<svg class="gauge" aria-hidden="true" focusable="false"><rect
 width="${Math.round(share * 100)}%" height="100%" rx="1.5"/></svg></th>${numbers.map(
   (text) => html`<td class="number">${text}</td>`,
 )}</tr>`,
  )}</tbody></table>`;
}
