/** Serves `/admin/audit`: who changed what, the newest first. */
import type { FastifyInstance } from 'fastify';
import { html } from '../html.ts';
import type { ServerContext } from '../server-context.ts';
import type { AdminDesk } from './desk.ts';
import { sendPage } from './frame.ts';

const LINES = 200;

export function auditRoutes(server: FastifyInstance, site: ServerContext, desk: AdminDesk): void {
  server.get('/admin/audit', async (request, reply) => {
    const lines = await desk.readAudit(LINES);
    const rows = lines.map(
      ({ time, who, action, target = '' }) =>
        html`<tr><td><time datetime="${time}">${time.slice(0, 19).replace('T', ' ')}</time></td><td>${who}</td><td>${action}</td><td>${target}</td></tr>`,
    );
    const main = html`<section class="card" aria-label="Actions">
<p class="soft">The last ${LINES} actions. <code>audit.log</code> in the data directory has all of them.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Table of actions"><table><caption class="unseen">Actions, the newest first</caption>
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Who</th><th scope="col">Action</th><th scope="col">Target</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
    return sendPage(site, request, reply, { title: 'Audit log', main });
  });
}
