/** Serves `/admin/hosts`: all hosts of the crawl, sorted and filtered, page by page. */
import type { FastifyInstance } from 'fastify';
import { type Html, html } from '../../html.ts';
import type { ServerContext } from '../../server-context.ts';
import { sendPage } from '../frame.ts';
import { HOST_CHOICES, HOST_ORDERS, type HostDesk, type CrawledHost, type HostSearch } from './dashboard.ts';
import { grouped, spanText, whenText } from './numbers.ts';

const PAGE = '/admin/hosts';
const ROWS = 50;
const MAX_TEXT = 200;

const CHOICES: Readonly<Record<HostSearch['choice'], string>> = {
  all: 'All hosts',
  queued: 'With queued URLs',
  waiting: 'Waiting or parked',
  errors: 'With errors',
  traps: 'With traps',
};

/** The columns by which hosts can be sorted, with the others between them. */
const COLUMNS: readonly { name: string; order: HostSearch['order'] | null; isNumber: boolean }[] = [
  { name: 'Host', order: 'host', isNumber: false },
  { name: 'Pages', order: 'pages', isNumber: true },
  { name: 'Queued', order: 'queued', isNumber: true },
  { name: 'Errors', order: 'errors', isNumber: true },
  { name: 'Delay', order: 'delay', isNumber: true },
  { name: 'Asked for by', order: null, isNumber: false },
  { name: 'Next visit', order: 'next', isNumber: false },
  { name: 'Budget', order: null, isNumber: true },
  { name: 'Traps', order: null, isNumber: true },
];

export const DELAY_CAUSES: Readonly<Record<CrawledHost['delayCause'], string>> = {
  setting: 'settings',
  'host-setting': 'you, for this host',
  robots: 'robots.txt',
  slow: 'slow responses',
};

type Parameters = Partial<Record<'text' | 'choice' | 'order' | 'page', string>>;

export function hostsRoutes(server: FastifyInstance, site: ServerContext, hosts: HostDesk): void {
  server.get<{ Querystring: Parameters }>(PAGE, async (request, reply) => {
    const { search, page } = searchOf(request.query);
    const { total, hosts: rows } = await hosts.list(search);
    const now = site.clock.now();
    const main = html`${filters(search)}
<section class="card" id="hosts" data-refresh aria-label="Hosts">
<p class="soft">${countText(total, search)}</p>
${rows.length === 0 ? null : table(rows, search, now)}
${pager(total, page, search)}</section>`;
    return sendPage(site, request, reply, { title: 'Hosts', main });
  });
}

/** Reads the parameters. Unknown values count as absent, because the addresses are made by this page. */
function searchOf({ text = '', choice, order, page }: Parameters): { search: HostSearch; page: number } {
  const number = Math.min(Math.max(1, Math.floor(Number(page)) || 1), 100_000);
  const search = {
    text: String(text).trim().slice(0, MAX_TEXT),
    choice: HOST_CHOICES.find((each) => each === choice) ?? 'all',
    order: HOST_ORDERS.find((each) => each === order) ?? 'pages',
    offset: (number - 1) * ROWS,
    limit: ROWS,
  };
  return { search, page: number };
}

function filters({ text, choice, order }: HostSearch): Html {
  return html`<form method="get" action="${PAGE}" class="row" role="search">
<label>Part of the name <input type="search" name="text" value="${text}" autocapitalize="none" spellcheck="false"></label>
<label>Show <select name="choice">${HOST_CHOICES.map((each) =>
    each === choice
      ? html`<option value="${each}" selected>${CHOICES[each]}</option>`
      : html`<option value="${each}">${CHOICES[each]}</option>`,
  )}</select></label>
<input type="hidden" name="order" value="${order}">
<button>Show</button></form>`;
}

function countText(total: number, { text, choice }: HostSearch): string {
  if (total > 0) return `${grouped(total)} ${total === 1 ? 'host' : 'hosts'}`;
  return text === '' && choice === 'all' ? 'The crawl knows no host yet.' : 'No host matches.';
}

function table(rows: readonly CrawledHost[], search: HostSearch, now: number): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table of hosts"><table class="wide"><caption class="unseen">Hosts</caption>
<thead><tr>${COLUMNS.map((column) => heading(column, search))}</tr></thead>
<tbody>${rows.map((host) => row(host, now))}</tbody></table></div>`;
}

function heading({ name, order, isNumber }: (typeof COLUMNS)[number], search: HostSearch): Html {
  const kind = isNumber ? 'number' : '';
  if (order === null) return html`<th scope="col" class="${kind}">${name}</th>`;
  const link = html`<a href="${addressOf({ ...search, order }, 1)}">${name}</a>`;
  if (order !== search.order) return html`<th scope="col" class="${kind}">${link}</th>`;
  const direction = order === 'host' || order === 'next' ? 'ascending' : 'descending';
  return html`<th scope="col" class="${kind}" aria-sort="${direction}">${link}</th>`;
}

function row(host: CrawledHost, now: number): Html {
  const { origin, pages, queued, failed, delayMs, delayCause, fetched, budget, traps } = host;
  const trapped = traps.reduce((sum, [, count]) => sum + count, 0);
  return html`<tr><th scope="row"><a href="${hostAddress(origin)}">${shortOrigin(origin)}</a>${
    host.isBlocked ? html` <span class="tag bad">blocked</span>` : null
  }</th>
<td class="number">${grouped(pages)}</td><td class="number">${grouped(queued)}</td><td class="number">${grouped(failed)}</td>
<td class="number">${delayMs === 0 ? '–' : spanText(delayMs)}</td><td>${delayMs === 0 ? '–' : DELAY_CAUSES[delayCause]}</td>
<td title="${host.wait}">${nextVisit(host, now)}</td>
<td class="number">${grouped(fetched)} <span class="soft">of ${grouped(budget)}</span></td>
<td class="number">${trapped === 0 ? '–' : grouped(trapped)}</td></tr>`;
}

/** Returns when the host gets its next request, as text. */
export function nextVisit({ queued, nextFetchAt, isBlocked }: CrawledHost, now: number): string {
  if (queued === 0 || isBlocked) return '–';
  return nextFetchAt <= now ? 'now' : whenText(nextFetchAt, now);
}

function pager(total: number, page: number, search: HostSearch): Html | null {
  const pages = Math.ceil(total / ROWS);
  if (pages <= 1) return null;
  return html`<nav class="pager" aria-label="Pages of hosts">
${page > 1 ? html`<a class="button" href="${addressOf(search, page - 1)}" rel="prev">Previous</a>` : null}
<span>Page ${grouped(page)} of ${grouped(pages)}</span>
${page < pages ? html`<a class="button" href="${addressOf(search, page + 1)}" rel="next">Next</a>` : null}</nav>`;
}

function addressOf({ text, choice, order }: HostSearch, page: number): string {
  const parameters = new URLSearchParams({ text, choice, order, page: String(page) });
  return `${PAGE}?${parameters}`;
}

export function hostAddress(origin: string): string {
  return `/admin/host?${new URLSearchParams({ origin })}`;
}

/** Leaves out `https://`, which most hosts have. */
function shortOrigin(origin: string): string {
  return origin.replace(/^https:\/\//, '');
}
