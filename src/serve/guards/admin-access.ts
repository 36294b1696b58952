/**
 * Decides which clients may use the admin routes, which change something. If there is an admin token, a
 * client must send it as `Authorization: Bearer …`. Without a token, only programs on this machine may use
 * these routes, and never a page in a browser:
 *
 *   the connection comes from loopback, and there is no sign of a proxy: no forwarding header, no HTTP/1.0
 *   (which nginx uses by default, without any such header), no configured proxy or public URL
 *     the header `Host` is a loopback name, not a foreign name that resolves to this machine (DNS rebinding)
 *   `Origin` and `Sec-Fetch-Site`, which browsers send and pages cannot forge, name this site or are absent
 *
 * In both cases the body of a request must be JSON. A form on another site cannot send JSON, and a script on
 * another site would need permission (CORS) to send it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RequestProblem } from '../errors.ts';
import { bearerIn, requireCredential } from './credentials.ts';
import { clientOf, isLoopbackClient, type RateLimit } from './rate-limit.ts';
import { hostNameOf, isForwarded, isLoopbackName } from './site-address.ts';

export interface AdminAccess {
  /** The admin token; empty if none is configured. */
  token: string;
  /** True if people reach the engine from other machines, by a public URL or through a proxy. */
  isPublic: boolean;
  /** Limits how many wrong tokens a client may try. */
  wrong: RateLimit;
}

/** Returns a hook that rejects requests without admin access. */
export function adminOnly({ token, isPublic, wrong }: AdminAccess) {
  const refusal = () =>
    new RequestProblem(401, 'token-needed', 'Send the admin token as "Authorization: Bearer TOKEN".');
  const requireToken = requireCredential({
    secrets: [token],
    sentBy: bearerIn,
    wrong,
    realm: 'Bearer',
    refusal,
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (token === '') refuseStrangers(request, isPublic);
    else await requireToken(request, reply);
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

function refuseStrangers({ headers, socket, host, raw }: FastifyRequest, isPublic: boolean): void {
  const isPassedOn = isPublic || isForwarded(headers) || raw.httpVersion === '1.0';
  const isHere = isLoopbackClient(clientOf(socket.remoteAddress ?? '')) && !isPassedOn;
  if (!isHere || !isLoopbackName(hostNameOf(host))) {
    const advice = 'set serve.adminToken, and send it as "Authorization: Bearer TOKEN"';
    throw new RequestProblem(
      403,
      'not-local',
      `Without a token only programs on this machine may do this, and only if no proxy and no serve.publicUrl is in use: ${advice}.`,
    );
  }
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  if (isForeign || (headers.origin !== undefined && headers.origin !== `http://${host}`)) {
    throw new RequestProblem(403, 'cross-site', 'A page of another site may not do this.');
  }
}
