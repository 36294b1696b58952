/**
 * Decides which programs may use the admin routes of the API. A program sends the admin token of the configuration, or
 * an API key, as `Authorization: Bearer …`, and only where no other person can read it (privacy.ts). A key has a role: that of
 * a viewer may only read.
 *
 * If no token is configured, programs on this machine need none, but never a page in a browser:
 *
 *   the connection comes from loopback, and there is no sign of a proxy: no forwarding header, no HTTP/1.0
 *   (which nginx uses by default, without any such header), no configured proxy or public URL
 *     the header `Host` is a loopback name, not a foreign name that resolves to this machine (DNS rebinding)
 *   `Origin` and `Sec-Fetch-Site`, which browsers send and pages cannot forge, name this site or are absent
 *
 * In all cases the body of a request must be JSON. A form on another site cannot send JSON, and a script on
 * another site would need permission (CORS) to send it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Accounts, Identity } from '../accounts.ts';
import { RequestProblem } from '../errors.ts';
import { acceptsAny, bearerIn, requireCredential } from './credentials.ts';
import { type PrivacyOptions, requirePrivacy } from './privacy.ts';
import { clientOf, isLoopbackClient, type RateLimit } from './rate-limit.ts';
import { hostNameOf, isForwarded, isLoopbackName } from './site-address.ts';

export interface AdminAccess extends PrivacyOptions {
  /** The admin token; empty if none is configured. */
  token: string;
  /** The holders of API keys; null if there are none. */
  accounts: Pick<Accounts, 'holderOf'> | null;
  /** True if people reach the engine from other machines, by a public URL or through a proxy. */
  isPublic: boolean;
  /** Limits how many wrong tokens a client may try. */
  wrong: RateLimit;
}

const requesters = new WeakMap<FastifyRequest, string>();

/** Returns who sent an accepted request, for the audit log: `key:NAME@ADDRESS` or `http:ADDRESS`. */
export function requesterOf(request: FastifyRequest): string {
  return requesters.get(request) ?? `http:${request.ip}`;
}

/**
 * Returns a hook that rejects requests without admin access. `lists` also accepts a list of URLs as a body
 * (`text/uri-list`), which browsers do not send to other sites without permission either.
 */
export function adminOnly(access: AdminAccess, { lists = false } = {}) {
  const { token, accounts, isPublic, wrong } = access;
  const isToken = token === '' ? () => false : acceptsAny([token]);
  const holderOf = (sent: string) => (sent === '' ? null : (accounts?.holderOf(sent) ?? null));
  const refusal = () =>
    new RequestProblem(
      401,
      'token-needed',
      'Send the admin token or an API key as "Authorization: Bearer …".',
    );
  const requireToken = requireCredential({
    accepts: (sent) => isToken(sent) || holderOf(sent) !== null,
    sentBy: bearerIn,
    wrong,
    realm: 'Bearer',
    refusal,
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const sent = bearerIn(request);
    // Comes first, so that the refusal does not tell a listener whether the credential is right.
    if (sent !== '') requirePrivacy(request, access);
    if (token === '' && sent === '') refuseStrangers(request, isPublic);
    else await requireToken(request, reply);
    const holder = isToken(sent) ? null : holderOf(sent);
    if (holder) requesters.set(request, `key:${holder.name}@${request.ip}`);
    if (request.method === 'POST') refuseUnfitPosts(request, holder, lists);
  };
}

function refuseUnfitPosts({ headers }: FastifyRequest, holder: Identity | null, lists: boolean): void {
  if (holder?.role === 'viewer')
    throw new RequestProblem(403, 'viewer-only', 'This key may only read: it has the role viewer.');
  const type = (headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (type !== 'application/json' && !(lists && type === 'text/uri-list'))
    throw new RequestProblem(
      415,
      'json-needed',
      `The body must be JSON, with content type application/json${lists ? ', or one URL per line, with text/uri-list' : ''}.`,
    );
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
