/**
 * The cached page: a frame of ours with the archived copy inside, and which other copies there are.
 *
 *   /cached?url=…&at=…&q=…        the frame: what this is, when it was fetched, earlier copies
 *   /cached/copy?url=…&at=…&q=…   the copy itself: rewritten without anything that acts, and served under a policy
 *                                 that would stop it (a sandbox without scripts, nothing may be loaded)
 *   /cached/compare?url=…&from=…&to=…   what changed between two copies; see compare-page.ts
 */
import type { FastifyInstance } from 'fastify';
import { wordFinder } from '../../query/mod.ts';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import { renderPage } from '../layout.ts';
import { type QueryParameters, readQuery, readText } from '../search-input.ts';
import type { Site } from '../site.ts';
import { type View, viewOf } from '../view.ts';
import { comparePage } from './compare-page.ts';
import { copyDocument, isDarkToo } from './copy-document.ts';
import { chooseCopy, copyChooser, type FoundCopy, readAddress } from './find-copy.ts';
import type { PageCopy } from './page-archive.ts';

/** Links out of the copy may open, outside of the sandbox; nothing else is allowed in it. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';
const COPY_POLICY = [
  `sandbox ${SANDBOX}`,
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');
const FRAME_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** More are in the archive, but nobody reads such a list. */
const MAX_LISTED = 100;

export function cachedRoutes(server: FastifyInstance, site: Site): void {
  server.get<{ Querystring: QueryParameters }>('/cached', (request, reply) => {
    const view = viewOf(site, request);
    const url = readAddress(request.query);
    const found = chooseCopy(site, url, request.query, 'at');
    reply.type('text/html; charset=utf-8').header('content-security-policy', FRAME_POLICY);
    if (found.kind !== 'copy')
      return reply.code(found.kind === 'none' ? 404 : 403).send(refusal(view, url, found.kind));
    return reply.send(renderCached(view, url, readQuery(request.query), found));
  });
  server.get<{ Querystring: QueryParameters }>('/cached/copy', (request, reply) => {
    const url = readAddress(request.query);
    const found = chooseCopy(site, url, request.query, 'at');
    reply.type('text/html; charset=utf-8').header('content-security-policy', COPY_POLICY);
    if (found.kind !== 'copy') return reply.code(404).send('');
    const find = wordFinder(readQuery(request.query), found.content.page.language);
    return reply.send(copyDocument(url, found.content, find));
  });
  server.get<{ Querystring: QueryParameters }>('/cached/compare', (request, reply) => {
    const view = viewOf(site, request);
    const url = readAddress(request.query);
    const choose = copyChooser(site, url);
    const [older, newer] = ['from', 'to'].map((name) => choose(readText(request.query, name)));
    reply.type('text/html; charset=utf-8');
    if (older?.kind === 'copy' && newer?.kind === 'copy')
      return reply.send(comparePage(view, url, older, newer));
    const kind = older?.kind === 'refused' ? 'refused' : 'none';
    return reply.code(kind === 'none' ? 404 : 403).send(refusal(view, url, kind));
  });
}

function renderCached(view: View, url: CanonicalUrl, query: string, found: FoundCopy): string {
  const { words } = view;
  const { copy, copies, isCut } = found;
  const intro = words.markup('cached.intro', {
    url: html`<a href="${url}" dir="ltr">${url}</a>`,
    date: html`<time datetime="${new Date(copy.fetchedAt).toISOString()}">${words.exactMoment(copy.fetchedAt)}</time>`,
  });
  const frame = `${encodeURIComponent(url)}&at=${copy.at}&q=${encodeURIComponent(query)}`;
  const main = html`<h1 class="unseen">${words.text('cached.heading')}</h1>
<div class="cached-head">
<p>${intro} <span class="soft">${words.text('cached.inert')}</span></p>
${isCut ? html`<p class="note">${words.text('cached.cut')}</p>` : null}
${copies.length > 1 ? otherCopies(view, url, query, copy, copies.slice(0, MAX_LISTED)) : null}
</div>
<iframe class="${isDarkToo(found.content) ? 'copy dark-too' : 'copy'}" title="${words.text('cached.frame')}" sandbox="${SANDBOX}" src="/cached/copy?url=${frame}"></iframe>`;
  const title = words.text('cached.title', { url });
  return renderPage(view, { title, query, main, wide: true });
}

function otherCopies(
  { words }: View,
  url: CanonicalUrl,
  query: string,
  shown: PageCopy,
  copies: readonly PageCopy[],
): Html {
  const address = `/cached?url=${encodeURIComponent(url)}&q=${encodeURIComponent(query)}`;
  const items = copies.map((copy) => {
    const moment = words.exactMoment(copy.fetchedAt);
    return copy === shown
      ? html`<li><span aria-current="true">${moment}</span></li>\n`
      : html`<li><a href="${`${address}&at=${copy.at}`}">${moment}</a></li>\n`;
  });
  return html`<details class="copies">
<summary>${words.text('cached.captures', { count: copies.length })}</summary>
<ol role="list">
${items}</ol>
<form action="/cached/compare" method="get"><input type="hidden" name="url" value="${url}">
<label>${words.text('cached.older')} ${copyChoice('from', copies, copies[1]!, words)}</label>
<label>${words.text('cached.newer')} ${copyChoice('to', copies, copies[0]!, words)}</label>
<button>${words.text('cached.show')}</button>
</form>
</details>`;
}

function copyChoice(name: string, copies: readonly PageCopy[], chosen: PageCopy, words: View['words']): Html {
  return html`<select name="${name}">${copies.map(({ at, fetchedAt }) =>
    at === chosen.at
      ? html`<option value="${at}" selected>${words.exactMoment(fetchedAt)}</option>`
      : html`<option value="${at}">${words.exactMoment(fetchedAt)}</option>`,
  )}</select>`;
}

function refusal(view: View, url: CanonicalUrl, kind: 'none' | 'refused'): string {
  const { words } = view;
  const title = words.text(kind === 'none' ? 'cached.noneTitle' : 'cached.refusedTitle');
  const link = html`<a href="${url}" dir="ltr">${url}</a>`;
  const main = html`<section class="notice"><h1>${title}</h1>
<p>${words.markup(kind === 'none' ? 'cached.none' : 'cached.refused', { url: link })}</p></section>`;
  return renderPage(view, { title, query: '', main });
}
