/**
 * Serves cached pages: a frame with the archived copy inside, and a list of the other copies.
 *
 *   /cached?url=…&at=…&q=…        the frame: an explanation, the time of the copy, and links to earlier copies
 *   /cached/copy?url=…&at=…&q=…   the copy itself: rewritten without active content, and served under a policy that
 *                                 would block such content (a sandbox without scripts, nothing may be loaded)
 *   /cached/compare?url=…&from=…&to=…   the differences between two copies; see compare-page.ts
 */

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CanonicalUrl } from '../../url/mod.ts';
import { type Html, html } from '../html.ts';
import { type QueryParameters, readAddress, readQueryParameter, readText } from '../http/mod.ts';
import { renderPage } from '../layout.ts';
import { type View, viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { plain, shorten } from '../shown-text.ts';
import { comparePage } from './compare-page.ts';
import { FIRST_MATCH } from './copy-document.ts';
import type { ShownCopy } from './copy-tasks.ts';
import type { NoCopy, PageCopy } from './page-archive.ts';

/**
 * The permissions of the sandbox around a copy. Its links may open new windows outside the sandbox. Nothing
 * else is allowed.
 */
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
const MAX_TITLE_LENGTH = 120;
const NO_COPY: NoCopy = { kind: 'none' };
const STATUS: Record<NoCopy['kind'], number> = { none: 404, refused: 403, late: 503, busy: 503 };
const RETRY_SECONDS: Partial<Record<NoCopy['kind'], number>> = { late: 600, busy: 5 };
const REFUSALS = {
  none: ['cached.noneTitle', 'cached.none'],
  refused: ['cached.refusedTitle', 'cached.refused'],
  late: ['cached.lateTitle', 'cached.late'],
  busy: ['cached.busyTitle', 'cached.busy'],
} as const;

export function cachedRoutes(server: FastifyInstance, site: ServerContext): void {
  server.get<{ Querystring: QueryParameters }>('/cached', async (request, reply) => {
    const view = viewOf(site, request);
    const { url, at, query } = readCopyRequest(request.query);
    const found = await copyOf(site, url, at, query);
    reply.type('text/html; charset=utf-8').header('content-security-policy', FRAME_POLICY);
    if (found.kind !== 'copy') return refuse(reply, found, refusal(view, url, found));
    return reply.send(renderCached(view, url, query, found));
  });
  server.get<{ Querystring: QueryParameters }>('/cached/copy', async (request, reply) => {
    const { url, at, query } = readCopyRequest(request.query);
    const found = await copyOf(site, url, at, query);
    reply.type('text/html; charset=utf-8').header('content-security-policy', COPY_POLICY);
    if (found.kind === 'copy') return reply.send(found.document);
    // If the page does not allow copies to be shown, the reply is the same as if there were no copy.
    return refuse(reply, found.kind === 'refused' ? NO_COPY : found, '');
  });
  server.get<{ Querystring: QueryParameters }>('/cached/compare', async (request, reply) => {
    const view = viewOf(site, request);
    const url = readAddress(request.query);
    const [from, to] = ['from', 'to'].map((name) => readText(request.query, name)) as [string, string];
    const found = (await site.archive?.compare(url, from, to)) ?? NO_COPY;
    reply.type('text/html; charset=utf-8');
    if (found.kind !== 'comparison') return refuse(reply, found, refusal(view, url, found));
    return reply.send(comparePage(view, url, found));
  });
}

function readCopyRequest(parameters: QueryParameters): { url: CanonicalUrl; at: string; query: string } {
  return {
    url: readAddress(parameters),
    at: readText(parameters, 'at'),
    query: readQueryParameter(parameters),
  };
}

async function copyOf(
  { archive }: ServerContext,
  url: CanonicalUrl,
  at: string,
  query: string,
): Promise<ShownCopy | NoCopy> {
  return (await archive?.copy(url, at, query)) ?? NO_COPY;
}

function refuse(reply: FastifyReply, { kind }: NoCopy, body: string): FastifyReply {
  const seconds = RETRY_SECONDS[kind];
  if (seconds !== undefined) reply.header('retry-after', seconds);
  return reply.code(STATUS[kind]).send(body);
}

function renderCached(view: View, url: CanonicalUrl, query: string, found: ShownCopy): string {
  const { words } = view;
  const { copy, copies, isCut } = found;
  const intro = words.markup('cached.intro', {
    url: html`<a href="${url}" dir="ltr">${url}</a>`,
    date: html`<time datetime="${new Date(copy.fetchedAt).toISOString()}">${words.exactMoment(copy.fetchedAt)}</time>`,
  });
  const frame = `${encodeURIComponent(url)}&at=${copy.at}&q=${encodeURIComponent(query)}`;
  const back = html`<a href="/search?q=${encodeURIComponent(query)}">${words.text('why.back')}</a>`;
  const jump = html`<a href="/cached/copy?url=${frame}#${FIRST_MATCH}" target="copy">${words.text('cached.jump')}</a>`;
  const shownTitle = shorten(plain(found.title), MAX_TITLE_LENGTH) || url;
  const main = html`<h1 class="cached-title"><span class="unseen">${words.text('cached.heading')}: </span><bdi>${shownTitle}</bdi></h1>
<p class="cached-ways">${query === '' ? null : back} ${found.hasMatch ? jump : null}</p>
<div class="cached-head">
<p>${intro} <span class="soft">${words.text('cached.inert')}</span></p>
${isCut ? html`<p class="note">${words.text('cached.cut')}</p>` : null}
${copies.length > 1 ? otherCopies(view, url, query, copy, copies) : null}
</div>
<iframe name="copy" class="${found.isDark ? 'copy dark-too' : 'copy'}" title="${words.text('cached.frame')}" sandbox="${SANDBOX}" src="/cached/copy?url=${frame}"></iframe>`;
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
    return copy.at === shown.at
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

function refusal(view: View, url: CanonicalUrl, { kind }: NoCopy): string {
  const { words } = view;
  const [titleKey, textKey] = REFUSALS[kind];
  const title = words.text(titleKey);
  const link = html`<a href="${url}" dir="ltr">${url}</a>`;
  const main = html`<section class="notice"><h1>${title}</h1>
<p>${words.markup(textKey, { url: link })}</p></section>`;
  return renderPage(view, { title, query: '', main });
}
