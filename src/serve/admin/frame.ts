/** Renders the frame of the admin pages: navigation, the person who is signed in, and the result of the last form. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { brandMark } from '../brand.ts';
import { type Html, html } from '../html.ts';
import { viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { renderAdminDocument, type Session, sessionOf } from '../sign-in/mod.ts';

const PAGES: readonly [path: string, name: string][] = [
  ['/admin', 'Overview'],
  ['/admin/hosts', 'Hosts'],
  ['/admin/seeds', 'Seeds'],
  ['/admin/rules', 'URL rules'],
  ['/admin/settings', 'Settings'],
  ['/admin/inspect', 'Inspect'],
  ['/admin/records', 'Records'],
  ['/admin/standing', 'Standing queries'],
  ['/admin/removals', 'Removals'],
  ['/admin/relevance', 'Relevance'],
  ['/admin/relevance/profiles', 'Profiles'],
  ['/admin/politeness', 'Politeness'],
  ['/admin/access', 'Access'],
  ['/admin/audit', 'Audit log'],
];

interface FrameParts {
  title: string;
  main: Html;
}

/** Sends an admin page. */
export function sendPage(
  site: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { title, main }: FrameParts,
): FastifyReply {
  const session = sessionOf(request);
  const path = request.url.split('?', 1)[0]!;
  // A gateway of a cluster has fewer pages than an engine on one machine.
  const pages = PAGES.filter(([url]) => request.server.hasRoute({ method: 'GET', url }));
  const body = html`<a class="skip" href="#main">Skip to the content</a>
<header class="side">
<a class="brand" href="/admin" aria-label="${site.brand.name}, overview">${brandMark(site)}<span>${site.brand.name}</span></a>
<nav aria-label="Administration"><ul>
${pages.map(([to, name]) => navEntry(to, name, to === path))}
</ul></nav>
<div class="person"><span>${session.name} <span class="soft">(${session.role})</span></span>
<form method="post" action="/admin/sign-out">${hiddenSecret(session)}<button class="plain">Sign out</button></form>
<a href="/">Search page</a></div>
</header>
<main id="main" tabindex="-1">
<h1>${title}</h1>
${takeNotice(session)}
${main}
</main>`;
  return reply.type('text/html; charset=utf-8').send(renderAdminDocument(viewOf(site, request), title, body));
}

function navEntry(to: string, name: string, isCurrent: boolean): Html {
  return isCurrent
    ? html`<li><a href="${to}" aria-current="page">${name}</a></li>`
    : html`<li><a href="${to}">${name}</a></li>`;
}

/** Renders the hidden field that proves that a form was made for this session. */
export function hiddenSecret({ csrf }: Session): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** Returns the message of the last form, once. */
function takeNotice(session: Session): Html | null {
  const { notice } = session;
  session.notice = null;
  if (!notice) return null;
  return notice.kind === 'done'
    ? html`<p class="done" role="status">${notice.text}</p>`
    : html`<p class="alert" role="alert">${notice.text}</p>`;
}
