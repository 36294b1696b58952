/**
 * Serves `/admin/records`: results with the records of the archive that they come from, and the exports of one record
 * and of a whole list.
 */
import type { FastifyInstance } from 'fastify';
import type { SearchResult } from '../../query/mod.ts';
import { RequestProblem } from '../errors.ts';
import { type Html, html } from '../html.ts';
import { type DirectoryTools, orProblem, sendFile } from '../operations/mod.ts';
import type { ServerContext } from '../server-context.ts';
import { sendPage } from './frame.ts';
import { inspectAddress } from './inspect-page.ts';

const PAGE = '/admin/records';
const RESULTS = 20;

export function recordRoutes(server: FastifyInstance, site: ServerContext, tools: DirectoryTools): void {
  const search = async (query: string) =>
    (await site.searcher.search({ query, offset: 0, limit: RESULTS, asTyped: true })).results;
  server.get(PAGE, async (request, reply) => {
    const query = queryOf(request.query);
    const results = query === '' ? null : await search(query);
    const main = html`<form method="get" action="/admin/records" class="card"><div class="row">
<label class="wide">Query <input type="search" name="q" value="${query}" required></label><button class="primary">Search</button></div></form>
${results && listOf(query, results)}`;
    return sendPage(site, request, reply, { title: 'Results and their records', main });
  });
  server.get(`${PAGE}/wacz`, async (request, reply) =>
    sendFile(reply, 'results.wacz', await orProblem(tools.wacz(await search(queryOf(request.query))))),
  );
  server.get(`${PAGE}/warc`, async (request, reply) => {
    const { url = '', at = '' } = request.query as { url?: string; at?: string };
    const record = await orProblem(tools.record(String(url), String(at)));
    if (!record) throw new RequestProblem(404, 'no-record', 'The archive has no record of this URL.');
    return sendFile(reply, record.name, record.bytes);
  });
}

function queryOf(parameters: unknown): string {
  const { q = '' } = parameters as { q?: string };
  return String(q).trim();
}

function listOf(query: string, results: readonly SearchResult[]): Html {
  if (results.length === 0) return html`<p>Nothing is found.</p>`;
  const rows = results.map(({ url, title, fetchedAt }, at) => {
    const inspect = `${inspectAddress(url)}&query=${encodeURIComponent(query)}`;
    return html`<tr><td class="number">${at + 1}</td><th scope="row"><a href="${inspect}">${title || url}</a><br><span class="soft">${url}</span></th>
<td>${fetchedAt.slice(0, 16).replace('T', ' ')}</td>
<td><a href="/admin/records/warc?url=${encodeURIComponent(url)}" aria-label="WARC record of ${url}">WARC record</a></td></tr>`;
  });
  return html`<section class="card" aria-labelledby="results"><h2 id="results">Results</h2>
<p><a class="button" href="/admin/records/wacz?q=${encodeURIComponent(query)}">Export these pages as WACZ</a></p>
<div class="scroll roomy" tabindex="0" role="region" aria-label="Table of results"><table><caption class="unseen">Results with their records</caption>
<thead><tr><th scope="col">Place</th><th scope="col">Page</th><th scope="col">Fetched (UTC)</th><th scope="col">Record</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}
