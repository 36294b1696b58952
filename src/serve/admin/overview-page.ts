/** Serves `/admin`: the state of the crawl and of the index, and the commands for the crawl. */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { CRAWL_ACTIONS } from '../api/mod.ts';
import { type Html, html } from '../html.ts';
import type { CrawlAction } from '../operations/mod.ts';
import { type CrawlControl, indexStats, type ServerContext } from '../server-context.ts';
import { type Session, sessionOf } from '../sign-in/mod.ts';
import type { AdminDesk } from './desk.ts';
import { formRoute } from './form-action.ts';
import { hiddenSecret, sendPage } from './frame.ts';

const PAGE = '/admin';
const NAMES: Readonly<Record<CrawlAction, string>> = {
  start: 'Start',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
};

export function overviewRoutes(
  server: FastifyInstance,
  site: ServerContext,
  desk: AdminDesk,
  control: CrawlControl | undefined,
): void {
  server.get(PAGE, (request, reply) =>
    sendPage(site, request, reply, { title: 'Overview', main: overview(site, sessionOf(request)) }),
  );
  formRoute(server, `${PAGE}/crawl`, PAGE, ({ action = '' }, who) => {
    const known = CRAWL_ACTIONS.find((each) => each === action);
    if (!known || !control) throw new UsageError('bad-action', 'There is no such command.');
    const objection = control.act(known);
    if (objection !== null) throw new UsageError('not-possible', objection);
    desk.audit(who, `${known} crawl`);
    return `${NAMES[known]}: the crawl follows within a second.`;
  });
}

function overview(site: ServerContext, session: Session): Html {
  const status = site.status();
  const index = indexStats(site);
  return html`<section class="card" aria-labelledby="crawl"><h2 id="crawl">Crawl</h2>
<dl class="figures">
<div><dt>State</dt><dd>${status?.state ?? 'not in this process'}</dd></div>
<div><dt>Pages</dt><dd>${status?.pages ?? 0}</dd></div>
<div><dt>Queued</dt><dd>${status?.queued ?? 0}</dd></div>
<div><dt>Errors</dt><dd>${status?.errors ?? 0}</dd></div>
<div><dt>Documents</dt><dd>${index?.docCount ?? 0}</dd></div>
</dl>
<form method="post" action="/admin/crawl" class="row">${hiddenSecret(session)}
${CRAWL_ACTIONS.map((action) => html`<button name="action" value="${action}">${NAMES[action]}</button>`)}
</form></section>`;
}
