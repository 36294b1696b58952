/** Serves the page on which people sign in to the admin pages, and the form that signs them out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts } from '../accounts.ts';
import type { PrivacyOptions, RateLimit } from '../guards/mod.ts';
import { brandMark } from '../brand.ts';
import { html } from '../html.ts';
import { ownForm } from '../http/mod.ts';
import { viewOf } from '../request-context.ts';
import type { ServerContext } from '../server-context.ts';
import { renderAdminDocument } from './admin-document.ts';
import { setSessionCookie, SIGN_IN, SIGN_OUT, tokenIn, whoOf } from './admin-session.ts';
import type { Sessions } from './sessions.ts';

interface SignInOptions extends PrivacyOptions {
  accounts: Accounts;
  sessions: Sessions;
  /** Limits how often a client may try. */
  tries: RateLimit;
  audit(who: string, action: string, target?: string): void;
}

const START = '/admin';
const MAX_FIELD = 256;

export function signInRoutes(server: FastifyInstance, site: ServerContext, options: SignInOptions): void {
  server.get<{ Querystring: { next?: unknown } }>(SIGN_IN, (request, reply) =>
    sendForm(site, request, reply, { next: ownPage(request.query.next), name: '', problem: '' }),
  );
  server.post(SIGN_IN, async (request, reply) => {
    const { name = '', password = '', next } = ownForm(request);
    const refusal = options.tries.take(request, reply);
    if (refusal) throw refusal;
    const { accounts, sessions, audit } = options;
    const isShort = name.length <= MAX_FIELD && password.length <= MAX_FIELD;
    const account = isShort ? await accounts.signIn(name, password) : null;
    if (!account) {
      // A name that is no account may be a password in the wrong field, so it is not logged.
      const target = isShort && accounts.find(name) ? name : 'unknown name';
      audit(`web:${request.ip}`, 'sign-in refused', target);
      const problem = 'This name and password do not belong together.';
      return sendForm(site, request, reply.code(401), { next: ownPage(next), name, problem });
    }
    sessions.end(tokenIn(request));
    setSessionCookie(request, reply, sessions.start(account), options);
    audit(`web:${account.name}@${request.ip}`, 'sign-in');
    return reply.redirect(ownPage(next), 303);
  });
}

/** Adds the route that ends a session. It requires one. */
export function signOutRoute(server: FastifyInstance, options: SignInOptions): void {
  server.post(SIGN_OUT, async (request, reply) => {
    options.sessions.end(tokenIn(request));
    setSessionCookie(request, reply, '', options);
    options.audit(whoOf(request), 'sign-out');
    return reply.redirect(SIGN_IN, 303);
  });
}

/** Returns the page to show after the sign-in: an admin page of this server, whatever a link asks for. */
function ownPage(next: unknown): string {
  return typeof next === 'string' && /^\/admin(?:[/?][\x21-\x7e]*)?$/.test(next) ? next : START;
}

interface FormState {
  next: string;
  name: string;
  problem: string;
}

function sendForm(
  site: ServerContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { next, name, problem }: FormState,
): FastifyReply {
  const failed = problem === '' ? null : html`<p class="alert" role="alert">${problem}</p>`;
  const body = html`<main class="sign-in" id="main">
<h1><span class="brand">${brandMark(site)}<span>${site.brand.name}</span></span> <span class="unseen">administration: sign in</span></h1>
<form method="post" action="/admin/sign-in" class="card">
${failed}
<input type="hidden" name="next" value="${next}">
<label>Name <input name="name" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" required></label>
<label>Password <input type="password" name="password" autocomplete="current-password" required></label>
<button class="primary">Sign in</button>
</form>
<p class="soft">The first start of the engine printed the name and the password.
<code>gyre access password operator</code> makes a new password.</p>
</main>`;
  const page = renderAdminDocument(viewOf(site, request), 'Sign in', body);
  return reply.type('text/html; charset=utf-8').send(page);
}
