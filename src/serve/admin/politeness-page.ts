/** Serves `/admin/politeness`: what the crawl did on each host and day, and why it waited. */
import type { FastifyInstance } from 'fastify';
import { formatSize } from '../../base/mod.ts';
import { type Html, html } from '../html.ts';
import type { DirectoryTools, PolitenessDay } from '../operations/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { sendPage } from './frame.ts';

const PAGE = '/admin/politeness';
const MAX_ROWS = 200;

const CAUSES: Readonly<Record<string, string>> = {
  setting: 'the configured delay',
  'host-setting': 'the delay chosen for the host',
  robots: 'Crawl-delay of robots.txt',
  slow: 'a slow response',
  failed: 'a failed request',
  'retry-after': 'Retry-After',
  'host-group': 'its host group',
  address: 'its IP address',
  'domain-rate': 'its domain',
  'robots-elsewhere': 'robots.txt on another host',
  'icon-elsewhere': 'an icon on another host',
  'slow-parsing': 'pages that take long to parse',
};

export function politenessRoutes(server: FastifyInstance, site: ServerContext, tools: DirectoryTools): void {
  server.get(PAGE, async (request, reply) => {
    const { host = '' } = request.query as { host?: string };
    const wanted = String(host).trim().toLowerCase();
    const main = ledger(wanted, await tools.politeness(wanted));
    return sendPage(site, request, reply, { title: 'Politeness', main });
  });
  server.get(`${PAGE}/export`, async (request, reply) => {
    const format = (request.query as { format?: string }).format === 'json' ? 'json' : 'csv';
    return reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="politeness.${format}"`)
      .send(Buffer.from(await tools.politenessFile(format)));
  });
}

function ledger(host: string, days: readonly PolitenessDay[]): Html {
  const rows = days.flatMap(({ day, rows: hosts }) =>
    hosts.toSorted((a, b) => b.requests - a.requests).map((row) => ({ day, ...row })),
  );
  return html`<form method="get" action="/admin/politeness" class="card"><div class="row">
<label class="wide">Host <input name="host" value="${host}" placeholder="all hosts"></label><button>Show</button>
<a class="button" href="/admin/politeness/export?format=csv">CSV</a> <a class="button" href="/admin/politeness/export?format=json">JSON</a></div></form>
<section class="card" aria-labelledby="ledger"><h2 id="ledger">Requests and delays</h2>
${
  rows.length === 0
    ? html`<p>The crawl has sent no request${host === '' ? '' : ' to such a host'} yet.</p>`
    : html`${rows.length > MAX_ROWS ? html`<p class="soft">The first ${MAX_ROWS} of ${rows.length} lines; the export has all of them.</p>` : null}
<div class="scroll roomy" tabindex="0" role="region" aria-label="Table of hosts"><table><caption class="unseen">Requests and delays by day and host</caption>
<thead><tr><th scope="col">Day (UTC)</th><th scope="col">Host</th><th scope="col" class="number">Requests</th><th scope="col" class="number">Bytes</th><th scope="col">Delays and their causes</th></tr></thead>
<tbody>${rows.slice(0, MAX_ROWS).map(rowOf)}</tbody></table></div>`
}</section>`;
}

function rowOf({
  day,
  host,
  requests,
  bytes,
  delays,
}: PolitenessDay['rows'][number] & { day: string }): Html {
  const causes = Object.entries(delays).map(
    ([cause, [count, totalMs, longestMs]]) =>
      html`<li>${count} × ${CAUSES[cause] ?? cause}: ${seconds(totalMs / count)} on average, ${seconds(longestMs)} at most</li>`,
  );
  return html`<tr><td>${day}</td><th scope="row">${host}</th><td class="number">${requests}</td><td class="number">${formatSize(bytes)}</td>
<td><ul class="plain-list">${causes}</ul></td></tr>`;
}

function seconds(ms: number): string {
  return `${Number((ms / 1000).toPrecision(3))} s`;
}
