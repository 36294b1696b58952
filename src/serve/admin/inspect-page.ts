/** Serves `/admin/inspect`: the whole life of a URL, why searches find it or not, and what can be done about it. */
import type { FastifyInstance } from 'fastify';
import { UsageError } from '../../base/mod.ts';
import { type Html, html } from '../html.ts';
import type {
  AdminTools,
  DirectoryTools,
  InspectionReport,
  ReportRow,
  ReportSection,
} from '../operations/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { type Session, sessionOf } from '../sign-in/mod.ts';
import { formRoute } from './form-action.ts';
import { hiddenSecret, sendPage } from './frame.ts';

const PAGE = '/admin/inspect';
const MAX_PLACE = 100;

interface Asked {
  url: string;
  query: string;
  below: string;
}

/** Without `directoryTools`, the page has no controls to fetch a URL and no links to records. */
export function inspectRoutes(
  server: FastifyInstance,
  site: ServerContext,
  tools: AdminTools,
  directoryTools: DirectoryTools | undefined,
): void {
  server.get(PAGE, async (request, reply) => {
    const { url = '', query = '', below = '' } = request.query as Partial<Asked>;
    const asked = { url: String(url).trim(), query: String(query).trim(), below: String(below).trim() };
    const found = asked.url === '' ? null : await reportOf(tools, asked);
    const main = html`${askForm(asked)}
${found?.kind === 'problem' ? html`<p class="alert" role="alert">${found.text}</p>` : null}
${found?.kind === 'report' ? lifeOf(found.report, sessionOf(request), directoryTools !== undefined) : null}`;
    return sendPage(site, request, reply, { title: 'Inspect a URL', main });
  });
  if (!directoryTools) return;
  formRoute(
    server,
    `${PAGE}/fetch`,
    ({ url = '' }) => inspectAddress(url),
    ({ url = '' }, who) => directoryTools.fetchNow(url, who),
  );
}

export function inspectAddress(url: string): string {
  return `${PAGE}?url=${encodeURIComponent(url)}`;
}

type Found = { kind: 'report'; report: InspectionReport } | { kind: 'problem'; text: string };

async function reportOf(tools: AdminTools, { url, query, below }: Asked): Promise<Found> {
  const place = Number(below);
  const isPlace = Number.isInteger(place) && place >= 1 && place <= MAX_PLACE;
  const withScheme = /^https?:\/\//i.test(url) ? url : `https://${url}`;
  try {
    const report = await tools.report({
      url: withScheme,
      query: query === '' ? null : query,
      below: query !== '' && isPlace ? place : null,
    });
    return { kind: 'report', report };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { kind: 'problem', text: error.message };
  }
}

function askForm({ url, query, below }: Asked): Html {
  return html`<form method="get" action="/admin/inspect" class="card">
<div class="row"><label class="wide">URL <input type="url" name="url" value="${url}" required placeholder="https://example.org/page"></label></div>
<div class="row"><label class="wide">Query to explain <input name="query" value="${query}" placeholder="optional"></label>
<label>Compare with result <input type="number" name="below" min="1" max="100" value="${below}" placeholder="the one above"></label>
<button class="primary">Inspect</button></div></form>`;
}

function lifeOf(
  { url, isFound, verdict, sections }: InspectionReport,
  session: Session,
  hasDirectory: boolean,
): Html {
  return html`<section class="card verdict" aria-labelledby="verdict"><h2 id="verdict">${isFound ? 'Found in results' : 'Not found in results'}</h2>
<p><a href="${url}" rel="noreferrer">${url}</a> ${verdict}.</p>
<div class="row">${actions(url, session, hasDirectory)}</div></section>
${sections.map((section, at) => sectionOf(section, at, hasDirectory ? url : null))}`;
}

function actions(url: string, session: Session, hasDirectory: boolean): Html {
  const target = encodeURIComponent(url);
  const isOperator = session.role === 'operator';
  const fetchForm = html`<form method="post" action="/admin/inspect/fetch">${hiddenSecret(session)}
<input type="hidden" name="url" value="${url}"><button>Fetch now</button></form>`;
  const record = html`<a class="button" href="/admin/records/warc?url=${target}">Export the WARC record</a>`;
  const remove = html`<a class="button danger" href="/admin/removals?target=${target}">Remove …</a>`;
  return html`${hasDirectory && isOperator ? fetchForm : null}
${hasDirectory ? record : null}
${isOperator ? remove : null}`;
}

/** `archived` is the URL whose records can be exported; null if there is no export. */
function sectionOf({ title, rows, text }: ReportSection, at: number, archived: string | null): Html {
  return html`<section class="card" aria-labelledby="section-${at}"><h2 id="section-${at}">${title}</h2>
${rows.length === 0 ? null : html`<dl class="facts">${rows.map((row) => rowOf(row, archived))}</dl>`}
${text === undefined ? null : html`<pre class="scroll" tabindex="0" role="region" aria-label="Scores">${text}</pre>`}</section>`;
}

function rowOf({ name, text, inspects, record }: ReportRow, archived: string | null): Html {
  const other = inspects === undefined ? null : html`<a href="${inspectAddress(inspects)}">${inspects}</a>`;
  const file = archived === null || record === undefined ? null : recordLink(archived, record);
  return html`<div><dt>${name}</dt><dd>${other}${text.slice(inspects?.length ?? 0)}${file}</dd></div>`;
}

function recordLink(url: string, record: string): Html {
  const warc = `/admin/records/warc?url=${encodeURIComponent(url)}&at=${record}`;
  return html` · <a href="${warc}" aria-label="WARC record of ${record}">WARC record</a>`;
}
