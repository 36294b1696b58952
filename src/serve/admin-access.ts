/**
 * Who may change something here. With an admin token, whoever sends it as `Authorization: Bearer …`. Without
 * one, only a program on this machine, and never a page in somebody's browser:
 *
 *   the connection comes from loopback, and nothing says that it was passed on by a proxy
 *   `Host` is a name of loopback: a name that was made to point here (DNS rebinding) is none
 *   `Origin` and `Sec-Fetch-Site`, which browsers send and pages cannot forge, name this site or are absent
 *
 * A body must be JSON in either case: no form can send that, and no script elsewhere without being asked about.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestProblem } from './errors.ts';
import { isLoopbackName, nameOf } from './site-address.ts';

/** A hook that lets only those pass who may; `token` is empty when there is none. */
export function adminOnly(token: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (token === '') refuseStrangers(request);
    else if (!isBearer(request.headers.authorization, token)) {
      reply.header('www-authenticate', 'Bearer');
      throw new RequestProblem(401, 'token-needed', 'Send the admin token as "Authorization: Bearer TOKEN".');
    }
    const type = request.headers['content-type'] ?? '';
    if (request.method === 'POST' && !/^application\/json\s*(?:;|$)/i.test(type)) {
      throw new RequestProblem(
        415,
        'json-needed',
        'The body must be JSON, with content type application/json.',
      );
    }
  };
}

function refuseStrangers({ headers, socket, host }: FastifyRequest): void {
  const isHere = isLoopback(socket.remoteAddress ?? '') && !headers.forwarded && !headers['x-forwarded-for'];
  if (!isHere || !isLoopbackName(nameOf(host))) {
    const advice = 'set serve.adminToken, and send it as "Authorization: Bearer TOKEN"';
    throw new RequestProblem(
      403,
      'not-local',
      `Without a token only programs on this machine may do this: ${advice}.`,
    );
  }
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || (headers.origin !== undefined && headers.origin !== `http://${host}`)) {
    throw new RequestProblem(403, 'cross-site', 'A page of another site may not do this.');
  }
}

/** Compared by digest, so that neither content nor length shows in the time it takes. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const sent = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}

function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\./.test(address) || address === '::1';
}
