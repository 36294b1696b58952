/**
 * Guards the admin pages, in this order:
 *
 *   host name     loopback, an IP address or that of `serve.publicUrl`, against DNS rebinding
 *   privacy       no password and no session over plain HTTP from other machines (guards/privacy.ts)
 *   session       a cookie that scripts cannot read and other sites cannot send (HttpOnly, SameSite=Strict)
 *   form          comes from a page of this site, and carries the secret of its session, against forged requests
 *   role          a viewer may look and sign out; everything else needs an operator
 */
import { fastifyCookie as cookie } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RequestProblem } from '../errors.ts';
import { type PrivacyOptions, requireKnownName, requirePrivacy, usesTls } from '../guards/mod.ts';
import { ownForm } from '../http/mod.ts';
import { isFormOf, type Session, type Sessions } from './sessions.ts';

const COOKIE = 'gyre-admin';
export const SIGN_IN = '/admin/sign-in';
export const SIGN_OUT = '/admin/sign-out';
/** Forms that a viewer may send. */
const FOR_VIEWERS = new Set([SIGN_OUT]);

const sessionByRequest = new WeakMap<FastifyRequest, Session>();

/** Returns the session of a request that has passed `requireSession`. */
export function sessionOf(request: FastifyRequest): Session {
  const session = sessionByRequest.get(request);
  if (!session) throw new RequestProblem(401, 'signed-out', 'Sign in first.');
  return session;
}

/** Returns who sent a request, for the audit log. */
export function whoOf(request: FastifyRequest): string {
  return `web:${sessionOf(request).name}@${request.ip}`;
}

/** Guards all routes of `server`, also those for people who are not signed in. */
export function guardAdminPages(server: FastifyInstance, options: PrivacyOptions): void {
  server.addHook('onRequest', async (request, reply) => {
    requireKnownName(request, options.publicUrl);
    requirePrivacy(request, options);
    reply.header('cache-control', 'no-store');
  });
}

/** Guards the routes of `server` that only people who are signed in may use. */
export function requireSession(server: FastifyInstance, sessions: Sessions): void {
  server.addHook('onRequest', async (request, reply) => {
    const session = sessions.find(tokenIn(request));
    if (session) return void sessionByRequest.set(request, session);
    const isPage = request.method === 'GET' && !request.headers.accept?.startsWith('text/event-stream');
    if (!isPage) throw new RequestProblem(401, 'signed-out', 'Your session has ended; sign in again.');
    return reply.redirect(`${SIGN_IN}?next=${encodeURIComponent(request.url)}`, 303);
  });
  server.addHook('preHandler', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseUnfitForm(request);
  });
}

function refuseUnfitForm(request: FastifyRequest): void {
  const session = sessionOf(request);
  if (!isFormOf(session, ownForm(request).csrf))
    throw new RequestProblem(
      403,
      'forged-form',
      'The form is out of date; load the page again and repeat it.',
    );
  if (session.role !== 'operator' && !FOR_VIEWERS.has(request.url.split('?', 1)[0]!))
    throw new RequestProblem(
      403,
      'viewer-only',
      'Your account may look, but not change anything: it has the role viewer.',
    );
}

export function tokenIn({ headers }: FastifyRequest): string {
  return cookie.parse(headers.cookie ?? '')[COOKIE] ?? '';
}

/** Sends the cookie of a session; the empty token deletes the cookie. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  options: PrivacyOptions,
): void {
  const secure = usesTls(request, options);
  const attributes = { path: '/admin', httpOnly: true, sameSite: 'strict', secure } as const;
  reply.header(
    'set-cookie',
    cookie.serialize(COOKIE, token, { ...attributes, ...(token === '' && { maxAge: 0 }) }),
  );
}
