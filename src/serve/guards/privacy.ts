/**
 * Requires that no machine between the client and the engine can read a password, a key, a token or a session:
 *
 *   the client is a program on this machine, which uses a loopback name, without a proxy in between
 *   or a proxy of `serve.proxies` says that the client uses TLS
 *   or a proxy on this machine serves `serve.publicUrl`, which begins with https:
 *   or the operator has allowed plain HTTP (`serve.adminOverHttp`), for example in a private network
 */
import type { FastifyRequest } from 'fastify';
import { RequestProblem } from '../errors.ts';
import { clientOf, isLoopbackClient } from './rate-limit.ts';
import { hostNameOf, hostOfPublicUrl, isForwarded, isLoopbackName } from './site-address.ts';

export interface PrivacyOptions {
  publicUrl: string;
  /** True if the operator accepts that passwords, keys and tokens cross the network in plain text. */
  allowsHttp: boolean;
}

export function requirePrivacy(request: FastifyRequest, options: PrivacyOptions): void {
  if (options.allowsHttp || usesTls(request, options) || isOnThisMachine(request)) return;
  const advice =
    'put a proxy with TLS in front (serve.publicUrl and serve.proxies), use an SSH tunnel, or set serve.adminOverHttp to "on"';
  throw new RequestProblem(
    403,
    'not-private',
    `The admin side takes no password, key or token over plain HTTP from other machines: ${advice}.`,
  );
}

/** Returns true if the client reaches the engine by TLS, which a proxy ends. */
export function usesTls(request: FastifyRequest, { publicUrl }: PrivacyOptions): boolean {
  if (request.protocol === 'https') return true;
  const isBehindTls =
    publicUrl.startsWith('https:') && hostNameOf(request.host) === hostOfPublicUrl(publicUrl);
  return isBehindTls && isLoopbackClient(clientOf(request.socket.remoteAddress ?? ''));
}

function isOnThisMachine({ headers, socket, host, raw }: FastifyRequest): boolean {
  const isPassedOn = isForwarded(headers) || raw.httpVersion === '1.0';
  const isLoopback = isLoopbackClient(clientOf(socket.remoteAddress ?? ''));
  return isLoopback && !isPassedOn && isLoopbackName(hostNameOf(host));
}
