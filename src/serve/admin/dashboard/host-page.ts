/** Serves `/admin/host?origin=`: one host with everything that the crawl knows about it, and the forms that change it. */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../../html.ts';
import { problemInWords } from '../../errors.ts';
import type { FormFields } from '../../http/mod.ts';
import type { ServerContext } from '../../server-context.ts';
import { type Session, sessionOf } from '../../sign-in/mod.ts';
import { formRoute } from '../form-action.ts';
import { hiddenSecret, sendPage } from '../frame.ts';
import type { HostDesk, CrawledHost } from './dashboard.ts';
import { DELAY_CAUSES, hostAddress, nextVisit } from './hosts-page.ts';
import { grouped, sizeText, spanText } from './numbers.ts';

const PAGE = '/admin/host';

export function hostRoutes(server: FastifyInstance, site: ServerContext, hosts: HostDesk): void {
  server.get<{ Querystring: { origin?: string } }>(PAGE, async (request, reply) => {
    const host = await hosts.find(String(request.query.origin ?? ''));
    if (!host) throw problemInWords(404, 'not-found', 'detail.notFound');
    const session = sessionOf(request);
    const main = html`<p><a href="/admin/hosts">All hosts</a></p>
<div data-refresh id="host">${facts(host, site.clock.now())}</div>
${session.role === 'operator' ? forms(host, session) : null}`;
    return sendPage(site, request, reply, { title: host.origin, main });
  });
  const back = ({ origin = '' }: FormFields) => hostAddress(origin);
  const action = (name: string, act: (fields: FormFields, who: string) => Promise<string> | string) =>
    formRoute(server, `${PAGE}/${name}`, back, act);
  action('block', ({ origin = '' }, who) => hosts.block(origin, who));
  action('unblock', ({ origin = '' }, who) => hosts.unblock(origin, who));
  action('delay', ({ origin = '', delay = '' }, who) => hosts.setDelay(origin, delay.trim(), who));
  action('recrawl', ({ origin = '' }, who) => hosts.recrawl(origin, who));
  action('remove', ({ origin = '', purge }, who) => hosts.remove(origin, purge === 'on', who));
}

function facts(host: CrawledHost, now: number): Html {
  const rows: [name: string, value: string][] = [
    ['State', host.isBlocked ? 'blocked by you: it gets no requests' : host.wait],
    ['Next visit', nextVisit(host, now)],
    [
      'Delay',
      host.delayMs === 0
        ? 'not visited yet'
        : `${spanText(host.delayMs)}, asked for by ${DELAY_CAUSES[host.delayCause]}`,
    ],
    ['Budget', `${grouped(host.fetched)} of ${grouped(host.budget)} pages`],
    ['Links from other hosts', grouped(host.links)],
    ['IP address', host.address === '' ? 'unknown' : host.address],
    ['robots.txt', host.robotsBytes === null ? 'none' : sizeText(host.robotsBytes)],
  ];
  return html`<section class="card" aria-labelledby="facts"><h2 id="facts">Facts</h2>
<dl class="figures">
<div><dt>Pages</dt><dd>${grouped(host.pages)}</dd></div>
<div><dt>Queued</dt><dd>${grouped(host.queued)}</dd></div>
<div><dt>Errors</dt><dd>${grouped(host.failed)}</dd></div>
<div><dt>Refused</dt><dd>${grouped(host.refused)}</dd></div>
<div><dt>Known URLs</dt><dd>${grouped(host.known)}</dd></div>
</dl>
<table><caption class="unseen">Facts about the host</caption><tbody>${rows.map(
    ([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`,
  )}</tbody></table></section>
${host.traps.length === 0 ? null : traps(host)}`;
}

function traps({ traps: found }: CrawledHost): Html {
  return html`<section class="card" aria-labelledby="traps"><h2 id="traps">Traps</h2>
<p class="soft">Endless URL spaces that the crawl has detected here, with the URLs that it refused or replaced.</p>
<table><caption class="unseen">Traps</caption><thead><tr><th scope="col">Trap</th><th scope="col" class="number">URLs</th></tr></thead>
<tbody>${found.map(([name, count]) => html`<tr><th scope="row">${name}</th><td class="number">${grouped(count)}</td></tr>`)}</tbody></table></section>`;
}

function forms(host: CrawledHost, session: Session): Html {
  const fields = html`${hiddenSecret(session)}<input type="hidden" name="origin" value="${host.origin}">`;
  return html`<section class="card" aria-labelledby="actions"><h2 id="actions">Actions</h2>
<div class="actions">
<form method="post" action="/admin/host/recrawl">${fields}<h3>Recrawl now</h3>
<p class="soft">Fetches all known URLs of the host again, as fast as its delay allows. A parked host is tried at once.</p>
<button>Recrawl now</button></form>
<form method="post" action="/admin/host/delay">${fields}<h3>Delay</h3>
<p class="soft">The time between two requests. robots.txt and slow responses can make it longer. Empty means the setting
of all hosts.</p>
<div class="row"><label>Delay, such as 5s <input name="delay" size="8" autocapitalize="none"></label><button>Set the delay</button></div></form>
${
  host.isBlocked
    ? html`<form method="post" action="/admin/host/unblock">${fields}<h3>Unblock</h3>
<p class="soft">The host gets requests again, and the URLs that were refused meanwhile are queued.</p><button>Unblock</button></form>`
    : html`<form method="post" action="/admin/host/block">${fields}<h3>Block</h3>
<p class="soft">The host gets no more requests. Pages in the index stay there.</p><button>Block</button></form>`
}
<form method="post" action="/admin/host/remove">${fields}<h3>Delete</h3>
<p class="soft">Searches no longer find any page of the host, and it is never crawled again until you allow it.</p>
<details><summary>Delete all pages …</summary>
<label class="beside"><input type="checkbox" name="purge"> Also delete the archived copies</label>
<p><button class="danger">Delete all pages of ${host.origin}</button></p></details></form>
</div></section>`;
}
